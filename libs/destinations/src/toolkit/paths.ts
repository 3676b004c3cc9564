import { isJsonObject, type JsonObject } from '@weir/contracts';

/** Accepts `a.b`, `list.0.a` and `list[0].a`. */
const segmentsOf = (path: string): string[] => path.split(/[.[\]]+/).filter(Boolean);

/** The value at a path, or undefined. Reads own keys only, so that a path cannot reach prototypes. */
export function valueAt(root: unknown, path: string): unknown {
  return segmentsOf(path).reduce((value: unknown, key) => {
    if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
    return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, root);
}

/** Looks up a word of an event in a table. Reads own keys only, because the word may be `constructor`. */
export const lookedUp = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** False for undefined, null and the empty text. This is the test by which fallbacks choose. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The first value among several paths. */
export function firstAt(root: unknown, paths: string | readonly string[]): unknown {
  const wanted = typeof paths === 'string' ? [paths] : paths;
  return wanted.map((path) => valueAt(root, path)).find(isGiven);
}

/** Sets a value in place and creates objects along the path. Ignores keys that would reach a prototype. */
export function setAt(target: JsonObject, path: string, value: unknown): void {
  const segments = path.split('.');
  if (segments.includes('__proto__')) return;
  const last = segments.pop() ?? path;
  const parent = segments.reduce((object, key) => {
    if (!Object.hasOwn(object, key) || !isJsonObject(object[key])) object[key] = {};
    return object[key] as JsonObject;
  }, target);
  parent[last] = value;
}

/** The object at a path, or an empty one. */
export function objectAt(root: unknown, path: string): JsonObject {
  const value = valueAt(root, path);
  return isJsonObject(value) ? value : {};
}

/** The first value among several paths as text, if it is a text or a number. */
export function textAt(root: unknown, paths: string | readonly string[]): string | undefined {
  const value = firstAt(root, paths);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
