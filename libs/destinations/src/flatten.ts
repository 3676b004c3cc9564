import { isJsonObject, type JsonObject } from '@weir/contracts';

/** Nested keys as dotted paths, array elements as `key[0]`; empty objects and arrays stay as they are. */
export function flatten(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, key)));
}

function leavesOf(value: unknown, path: string): [string, unknown][] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item, index) => leavesOf(item, `${path}[${index}]`));
  }
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, `${path}.${key}`));
  }
  return [[path, value]];
}
