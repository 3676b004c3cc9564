import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';

/** A key, an index, every element, everything below a key, or the elements that a filter accepts. */
type Step =
  | { key: string }
  | { index: number }
  | { every: true }
  | { below: string | undefined }
  | { accepts: (element: unknown) => boolean };

/** A source gives its value for an event. `levels` nested lists keep a place for each element. */
export type Source = (event: JsonObject, levels?: number) => unknown;

/** In characters. An event is at most two hundred keys deep. */
const LENGTH_MAX = 2_048;
/** Values that one path may find. An event has no more keys and items. */
const VALUES_MAX = 10_000;

/**
 * Reads the `from` of a mapping: a text, a text in single quotes, or an expression of paths, literals, `+ - * /` and `??`. Throws
 * `AppError('invalid')` for anything else.
 */
export function parseSource(text: string): Source {
  const [, quoted] = /^'([^']*)'$/.exec(text) ?? [];
  if (quoted !== undefined) return () => quoted;
  if (!text.includes('$') && !text.startsWith("'")) return () => text;
  const scanner = new Scanner(text);
  const source = expression(scanner);
  return scanner.isAtEnd ? source : scanner.refuse();
}

/** Reads a text from its beginning by sticky patterns. */
export class Scanner {
  private at = 0;

  constructor(private readonly text: string) {
    if (text.length > LENGTH_MAX) kit.refuse(`a mapping has more than ${LENGTH_MAX} characters`);
  }

  /** The text that the pattern matches here, or undefined. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text) ?? undefined;
    if (match) this.at += match[0].length;
    return match;
  }

  get isAtEnd(): boolean {
    return this.at === this.text.length;
  }

  refuse(): never {
    return kit.refuse(`${this.text} is not a mapping that Weir reads, from position ${this.at}`);
  }
}

type Operation = (left: unknown, right: unknown) => unknown;
const arithmetic =
  (compute: (left: number, right: number) => number): Operation =>
  (left, right) => {
    const [one, other] = [kit.toNumber(left), kit.toNumber(right)];
    return one === undefined || other === undefined ? undefined : kit.toNumber(compute(one, other));
  };
const sum = arithmetic((left, right) => left + right);
const plus: Operation = (left, right) => {
  if (!kit.isGiven(left) || !kit.isGiven(right)) return undefined;
  const isText = typeof left === 'string' || typeof right === 'string';
  return isText ? `${kit.toText(left)}${kit.toText(right)}` : sum(left, right);
};

/** Operators by precedence, the weakest first. */
const LEVELS: readonly { pattern: RegExp; operations: Readonly<Record<string, Operation>> }[] = [
  { pattern: /\s*(\?\?)\s*/y, operations: { '??': (left, right) => left ?? right } },
  { pattern: /\s*([+-])\s*/y, operations: { '+': plus, '-': arithmetic((left, right) => left - right) } },
  {
    pattern: /\s*([*/])\s*/y,
    operations: { '*': arithmetic((left, right) => left * right), '/': arithmetic((left, right) => left / right) },
  },
];

function expression(scanner: Scanner, level = 0): Source {
  const operators = LEVELS[level];
  if (!operators) return term(scanner);
  let source = expression(scanner, level + 1);
  for (let match = scanner.take(operators.pattern); match; match = scanner.take(operators.pattern)) {
    const [left, right] = [source, expression(scanner, level + 1)];
    const operation = operators.operations[match[1] ?? ''] ?? scanner.refuse();
    source = (event) => operation(left(event), right(event));
  }
  return source;
}

function term(scanner: Scanner): Source {
  if (scanner.take(/\$/y)) {
    const steps = stepsOf(scanner);
    return (event, levels = 0) => readPath(event, steps, levels);
  }
  const value = literal(scanner);
  return value === undefined ? scanner.refuse() : () => value;
}

function literal(scanner: Scanner): unknown {
  const [, single, double, number] = scanner.take(/'([^']*)'|"([^"]*)"|(-?\d+(?:\.\d+)?)/y) ?? [];
  if (number !== undefined) return Number(number);
  const [word] = single === undefined && double === undefined ? (scanner.take(/\b(?:true|false)\b/y) ?? []) : [];
  return word === undefined ? (single ?? double) : word === 'true';
}

