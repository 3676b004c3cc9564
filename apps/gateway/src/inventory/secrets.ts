import { isDeepStrictEqual } from 'node:util';
import { invalidField, isEmptySecret, isJsonObject, type JsonObject, MASK, maskedConfig } from '@weir/contracts';

/**
 * Restores stored secrets where the caller sent back the mask. An array element keeps its secret if it is otherwise unchanged,
 * even if it moved. Throws `invalid` for a mask without a stored secret.
 */
export function restoreSecrets(next: JsonObject, stored: JsonObject, secretKeys: readonly string[]): JsonObject {
  const masked = maskedConfig(stored, secretKeys);
  const restored = secretKeys.reduce(
    (config, key) => restoreAt(config, stored, masked, key.split('.')) as JsonObject,
    next,
  );
  refuseMasks(restored, secretKeys);
  return restored;
}

/** Throws `invalid` naming the first secret that is a mask. */
export function refuseMasks(config: JsonObject, secretKeys: readonly string[], why?: string): void {
  for (const key of secretKeys) refuseMask(config, key.split('.'), 'config', why === undefined ? '' : ` (${why})`);
}

function restoreAt(next: unknown, stored: unknown, masked: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined) return next === MASK && !isEmptySecret(stored) ? stored : next;
  if (Array.isArray(next)) return restoreItems(next, stored, masked, [key, ...rest]);
  if (!isJsonObject(next) || !isJsonObject(stored) || !isJsonObject(masked) || !Object.hasOwn(next, key)) return next;
  return { ...next, [key]: restoreAt(next[key], stored[key], masked[key], rest) };
}

/** Uses each stored element at most once, because two equal masked headers may hide different secrets. */
function restoreItems(next: unknown[], stored: unknown, masked: unknown, path: string[]): unknown[] {
  if (!Array.isArray(stored) || !Array.isArray(masked)) return next;
  const free = new Set(stored.keys());
  return next.map((item, position) => {
    const candidates = [position, ...free].filter((index) => free.has(index));
    const index = candidates.find((candidate) => isDeepStrictEqual(masked[candidate], item));
    if (index === undefined) return item;
    free.delete(index);
    return restoreAt(item, stored[index], masked[index], path);
  });
}

function refuseMask(value: unknown, path: string[], at: string, why: string): void {
  const [key, ...rest] = path;
  if (key === undefined) {
    if (value !== MASK) return;
    throw invalidField(at, `is ${MASK}, which stands for a stored secret: send the secret itself${why}`);
  }
  if (Array.isArray(value)) value.forEach((item, index) => void refuseMask(item, path, `${at}.${index}`, why));
  else if (isJsonObject(value) && Object.hasOwn(value, key)) refuseMask(value[key], rest, `${at}.${key}`, why);
}
