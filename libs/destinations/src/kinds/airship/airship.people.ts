import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/** Attributes that every Airship project has, https://docs.airship.com/guides/audience/attributes/#default-attributes */
const PREDEFINED: Readonly<Record<string, string>> = {
  name: 'full_name',
  firstName: 'first_name',
  lastName: 'last_name',
  phone: 'mobile_phone',
  createdAt: 'account_creation',
  'address.city': 'city',
  'address.state': 'region',
  'address.postalcode': 'zipcode',
  'address.country': 'country',
};
/** Numbers are epochs in seconds, milliseconds or microseconds, by how many digits they have. */
const MS_PER_UNIT: Readonly<Record<number, number>> = { 10: 1_000, 13: 1, 16: 0.001 };

/** Airship allows no dots in names. */
const nameOf = (path: string) => path.replaceAll('.', '_');

/** The traits of the event, or else of its context, with dotted paths. */
export function flatTraits(event: JsonObject): JsonObject {
  const traits = kit.objectAt(event, event['traits'] ? 'traits' : 'context.traits');
  if (kit.isEmpty(traits)) kit.refuse('the event has no traits');
  return kit.flatten(traits);
}

/** Tags to add, from traits that are true, and tags to remove, from those that are false. */
export function tagsOf(traits: JsonObject, group: string): JsonObject {
  const those = (wanted: boolean) => {
    const names = Object.keys(traits).filter((path) => traits[path] === wanted);
    return names.length > 0 ? { [group]: names.map((path) => nameOf(path.toLowerCase())) } : {};
  };
  return kit.withoutEmpty({ add: those(true), remove: those(false) });
}

/** All other traits as attributes. `integrations.Airship` sets whole objects and removes attributes. */
export function attributesOf(event: JsonObject, config: JsonObject, traits: JsonObject): JsonObject[] {
  const timestamp = airshipTime(kit.firstAt(event, kit.TIMESTAMP));
  const { JSONAttributes: objects, removeAttributes: removed } = kit.integrationOptions(event, 'airship');
  const set = ([key, value]: [string, unknown]) => ({ action: 'set', key, value, timestamp });
  const ofObjects = Object.entries(isJsonObject(objects) ? objects : {});
  if (ofObjects.some(([, value]) => Array.isArray(value))) kit.refuse('JSONAttributes must be objects, not lists');
  const isTaken = taken(ofObjects.map(([key]) => key));
  const times = new Set(kit.configWords(config, 'timestampAttributes', 'timestampAttribute'));
  const plain = Object.entries(traits)
    .filter(([path, value]) => typeof value !== 'boolean' && !isTaken(path))
    .map(([path, value]): [string, unknown] => [
      kit.lookedUp(PREDEFINED, path) ?? kit.lookedUp(PREDEFINED, path.toLowerCase()) ?? nameOf(path),
      times.has(path) && kit.isGiven(value) ? airshipTime(value) : value,
    ]);
  const keys = Array.isArray(removed) ? removed.filter((key) => typeof key === 'string') : [];
  return [...[...plain, ...ofObjects].map(set), ...keys.map((key) => ({ action: 'remove', key, timestamp }))];
}

/** Whether a nested trait is part of an object that comes from the integrations, such as `car.doors` of `car#1`. */
function taken(keys: readonly string[]): (path: string) => boolean {
  const joined = keys.join('\n');
  return (path) => keys.length > 0 && /[.[]/.test(path) && joined.includes(path.split(/[[\]_]/, 1)[0] ?? path);
}

/** `2026-01-31T10:00:00Z`. Airship refuses all attributes for one time that it cannot read. */
function airshipTime(value: unknown): string {
  const isEpoch = typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
  const unit = isEpoch ? MS_PER_UNIT[String(value).length] : undefined;
  const at = isEpoch ? unit && new Date(Number(value) * unit).toISOString() : value;
  return kit.toIsoSeconds(at) ?? kit.refuse('the event needs a timestamp, and its times must be readable');
}
