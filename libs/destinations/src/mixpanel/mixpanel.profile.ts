import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';
import { ANDROID, APPLE, NAMES, NAMES_BEFORE, PROFILE, PROFILE_CONTEXT } from './mixpanel.fields.js';

const APPLE_SYSTEMS = ['ios', 'watchos', 'ipados', 'tvos'];

/** The profile operations of an identify, with `$set` last. Mixpanel takes one operation per update. */
export function profileUpdates(event: JsonObject, config: JsonObject): [operation: string, values: JsonObject][] {
  // `structuredClone` builds a hidden class for each new key, see `merged`
  const traits = JSON.parse(JSON.stringify(kit.mergedTraits(event))) as JsonObject;
  const take = (list: string) => takeOut(traits, kit.configWords(config, list, 'property'));
  const once = take('setOnceProperties');
  const union = Object.entries(take('unionProperties')).map(([key, value]) => [key, [value].flat()] as const);
  const append = take('appendProperties');
  const updates: [string, JsonObject][] = [
    ['$set_once', profileOf(once, NAMES)],
    ['$union', kit.objectOf(union)],
    ['$append', append],
  ];
  const set = kit.merged(
    kit.mapFields(event, PROFILE_CONTEXT),
    profileOf(traits, kit.isOn(config, 'useNewMapping') ? NAMES : NAMES_BEFORE),
    nameOf(traits),
    deviceOf(event),
    browserOf(event),
  );
  return [...updates.filter(([, values]) => !kit.isEmpty(values)), ['$set', set]];
}

/** Removes and returns the traits at these paths that have a value. */
function takeOut(traits: JsonObject, paths: readonly string[]): JsonObject {
  const taken: JsonObject = {};
  for (const path of paths) {
    const value = kit.valueAt(traits, path);
    if (value === undefined || value === null) continue;
    kit.setAt(taken, path, value);
    const parent = path.includes('.') ? kit.objectAt(traits, path.slice(0, path.lastIndexOf('.'))) : traits;
    delete parent[path.slice(path.lastIndexOf('.') + 1)];
  }
  return taken;
}

/** Renames known traits to Mixpanel's names. The others keep theirs. */
function profileOf(traits: JsonObject, names: kit.Mapping): JsonObject {
  const known = { ...PROFILE, ...names };
  const paths = Object.values(known).flatMap((source) => source as string | string[]);
  const { address } = traits;
  const rest = isJsonObject(address)
    ? { address: kit.withoutEmpty(kit.omit(address, ['country', 'city', 'state', 'region'])) }
    : {};
  const others = kit.merged(kit.omit(traits, paths), rest);
  if (isJsonObject(others['address']) && kit.isEmpty(others['address'])) delete others['address'];
  return kit.merged(kit.mapFields(traits, known), others);
}

function nameOf(traits: JsonObject): JsonObject {
  const { $first_name: first, $last_name: last } = kit.mapFields(traits, NAMES);
  return traits['name'] || !first || !last ? {} : { $name: `${first} ${last}` };
}

function deviceOf(event: JsonObject): JsonObject {
  const type = (kit.textAt(event, 'context.device.type') ?? '').toLowerCase();
  const token = kit.textAt(event, 'context.device.token');
  if (type === 'android') return { ...kit.mapFields(event, ANDROID), ...(token && { $android_devices: [token] }) };
  if (APPLE_SYSTEMS.includes(type)) return { ...kit.mapFields(event, APPLE), ...(token && { $ios_devices: [token] }) };
  return {};
}

export function browserOf(event: JsonObject): JsonObject {
  if (event['channel'] !== 'web') return {};
  const { browser, browserVersion } = kit.parseUserAgent(kit.valueAt(event, 'context.userAgent'));
  return kit.compact({ $browser: browser, $browser_version: browserVersion });
}
