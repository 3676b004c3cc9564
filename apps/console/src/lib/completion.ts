/** A key of an event that was seen, such as `properties.price`, with its type. */
export interface EventField {
  path: string;
  type: string;
}

export interface Completion {
  /** Where in the text before the cursor the completed word begins. */
  from: number;
  options: { label: string; type: 'property' | 'constant'; detail?: string }[];
}

/** Characters of an expression such as `event.properties?.price`. */
const PART_OF_PATH = /[\w$?.]/;
const NAME = /^[A-Za-z_$][\w$]*$/;
const IMPORT_FROM = /\bfrom\s['"]([^'"]*)$/;
/** Holds the event or a part of it, at the beginning of a statement: `const props = event.properties`. */
const HOLDS = /^(?:const|let|var)\s+([\w$]+)\s*=\s*([\w$?.]+)/;
const ENTRY = 'transformEvent';
const PARAMETER = /^(?:=(?:async)?)?\(?([A-Za-z_$][\w$]*)/;
/** Characters behind the name of the entry among which its parameter stands. */
const ENTRY_CHARS = 100;

/**
 * Completions of the text before the cursor. Behind `from` they are import names. Behind the event, a part of it, or a variable that
 * holds one, they are keys of the events that this workspace has seen, with their types.
 */
export function completionOf(
  before: string,
  code: string,
  fields: readonly EventField[],
  libraries: readonly string[],
): Completion | undefined {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const [, module] = IMPORT_FROM.exec(line) ?? [];
  if (module !== undefined) {
    return { from: before.length - module.length, options: libraries.map((label) => ({ label, type: 'constant' })) };
  }
  const path = stepsOf(expressionBefore(line));
  const word = path.pop() ?? '';
  const [root = '', ...steps] = path;
  const held = rootsOf(code).get(root);
  return held && { from: before.length - word.length, options: childrenOf(fields, [...held, ...steps]) };
}

function expressionBefore(line: string): string {
  let start = line.length;
  while (start > 0 && PART_OF_PATH.test(line.charAt(start - 1))) start -= 1;
  return line.slice(start);
}

/** `a?.b.c` as steps. What stands before another question mark is a condition. */
function stepsOf(expression: string): string[] {
  const path = expression.replaceAll('?.', '.');
  return path.slice(path.lastIndexOf('?') + 1).split('.');
}

/** Variables that hold an event or a part of it, each with the path of what it holds. */
function rootsOf(code: string): Map<string, readonly string[]> {
  const roots = new Map<string, readonly string[]>([['event', []]]);
  const at = code.indexOf(ENTRY);
  const behind = code.slice(at + ENTRY.length, at + ENTRY.length + ENTRY_CHARS).replaceAll(/\s/g, '');
  const [, parameter] = (at !== -1 && PARAMETER.exec(behind)) || [];
  if (parameter) roots.set(parameter, []);
  for (const statement of code.split(/[\n;{]/)) {
    const [, name = '', expression = ''] = HOLDS.exec(statement.trim()) ?? [];
    const [root = '', ...steps] = stepsOf(expression);
    const held = roots.get(root);
    if (name && held && !roots.has(name)) roots.set(name, [...held, ...steps.filter(Boolean)]);
  }
  return roots;
}

function childrenOf(fields: readonly EventField[], parent: readonly string[]): Completion['options'] {
  const types = new Map<string, Set<string>>();
  for (const { path, type } of fields) {
    const parts = path.split('.');
    const name = parts[parent.length];
    if (name === undefined || !NAME.test(name) || parent.some((part, at) => part !== parts[at])) continue;
    const known = types.get(name) ?? new Set();
    known.add(parts.length === parent.length + 1 ? type : 'object');
    types.set(name, known);
  }
  return [...types].map(([label, found]) => ({ label, type: 'property', detail: [...found].sort().join(' | ') }));
}
