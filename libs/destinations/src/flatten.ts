import { isJsonObject, type JsonObject } from '@weir/contracts';

export interface FlattenOptions {
  /** Between keys; a dot by default. */
  separator?: string;
  /** `list[0]`, `list.0` (with the separator), or the array as it is. */
  arrays?: 'brackets' | 'separator' | 'keep';
}

/** Nested keys as dotted paths, array elements as `key[0]`; empty objects and arrays stay as they are. */
export function flatten(value: JsonObject, options: FlattenOptions = {}): JsonObject {
  return Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, key, options)));
}

function leavesOf(value: unknown, path: string, options: FlattenOptions): [string, unknown][] {
  const { separator = '.', arrays = 'brackets' } = options;
  if (Array.isArray(value) && value.length > 0 && arrays !== 'keep') {
    const at = (index: number) => (arrays === 'brackets' ? `${path}[${index}]` : `${path}${separator}${index}`);
    return value.flatMap((item, index) => leavesOf(item, at(index), options));
  }
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, `${path}${separator}${key}`, options));
  }
  return [[path, value]];
}
