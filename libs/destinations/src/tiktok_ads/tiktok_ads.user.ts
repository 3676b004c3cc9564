import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';

/** Identifying fields are sent hashed, each in the normal form that TikTok compares. */
const HASHED: Readonly<Record<string, (text: string) => string>> = {
  email: kit.normalizedWord,
  phone: (text) => text.trim(),
  phone_number: (text) => text.trim(),
  external_id: (text) => text.trim(),
  first_name: kit.normalizedWord,
  last_name: kit.normalizedWord,
  zip_code: (text) => text.replace(/[^a-z0-9]/gi, ''),
};

/** Hashes single values or lists, unless the configuration states that they are already hashed. */
export function hashedIfPlain(person: JsonObject, config: JsonObject): JsonObject {
  if (config['hashUserProperties'] === false) return person;
  const hashed = (value: unknown, normalize: (text: string) => string): unknown =>
    Array.isArray(value)
      ? value.map((item) => hashed(item, normalize))
      : kit.sha256(normalize(String(value).slice(0, kit.NAME_LENGTH_MAX)));
  const entries = Object.entries(person).map(([key, value]) => {
    const normalize = kit.lookedUp(HASHED, key);
    return [key, normalize ? hashed(value, normalize) : value] as const;
  });
  return kit.objectOf(entries);
}

/** The TikTok id or ids in `context.externalId`. */
export function externalIds(event: JsonObject): unknown {
  const given = kit.onlyArray(kit.valueAt(event, 'context.externalId'))?.filter(isJsonObject);
  return given?.find(({ type }) => type === 'tiktokExternalId')?.['id'];
}

/** `properties.contents` in TikTok's form, or built from the products. Undefined without both. */
export function contentsOf(
  { contents, products }: JsonObject,
  contentOf: (product: JsonObject) => JsonObject,
): JsonObject[] | undefined {
  if (kit.isGiven(contents)) return [contents].flat().filter(isJsonObject);
  return Array.isArray(products) ? products.filter(isJsonObject).map(contentOf) : undefined;
}
