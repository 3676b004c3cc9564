import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';
import { browserOf, deviceOf, named, profileOf } from './mixpanel.fields.js';

/** One update of a profile. Mixpanel takes one operation at a time. */
export type Update = [operation: string, values: JsonObject];

/** The updates of an identify, with `$set` last. A trait that an operation takes is in no later one. */
export function profileUpdates(event: JsonObject, config: JsonObject): Update[] {
  // `structuredClone` builds a hidden class for each new key, see `merged`
  const copyAt = (path: string) => JSON.parse(JSON.stringify(kit.objectAt(event, path))) as JsonObject;
  const [own, inContext] = [copyAt('traits'), copyAt('context.traits')];
  const take = (list: string) => named(takeOut([own, inContext], kit.configWords(config, list, 'property')));
  const updates: Update[] = [
    ['$set_once', take('setOnceProperties')],
    ['$union', asLists(take('unionProperties'))],
    ['$append', take('appendProperties')],
  ];
  const context = { ...kit.objectAt(event, 'context'), traits: inContext };
  const profile = profileOf({ ...event, traits: own, context });
  const set = kit.merged(
    kit.isOn(config, 'useNewMapping') ? profile : withOlderNames(profile),
    deviceOf(event),
    browserOf(event),
  );
  return [...updates.filter(([, values]) => !kit.isEmpty(values)), ['$set', set]];
}

const asLists = (values: JsonObject) =>
  kit.objectOf(Object.entries(values).map(([key, value]) => [key, Array.isArray(value) ? value : [value]]));

function withOlderNames({ $first_name, $last_name, ...profile }: JsonObject): JsonObject {
  return kit.merged(profile, kit.compact({ $firstName: $first_name, $lastName: $last_name }));
}

/** Removes the traits at these paths that have a value. Returns the values under the last parts of the paths. */
function takeOut(traits: readonly JsonObject[], paths: readonly string[]): JsonObject {
  const taken: [string, unknown][] = [];
  for (const path of paths) {
    const found = traits.map((each) => kit.valueAt(each, path)).find(kit.isGiven);
    if (isBlank(found)) continue;
    const [parent, key] = [path.slice(0, Math.max(0, path.lastIndexOf('.'))), path.slice(path.lastIndexOf('.') + 1)];
    taken.push([key, found]);
    for (const each of traits) {
      const holder = parent === '' ? each : kit.valueAt(each, parent);
      if (isJsonObject(holder)) delete holder[key];
    }
  }
  return kit.objectOf(taken);
}

const isBlank = (value: unknown) => kit.isEmpty(value) || (typeof value === 'string' && value.trim() === '');

/** The revenue of a track event is a transaction of the profile. */
export function revenue(event: JsonObject): Update[] {
  const amount = kit.valueAt(event, 'properties.revenue');
  if (!amount) return [];
  const [time] = kit.TIMESTAMP.map((path) => kit.toIso(kit.valueAt(event, path))).filter(Boolean);
  if (time === undefined) kit.refuse('neither timestamp nor originalTimestamp is a time');
  return [['$append', { $transactions: { $time: time, $amount: amount } }]];
}

/** Properties of a track event that the profile adds up. */
export function increments(event: JsonObject, config: JsonObject): Update[] {
  const names = kit.configWords(config, 'propIncrements', 'property');
  const added = kit.pick(kit.only(kit.objectAt(event, 'properties'), names), Boolean);
  return kit.isEmpty(added) ? [] : [['$add', added]];
}

/** The groups of an event by the configured keys, with every value of each. */
export function groupsOf(event: JsonObject, config: JsonObject): { key: string; values: unknown[] }[] {
  const keys = kit.configWords(config, 'groupKeySettings', 'groupKey');
  if (keys.length === 0) kit.refuse('groupKeySettings names no group key');
  const found = keys.map((key) => {
    const value = kit.firstAt(event, key === 'groupId' ? ['groupId', 'traits.groupId'] : [`traits.${key}`]);
    return { key, values: value ? [value].flat().filter(kit.isGiven) : [] };
  });
  const given = found.filter(({ values }) => values.length > 0);
  if (given.length === 0) kit.refuse('the traits hold none of the group keys of groupKeySettings');
  return given;
}
