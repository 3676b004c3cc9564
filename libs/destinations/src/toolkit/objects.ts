import { AppError, isJsonObject, type JsonObject } from '@weir/contracts';
import { setAt } from './paths.js';

/**
 * `Object.fromEntries` in a quarter of its time for hundreds of new keys, because that function builds a hidden class for each.
 * `__proto__` is a key like any other.
 */
export function objectOf<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  const object: Record<string, T> = {};
  for (const [key, value] of entries) put(object, key, value);
  return object;
}

/**
 * `{ ...one, ...other }` with any number of objects. Later values win. The spread also builds a hidden class for each new key,
 * which takes 4 us. Use this function where an object may have as many keys as an event.
 */
export function merged(...objects: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const one of objects) {
    for (const key of Object.keys(one)) put(object, key, one[key]);
  }
  return object;
}

function put<T>(object: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}

/** Drops undefined and null at the top level only. */
export const compact = (object: JsonObject): JsonObject =>
  pick(object, (value) => value !== undefined && value !== null);

/** Drops undefined, null and empty texts, objects and arrays at the top level only. */
export const withoutEmpty = (object: JsonObject): JsonObject => pick(object, (value) => !isEmpty(value));

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

/** Code that reads an event may recurse, so a key with more dots stays as it is. */
const LEVELS_MAX = 32;
const levelsOf = (key: string) => key.split('.', LEVELS_MAX + 1).length;

/** Makes objects of the dots in top-level keys: `{ 'a.b': 1 }` becomes `{ a: { b: 1 } }`. */
export function nested(object: JsonObject): JsonObject {
  const keys = Object.keys(object);
  // Only a copy may be changed, because a dotted key may reach into an object of the event.
  const source = keys.some((key) => key.includes('.')) ? structuredClone(object) : object;
  const target: JsonObject = {};
  for (const key of keys) {
    if (levelsOf(key) > LEVELS_MAX) put(target, key, source[key]);
    else setAt(target, key, source[key]);
  }
  return target;
}

/** Limits the work of kinds, because each flat key is a new text and a key of further objects. */
export const FLAT_KEYS_MAX = 2_000;

export interface FlattenOptions {
  /** Separator between keys. Default: a dot. */
  separator?: string;
  /** `list[0]`, `list.0` (with the separator), the unchanged array, or `list[0]` only for lists that begin with an object. */
  arrays?: 'brackets' | 'separator' | 'keep' | 'bracketObjects';
}

/**
 * Converts nested keys to dotted paths, and array elements to `key[0]`. Empty objects and arrays stay unchanged. Throws
 * `AppError('invalid')` for more than {@link FLAT_KEYS_MAX} keys.
 */
export function flatten(value: JsonObject, options: FlattenOptions = {}): JsonObject {
  const leaves: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) addLeaves(leaves, inner, key, options);
  return objectOf(leaves);
}

const areFlat = ([first]: readonly unknown[], arrays: FlattenOptions['arrays']) =>
  arrays !== 'keep' && (arrays !== 'bracketObjects' || typeof first === 'object');

function addLeaves(leaves: [string, unknown][], value: unknown, path: string, options: FlattenOptions): void {
  const { separator = '.', arrays = 'brackets' } = options;
  if (Array.isArray(value) && value.length > 0 && areFlat(value, arrays)) {
    const at = (index: number) => (arrays === 'separator' ? `${path}${separator}${index}` : `${path}[${index}]`);
    value.forEach((item, index) => {
      addLeaves(leaves, item, at(index), options);
    });
  } else if (isJsonObject(value) && Object.keys(value).length > 0) {
    for (const [key, inner] of Object.entries(value)) addLeaves(leaves, inner, `${path}${separator}${key}`, options);
  } else {
    leaves.push([path, value]);
    if (leaves.length > FLAT_KEYS_MAX) {
      throw new AppError('invalid', `The event makes more than ${FLAT_KEYS_MAX} keys for this destination`);
    }
  }
}
