import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';
import { options, withoutDeviceTraits } from './amplitude.event.js';

/** The event with the identifier of Amplitude by which a sync names the user, among its traits. */
export function withMappedIdentity(event: JsonObject): JsonObject {
  if (!kit.valueAt(event, 'context.mappedToDestination')) return event;
  const type = kit.textAt(event, 'context.externalId.0.identifierType');
  const id = kit.valueAt(event, 'context.externalId.0.id');
  if (!type || !kit.isGiven(id)) return event;
  const named = { ...event, ...(type === 'user_id' && { userId: id }) };
  const traits = kit.merged(traitsOf(event), { [type]: id });
  if (isJsonObject(event['traits'])) return { ...named, traits };
  return { ...named, context: { ...kit.objectAt(event, 'context'), traits } };
}

/** The event's own traits, even if empty, or those of its context. */
export const traitsOf = (event: JsonObject): JsonObject =>
  kit.objectAt(event, isJsonObject(event['traits']) ? 'traits' : 'context.traits');

/** The campaign and referrer of the user. */
export function attribution(event: JsonObject): JsonObject {
  const { initial_referrer, initial_referring_domain } = kit.objectAt(event, 'context.page');
  const campaign = Object.entries(kit.objectAt(event, 'context.campaign'));
  return kit.merged(
    kit.compact({ initial_referrer, initial_referring_domain }),
    kit.objectOf(campaign.map(([key, value]) => [`utm_${key}`, value])),
  );
}

/** Types of events whose traits are user properties. */
export type UserEvent = 'identify' | 'track' | 'view';

/** The user properties of an identify, a track, a page or a screen. */
export function userProperties(event: JsonObject, config: JsonObject, type: UserEvent): JsonObject {
  const known = withoutDeviceTraits(event);
  const isIdentified = type === 'identify' || kit.isOn(config, 'enableEnhancedUserOperations');
  return finished(
    kit.merged(
      attribution(event),
      isIdentified ? identified(known, config) : {},
      type === 'identify' ? {} : traitsOf(known),
    ),
    config,
  );
}

const OPERATIONS = ['$setOnce', '$add', '$unset', '$append', '$prepend', '$preInsert', '$postInsert', '$remove'];

/**
 * With enhanced operations, everything that no operation holds is under `$set`. Without them the place is left out, because the
 * event has it.
 */
export function finished(properties: JsonObject, config: JsonObject): JsonObject {
  const operations = kit.only(properties, OPERATIONS);
  if (kit.isOn(config, 'enableEnhancedUserOperations')) {
    const held = (key: string) => Object.values(operations).some((values) => isJsonObject(values) && values[key]);
    return { $set: kit.pick(kit.omit(properties, OPERATIONS), (_, key) => !held(key)), ...operations };
  }
  const { address, ...rest } = kit.omit(properties, PLACE);
  if (address === undefined) return rest;
  return { ...rest, address: isJsonObject(address) ? kit.omit(address, PLACE) : address };
}

const PLACE = ['city', 'country'];

/** Parts of an address that are user properties of their own. */
const ADDRESS = ['city', 'country', 'postalCode', 'state', 'street'];

/** The traits, with the parts of the address spread out, and the configured operations. */
function identified(event: JsonObject, config: JsonObject): JsonObject {
  const [traits, operations] = operated(traitsOf(event), config);
  const { fieldsToUnset } = options(event);
  const unset = Array.isArray(fieldsToUnset) ? fieldsToUnset.filter((name) => typeof name === 'string') : undefined;
  return kit.merged(
    kit.only(kit.objectAt(traits, 'address'), ADDRESS),
    kit.objectAt(event, 'userProperties'),
    kit.omit(traits, ['address']),
    operations,
    unset ? { $unset: kit.objectOf(unset.map((name) => [name, '-'])) } : {},
  );
}

/** Lists of the configuration, with the operation for their traits. */
const LISTS = {
  traitsToIncrement: '$add',
  traitsToSetOnce: '$setOnce',
  traitsToAppend: '$append',
  traitsToPrepend: '$prepend',
} as const;

/** The traits without those that a list names, and these under their operation. The first list that names a trait takes it. */
function operated(given: JsonObject, config: JsonObject): [traits: JsonObject, operations: JsonObject] {
  // `structuredClone` builds a hidden class for each new key, see `merged`
  const traits = JSON.parse(JSON.stringify(given)) as JsonObject;
  const operations: JsonObject = {};
  for (const [list, operation] of Object.entries(LISTS)) {
    const names = kit.configWords(config, list, 'traits');
    if (names.length === 0) continue;
    const taken = names.map((name) => [name, takeOut(traits, name)] as const);
    operations[operation] = kit.objectOf(taken.filter(([, value]) => value !== undefined));
  }
  return [traits, operations];
}

/** Removes and returns the value under a name or at a dotted path. */
function takeOut(traits: JsonObject, path: string): unknown {
  const at = Object.hasOwn(traits, path) ? -1 : path.lastIndexOf('.');
  const parent = at < 0 ? traits : kit.valueAt(traits, path.slice(0, at));
  const key = path.slice(at + 1);
  if (!isJsonObject(parent) || !Object.hasOwn(parent, key)) return undefined;
  const value = parent[key];
  delete parent[key];
  return value;
}
