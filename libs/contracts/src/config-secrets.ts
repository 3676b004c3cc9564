import { isJsonObject, type JsonObject } from './ids.js';

/** What a secret looks like to everybody but admins. */
export const MASK = '***';

/**
 * The configuration with each secret changed; undefined removes it. Secrets are named by the definition's `secretKeys`: dotted
 * paths that go through every element of an array on their way (`headers.to` is the `to` of each header).
 */
export function mapSecrets(
  config: JsonObject,
  secretKeys: readonly string[],
  change: (secret: unknown) => unknown,
): JsonObject {
  return secretKeys.reduce((changed, path) => changeAt(changed, path.split('.'), change) as JsonObject, config);
}

function changeAt(value: unknown, path: string[], change: (secret: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  if (Array.isArray(value)) return value.map((item) => changeAt(item, path, change));
  if (!isJsonObject(value) || !Object.hasOwn(value, key)) return value;
  const { [key]: inner, ...others } = value;
  const changed = changeAt(inner, rest, change);
  return changed === undefined ? others : { ...value, [key]: changed };
}

/** An empty secret is no secret, and shows that it is still to be filled in. */
export const isEmptySecret = (value: unknown): boolean => value === undefined || value === null || value === '';

/** As everybody but admins sees it. */
export const maskedConfig = (config: JsonObject, secretKeys: readonly string[]): JsonObject =>
  mapSecrets(config, secretKeys, (secret) => (isEmptySecret(secret) ? secret : MASK));

export const withoutSecrets = (config: JsonObject, secretKeys: readonly string[]): JsonObject =>
  mapSecrets(config, secretKeys, () => undefined);

/** The texts that a configuration holds under its secret keys; numbers as texts. */
export function secretValues(config: JsonObject, secretKeys: readonly string[]): string[] {
  const found: unknown[] = [];
  mapSecrets(config, secretKeys, (secret) => {
    found.push(secret);
    return secret;
  });
  return [...new Set(found.flatMap(textsIn))];
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return value === '' ? [] : [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
