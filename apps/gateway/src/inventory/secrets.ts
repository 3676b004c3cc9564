import { isDeepStrictEqual } from 'node:util';
import { invalidField, isJsonObject, type JsonObject } from '@weir/contracts';

/** What a secret looks like to everybody but admins. */
export const MASK = '***';

/**
 * Secrets of a configuration, named by the definition's `secretKeys`: dotted paths that go through every element of an
 * array on their way (`headers.to` is the `to` of each header).
 */
export function maskSecrets(config: JsonObject, secretKeys: readonly string[]): JsonObject {
  return secretKeys.reduce((masked, key) => maskAt(masked, key.split('.')) as JsonObject, config);
}

function maskAt(value: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined) return isEmpty(value) ? value : MASK;
  if (Array.isArray(value)) return value.map((item) => maskAt(item, [key, ...rest]));
  if (!isJsonObject(value) || !Object.hasOwn(value, key)) return value;
  return { ...value, [key]: maskAt(value[key], rest) };
}

/** An empty secret is no secret, and shows that it is still to be filled in. */
const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

/**
 * Puts stored secrets where the caller sent back the mask that it was shown. An element of an array keeps its secret when
 * it is otherwise unchanged, wherever it moved to. Throws `invalid` where nothing stored belongs to a mask.
 */
export function restoreSecrets(next: JsonObject, stored: JsonObject, secretKeys: readonly string[]): JsonObject {
  const masked = maskSecrets(stored, secretKeys);
  const restored = secretKeys.reduce(
    (config, key) => restoreAt(config, stored, masked, key.split('.')) as JsonObject,
    next,
  );
  for (const key of secretKeys) refuseMask(restored, key.split('.'), 'config');
  return restored;
}

function restoreAt(next: unknown, stored: unknown, masked: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined) return next === MASK && !isEmpty(stored) ? stored : next;
  if (Array.isArray(next)) return restoreItems(next, stored, masked, [key, ...rest]);
  if (!isJsonObject(next) || !isJsonObject(stored) || !isJsonObject(masked) || !Object.hasOwn(next, key)) return next;
  return { ...next, [key]: restoreAt(next[key], stored[key], masked[key], rest) };
}

/** Each stored element serves one element at most: two equal masked headers may hide two different secrets. */
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

function refuseMask(value: unknown, path: string[], at: string): void {
  const [key, ...rest] = path;
  if (key === undefined) {
    if (value === MASK) throw invalidField(at, `is ${MASK}, which stands for a stored secret: send the secret itself`);
    return;
  }
  if (Array.isArray(value)) value.forEach((item, index) => void refuseMask(item, path, `${at}.${index}`));
  else if (isJsonObject(value) && Object.hasOwn(value, key)) refuseMask(value[key], rest, `${at}.${key}`);
}

/** A secret that was stored for one address must not follow a configuration to another (security-reliability 3.2 point 8). */
export function isSameAddress(next: JsonObject, stored: JsonObject, addressKeys: readonly string[]): boolean {
  return addressKeys.every((key) => originOf(next[key]) === originOf(stored[key]));
}

const originOf = (value: unknown): string | undefined =>
  typeof value === 'string' && URL.canParse(value) ? new URL(value).origin : JSON.stringify(value);
