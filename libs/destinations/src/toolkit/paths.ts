import { isJsonObject, type JsonObject } from '@weir/contracts';

/** `a.b`, `list.0.a` and `list[0].a` alike. */
const segmentsOf = (path: string): string[] => path.split(/[.[\]]+/).filter(Boolean);

/** The value under a path; undefined where nothing is. Own keys only: a path is no way into prototypes. */
export function valueAt(root: unknown, path: string): unknown {
  return segmentsOf(path).reduce((value: unknown, key) => {
    if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
    return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, root);
}

/** What a table of ours says of a word of an event, which may be `constructor`: own keys only. */
export const lookedUp = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** Neither absent nor null nor the empty text: what the fallbacks of this field count as given. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The first given value of several paths. */
export function firstAt(root: unknown, paths: string | readonly string[]): unknown {
  const wanted = typeof paths === 'string' ? [paths] : paths;
  return wanted.map((path) => valueAt(root, path)).find(isGiven);
}

/** Sets a value in place, making the objects on its way. Keys that would reach a prototype are left out. */
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

/** The object under a path; an empty one where none is. */
export function objectAt(root: unknown, path: string): JsonObject {
  const value = valueAt(root, path);
  return isJsonObject(value) ? value : {};
}

/** The text or number under the first given path, as text. */
export function textAt(root: unknown, paths: string | readonly string[]): string | undefined {
  const value = firstAt(root, paths);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
