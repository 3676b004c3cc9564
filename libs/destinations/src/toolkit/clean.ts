import { isJsonObject, type JsonObject } from '@weir/contracts';
import { objectOf } from '../object-of.js';

/** Drops undefined and null at the top level only. */
export const compact = (object: JsonObject): JsonObject =>
  pick(object, (value) => value !== undefined && value !== null);

/** Drops undefined, null and empty texts, objects and arrays at the top level only. */
export const withoutEmpty = (object: JsonObject): JsonObject => pick(object, (value) => !isEmpty(value));

/** Drops undefined and null at any depth. */
export const compactDeep = (object: JsonObject): JsonObject =>
  deep(object, (value) => value === undefined || value === null);

/** Drops undefined, null and empty values at any depth, including values that become empty. */
export const withoutEmptyDeep = (object: JsonObject): JsonObject => deep(object, isEmpty);

export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The entries whose key is not listed. */
export function omit(object: JsonObject, keys: Iterable<string>): JsonObject {
  const left = new Set(keys);
  return pick(object, (_, key) => !left.has(key));
}

/** The entries whose key is listed. */
export function only(object: JsonObject, keys: Iterable<string>): JsonObject {
  const kept = new Set(keys);
  return pick(object, (_, key) => kept.has(key));
}

/** Calls `isKept` for each entry. A predicate that searches a list makes this quadratic. Use {@link only} instead. */
export function pick(object: JsonObject, isKept: (value: unknown, key: string) => boolean): JsonObject {
  return objectOf(Object.entries(object).filter(([key, value]) => isKept(value, key)));
}

function deep(object: JsonObject, isLeftOut: (value: unknown) => boolean): JsonObject {
  const cleaned = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(cleaned).filter((item) => !isLeftOut(item));
    return isJsonObject(value) ? deep(value, isLeftOut) : value;
  };
  const entries = Object.entries(object).map(([key, value]) => [key, cleaned(value)] as const);
  return objectOf(entries.filter(([, value]) => !isLeftOut(value)));
}
