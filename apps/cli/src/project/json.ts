/** Values as JSON has them. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether two values are equal. The order of keys does not count. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((one, at) => sameJson(one, b[at]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

/** The value with each text in it replaced. `path` leads to the text. */
export function mapTexts(value: Json, change: (text: string, path: string[]) => Json, path: string[] = []): Json {
  if (typeof value === 'string') return change(value, path);
  if (Array.isArray(value)) return value.map((one, at) => mapTexts(one, change, [...path, String(at)]));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, change, [...path, key])]));
}
