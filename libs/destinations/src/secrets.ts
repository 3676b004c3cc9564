import { isJsonObject, type JsonObject } from '@weir/contracts';

const MASK = '***';

/** Shorter ones are hidden where they are the whole value only: inside texts and keys they would hit half of any payload. */
const PART_LENGTH_MIN = 4;

/** The texts that a configuration holds under its secret keys (`apiKey`, or `headers.to` for each element of `headers`). */
export function secretValues(config: JsonObject, secretKeys: readonly string[]): string[] {
  const found = secretKeys.flatMap((path) => valuesAt(config, path.split('.')));
  return [...new Set(found.filter((value) => typeof value === 'string' && value !== ''))].map(String);
}

function valuesAt(value: unknown, [key, ...rest]: string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, key === undefined ? [] : [key, ...rest]));
  if (key === undefined) return [value];
  return isJsonObject(value) ? valuesAt(value[key], rest) : [];
}

/** The same value with every secret shown as `***`, wherever it stands in a text or key, also escaped for JSON or a URL. */
export function maskSecrets<T>(value: T, secrets: readonly string[]): T {
  const forms = new Set(secrets.flatMap((secret) => [secret, jsonEscaped(secret), encodeURIComponent(secret)]));
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return longestFirst.length === 0 ? value : (masked(value, longestFirst) as T);
}

const jsonEscaped = (text: string) => JSON.stringify(text).slice(1, -1);

function masked(value: unknown, secrets: string[]): unknown {
  if (typeof value === 'string') return maskedText(value, secrets);
  if (Array.isArray(value)) return value.map((item) => masked(item, secrets));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [maskedParts(key, secrets), masked(inner, secrets)]),
  );
}

const maskedText = (text: string, secrets: string[]) => (secrets.includes(text) ? MASK : maskedParts(text, secrets));

function maskedParts(text: string, secrets: string[]): string {
  const parts = secrets.filter(({ length }) => length >= PART_LENGTH_MIN);
  return parts.reduce((soFar, secret) => soFar.replaceAll(secret, MASK), text);
}

/** The configuration without what stands under its secret keys. */
export function withoutSecrets(config: JsonObject, secretKeys: readonly string[]): JsonObject {
  return secretKeys.reduce((rest, path) => withoutPath(rest, path.split('.')) as JsonObject, config);
}

function withoutPath(value: unknown, [key = '', ...rest]: string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutPath(item, [key, ...rest]));
  if (!isJsonObject(value) || !(key in value)) return value;
  const { [key]: inner, ...others } = value;
  return rest.length === 0 ? others : { ...others, [key]: withoutPath(inner, rest) };
}
