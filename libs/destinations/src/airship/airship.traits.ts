import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';

/** Attributes that every Airship project has, https://docs.airship.com/guides/audience/attributes/#default-attributes */
const PREDEFINED: Readonly<Record<string, string>> = {
  name: 'full_name',
  firstName: 'first_name',
  lastName: 'last_name',
  phone: 'mobile_phone',
  birthday: 'birthdate',
  createdAt: 'account_creation',
  address_city: 'city',
  address_state: 'region',
  address_postalCode: 'zipcode',
  address_country: 'country',
};

export interface Tags {
  add: string[];
  remove: string[];
}

/** Airship allows no dots in names. */
const nameOf = (path: string) => path.replaceAll('.', '_');

/** Traits with the value true become tags to add, those with false become tags to remove. */
export function tagsOf(traits: JsonObject): Tags {
  const named = (wanted: boolean) =>
    Object.keys(traits)
      .filter((key) => traits[key] === wanted)
      .map((key) => key.trim().toLowerCase().replace(/\s+/g, '_'));
  return { add: named(true), remove: named(false) };
}

/** All other traits, flattened, as attributes. Whole objects come from `integrations.Airship.JSONAttributes`. */
export function attributesOf(event: JsonObject, config: JsonObject, traits: JsonObject): JsonObject[] {
  const timestamp = kit.toIsoSeconds(kit.firstAt(event, kit.TIMESTAMP));
  const times = new Set(kit.configWords(config, 'timestampAttributes', 'timestampAttribute'));
  const objects = Object.entries(kit.objectAt(kit.integrationOptions(event, 'airship'), 'JSONAttributes'));
  const taken = new Set(objects.map(([key]) => baseOf(key)));
  const flat = Object.entries(kit.flatten(traits)).filter(
    ([, value]) => typeof value !== 'boolean' && !kit.isEmpty(value),
  );
  const plain = flat
    .map(([path, value]): [string, unknown] => {
      const key = nameOf(path);
      return [
        kit.lookedUp(PREDEFINED, key) ?? key,
        times.has(path) || times.has(key) ? (kit.toIsoSeconds(value) ?? value) : value,
      ];
    })
    .filter(([key]) => !taken.has(baseOf(key)));
  const json = objects.filter(([, value]) => isJsonObject(value));
  return [...plain, ...json].map(([key, value]) => kit.compact({ action: 'set', key, value, timestamp }));
}

/** `company[a]`, `company#id` and `company.a` all belong to `company`. */
const baseOf = (key: string) => key.split(/[[#.]/)[0] ?? key;