const EVERY = /\.\*|\[\s*\*\s*\]/y;
const BELOW = /\.\.(?:\*|([\p{L}_][\p{L}\p{N}_]*)|'([^']+)')/uy;
const KEY = /\.([\p{L}_][\p{L}\p{N}_]*)|\.?'([^']+)'|\.?"([^"]+)"|\[\s*'([^']+)'\s*\]|\[\s*"([^"]+)"\s*\]/uy;
const INDEX = /\[\s*(\d+)\s*\]/y;

/** The steps of a path, as far as it goes. */
export function stepsOf(scanner: Scanner): Step[] {
  const steps: Step[] = [];
  for (let step = nextStep(scanner); step; step = nextStep(scanner)) steps.push(step);
  return steps;
}

function nextStep(scanner: Scanner): Step | undefined {
  if (scanner.take(EVERY)) return { every: true };
  const below = scanner.take(BELOW);
  if (below) return { below: below[1] ?? below[2] };
  const key = scanner.take(KEY);
  if (key) return { key: key.slice(1).find((part) => part !== undefined) ?? '' };
  const index = scanner.take(INDEX);
  if (index) return { index: Number(index[1]) };
  return scanner.take(/\[\?\(\s*@/y) ? { accepts: filter(scanner) } : undefined;
}

type Comparison = (left: unknown, right: unknown) => boolean;
const order =
  (holds: (left: number | string, right: number | string) => boolean): Comparison =>
  (left, right) =>
    (typeof left === 'number' && typeof right === 'number') || (typeof left === 'string' && typeof right === 'string')
      ? holds(left, right)
      : false;
const COMPARISONS: Readonly<Record<string, Comparison>> = {
  '==': (left, right) => left === right,
  '===': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '!==': (left, right) => left !== right,
  '<': order((left, right) => left < right),
  '<=': order((left, right) => left <= right),
  '>': order((left, right) => left > right),
  '>=': order((left, right) => left >= right),
};

/** The rest of `[?(@.price > 1)]`, or of `[?(@.price)]`. */
function filter(scanner: Scanner): (element: unknown) => boolean {
  const steps = stepsOf(scanner);
  const [, operator] = scanner.take(/\s*([=!]==?|[<>]=?)\s*/y) ?? [];
  const value = operator === undefined ? undefined : literal(scanner);
  const holds = operator === undefined ? kit.isGiven : (COMPARISONS[operator] ?? scanner.refuse());
  if ((operator !== undefined && value === undefined) || !scanner.take(/\s*\)\s*\]/y)) scanner.refuse();
  return (element) => holds(readPath(element, steps, 0), value);
}

const isMany = (step: Step | undefined) => step !== undefined && !('key' in step || 'index' in step);

/**
 * The value at a path. A path to many values gives their list without null, one value alone, or undefined. The first `levels` lists
 * keep a place for each element.
 */
function readPath(root: unknown, steps: readonly Step[], levels: number): unknown {
  const many = steps.findIndex(isMany);
  if (many < 0) return found([root], steps)[0];
  const [lists, ...inner] = [found([root], steps.slice(0, many)), ...steps.slice(many)];
  const [step, ...rest] = [inner[0] as Step, ...inner.slice(1)];
  if (levels > 0) return found(lists, [step]).map((element) => readPath(notNull(element), rest, levels - 1));
  const values = found(lists, inner).filter((value) => value !== null && value !== undefined);
  return values.length > 1 ? values : values[0];
}

function found(roots: readonly unknown[], steps: readonly Step[]): unknown[] {
  let values = [...roots];
  for (const [index, step] of steps.entries()) {
    const isInList = isMany(steps[index - 1]);
    values = values.flatMap((value) => next(isInList && 'key' in step ? notNull(value) : value, step));
    if (values.length > VALUES_MAX) kit.refuse(`a path of a mapping finds more than ${VALUES_MAX} values`);
  }
  return values;
}

const notNull = (element: unknown): unknown =>
  element === null ? kit.refuse('a path of a mapping leads through an element that is null') : element;

function next(value: unknown, step: Step): unknown[] {
  if ('index' in step) return Array.isArray(value) && step.index < value.length ? [value[step.index]] : [];
  if ('key' in step) return isJsonObject(value) && Object.hasOwn(value, step.key) ? [value[step.key]] : [];
  if ('below' in step) return below(value, step.below);
  const elements = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return 'accepts' in step ? elements.filter(step.accepts) : elements;
}

/** Values under a key at any depth, or all values. */
function below(value: unknown, key: string | undefined): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(key === undefined || (name === key && !Array.isArray(value)) ? [inner] : []),
    ...below(inner, key),
  ]);
}
