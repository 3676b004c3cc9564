import { AppError, isJsonObject, type JsonObject } from '@weir/contracts';
import { objectOf } from './object-of.js';

/** Limits the work of kinds, because each flat key is a new text and a key of further objects. */
export const FLAT_KEYS_MAX = 2_000;

export interface FlattenOptions {
  /** Separator between keys. Default: a dot. */
  separator?: string;
  /** `list[0]`, `list.0` (with the separator), or the unchanged array. */
  arrays?: 'brackets' | 'separator' | 'keep';
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

function addLeaves(leaves: [string, unknown][], value: unknown, path: string, options: FlattenOptions): void {
  const { separator = '.', arrays = 'brackets' } = options;
  if (Array.isArray(value) && value.length > 0 && arrays !== 'keep') {
    const at = (index: number) => (arrays === 'brackets' ? `${path}[${index}]` : `${path}${separator}${index}`);
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
