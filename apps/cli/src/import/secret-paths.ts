import { isSecretName } from '@weir/settings';
import { isObject, type Json } from '../project/json.js';

/**
 * Dotted paths, through the elements of lists, of values whose key says that they are secret. No definition of Weir declares what it
 * does not read, and the files are meant for git.
 */
export function secretPaths(value: Json, path: readonly string[] = []): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => secretPaths(one, path));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = /^\d+$/.test(key) ? path : [...path, key];
    // a boolean only says whether there is a secret
    return isSecretName(key) && typeof inner !== 'boolean' ? [here.join('.')] : secretPaths(inner, here);
  });
}
