import { isJsonObject, type JsonObject } from './ids.js';

/** Shown in place of a secret to everybody except admins. */
export const MASK = '***';

/**
 * Returns the configuration with `change` applied to each secret. A result of undefined removes the secret. `secretKeys` of the
 * definition names the secrets by dotted path. A path goes through every element of an array (`headers.to` is the `to` of each
 * header).
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

/** An empty value is not a secret. It stays visible, so that users see that it is still missing. */
export const isEmptySecret = (value: unknown): boolean => value === undefined || value === null || value === '';

/** The configuration as everybody except admins sees it. */
export const maskedConfig = (config: JsonObject, secretKeys: readonly string[]): JsonObject =>
  mapSecrets(config, secretKeys, (secret) => (isEmptySecret(secret) ? secret : MASK));

export const withoutSecrets = (config: JsonObject, secretKeys: readonly string[]): JsonObject =>
  mapSecrets(config, secretKeys, () => undefined);

/** The texts that a configuration holds under its secret keys, without duplicates. Numbers are converted to texts. */
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
