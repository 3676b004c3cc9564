import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';
import { Scanner, stepsOf } from './source.js';

/** A key, an index, or every element of a list. */
export type TargetStep = string | number | typeof EVERY;
export const EVERY = Symbol('[*]');

/**
 * Reads the `to` of a mapping: `$` and a path, or keys with dots. Throws `AppError('invalid')` for a path that cannot be written,
 * and for a name that begins with a digit.
 */
export function parseTarget(text: string): TargetStep[] {
  if (!text.startsWith('$')) {
    if (/^\d/.test(text)) kit.refuse(`${text} is not a target, because it begins with a digit`);
    return text.split('.');
  }
  const scanner = new Scanner(text.slice(1));
  const steps = stepsOf(scanner).map((step) => {
    if ('key' in step) return step.key;
    if ('index' in step) return step.index;
    return 'every' in step ? EVERY : scanner.refuse();
  });
  return scanner.isAtEnd ? steps : scanner.refuse();
}

/**
 * Sets a copy of a value within `target` and returns the result. What is already there stays, so the first of two mappings wins. At
 * `[*]`, each element goes to the element at the same place.
 */
export function withValue(target: unknown, [step, ...rest]: readonly TargetStep[], value: unknown): unknown {
  if (step === undefined) return combined(target, value);
  if (step === '__proto__' || !takes(step, target)) return target;
  if (step === EVERY) {
    const list: unknown[] = Array.isArray(target) ? target : [];
    if (list.length > 0 && !Array.isArray(value)) kit.refuse('a mapping puts one value into a list of another mapping');
    const values = Array.isArray(value) ? value : [value];
    const placed = rest.length === 0 ? values.filter((item) => item !== undefined && item !== null) : values;
    placed.forEach((item, index) => {
      list[index] = withValue(list[index], rest, item);
    });
    return list;
  }
  if (typeof step === 'number') {
    const list: unknown[] = Array.isArray(target) ? target : [];
    // Appends instead of leaving a gap, whose length the configuration could choose.
    const index = Math.min(step, list.length);
    list[index] = withValue(list[index], rest, value);
    return list;
  }
  const object: JsonObject = isJsonObject(target) ? target : {};
  const inner = withValue(Object.hasOwn(object, step) ? object[step] : undefined, rest, value);
  if (inner !== undefined && inner !== null) object[step] = inner;
  return object;
}

const takes = (step: TargetStep, target: unknown): boolean =>
  target === undefined || (typeof step === 'string' ? isJsonObject(target) : Array.isArray(target));

function combined(target: unknown, value: unknown): unknown {
  if (target === undefined) return withoutNull(value);
  return isJsonObject(target) && isJsonObject(value) ? kit.merged(withoutNull(value) as JsonObject, target) : target;
}

/** A copy without null at any depth. In lists, null keeps the places of the other elements. */
export function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNull(item) ?? null);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, withoutNull(inner)] as const);
  return kit.objectOf(entries.filter(([, inner]) => inner !== undefined && inner !== null));
}
