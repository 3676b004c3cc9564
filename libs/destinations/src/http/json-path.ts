import { isJsonObject, type JsonObject } from '@weir/contracts';
import { refuse } from '../toolkit/index.js';

/** A key, an index, or every element of a list. */
type Step = string | number | typeof EVERY;
const EVERY = Symbol('[*]');

/** `.key`, `.'key'`, `['key']`, `[0]`, `[*]`. */
const STEP =
  /\.?'([^']+)'|\.?"([^"]+)"|\[\s*'([^']+)'\s*\]|\[\s*"([^"]+)"\s*\]|\[\s*(\d+)\s*\]|\[\s*(\*)\s*\]|\.?([^.[\]'"]+)/y;

/** In characters. An event is at most two hundred keys deep. */
const PATH_LENGTH_MAX = 2_048;

export const isPath = (text: string): boolean => text.startsWith('$');

/** Parses the part of JSONPath that a mapping needs. Refuses everything else, such as filters and `..`. */
export function parsePath(path: string): Step[] {
  if (path.length > PATH_LENGTH_MAX) refuse(`a path has more than ${PATH_LENGTH_MAX} characters`);
  const steps: Step[] = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < path.length) {
    const at = STEP.lastIndex;
    const match = STEP.exec(path);
    if (!match) refuse(`${path} is not a path that Weir reads, from position ${at}`);
    const [, a, b, c, d, index, every, plain] = match;
    if (every !== undefined) steps.push(EVERY);
    else if (index !== undefined) steps.push(Number(index));
    else steps.push((a ?? b ?? c ?? d ?? plain ?? '').trim());
  }
  return steps;
}

/** The value at a path. A path with `[*]` gives a list. */
export function readPath(root: unknown, steps: readonly Step[], at = 0): unknown {
  const step = steps[at];
  if (step === undefined) return root;
  if (step === EVERY) return Array.isArray(root) ? root.map((item) => readPath(item, steps, at + 1)) : undefined;
  if (Array.isArray(root)) return typeof step === 'number' ? readPath(root[step], steps, at + 1) : undefined;
  return isJsonObject(root) && Object.hasOwn(root, step) ? readPath(root[step], steps, at + 1) : undefined;
}

/** Sets a value in place. At `[*]`, each element of a list of values goes to the element at the same position. */
export function writePath(target: JsonObject, steps: readonly Step[], value: unknown): void {
  if (steps.includes('__proto__')) return;
  write(target, steps, 0, value);
}

function write(target: unknown, steps: readonly Step[], at: number, value: unknown): unknown {
  const step = steps[at];
  if (step === undefined) return value;
  if (step === EVERY) {
    const list = Array.isArray(target) ? target : [];
    const values = Array.isArray(value) ? value : [value];
    values.forEach((item, index) => {
      list[index] = write(list[index], steps, at + 1, item);
    });
    return list;
  }
  if (typeof step === 'number') {
    const list = Array.isArray(target) ? target : [];
    // Appends instead of leaving a gap, whose length the configuration could choose.
    const index = Math.min(step, list.length);
    list[index] = write(list[index], steps, at + 1, value);
    return list;
  }
  const object = isJsonObject(target) ? target : {};
  object[step] = write(object[step], steps, at + 1, value);
  return object;
}
