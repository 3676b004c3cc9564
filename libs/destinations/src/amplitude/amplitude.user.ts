import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';
import { PLACE_TRAITS } from './amplitude.fields.js';

/** Lists of the configuration, with the operation for their traits. */
const OPERATIONS = {
  traitsToIncrement: '$add',
  traitsToSetOnce: '$setOnce',
  traitsToAppend: '$append',
  traitsToPrepend: '$prepend',
} as const;

/** The campaign and referrer of the user. */
export function attribution(event: JsonObject): JsonObject {
  const campaign = Object.entries(kit.objectAt(event, 'context.campaign'));
  const referrer = {
    initial_referrer: kit.textAt(event, 'context.page.initial_referrer'),
    initial_referring_domain: kit.textAt(event, 'context.page.initial_referring_domain'),
  };
  return kit.compact(kit.merged(referrer, kit.objectOf(campaign.map(([key, value]) => [`utm_${key}`, value]))));
}

/** User properties of all events except identify: the traits, without the place fields that the event already has. */
export function propertiesOf(event: JsonObject): JsonObject {
  const traits = kit.omit(kit.objectAt(event, 'context.traits'), PLACE_TRAITS);
  const { address } = traits;
  const place = isJsonObject(address) ? { address: kit.omit(address, PLACE_TRAITS) } : {};
  return kit.merged(attribution(event), traits, place);
}

/** User properties of an identify: the traits with the address spread out, and the configured operations. */
export function identified(event: JsonObject, config: JsonObject): JsonObject {
  const given = kit.traitsOf(event);
  const { address } = given;
  const spread = isJsonObject(address) ? address : kit.compact({ address });
  const traits = kit.omit(kit.merged(spread, kit.omit(given, ['address'])), [...PLACE_TRAITS, 'os_version']);
  const operations: JsonObject = {};
  for (const [list, operation] of Object.entries(OPERATIONS)) {
    const names = kit.configWords(config, list, 'traits').filter((name) => Object.hasOwn(traits, name));
    if (names.length > 0) operations[operation] = kit.objectOf(names.map((name) => [name, traits[name]]));
    for (const name of names) delete traits[name];
  }
  const unset = fieldsToUnset(event);
  if (unset.length > 0) operations['$unset'] = kit.objectOf(unset.map((name) => [name, '-']));
  const plain = kit.merged(attribution(event), traits, mappedIdentity(event));
  return kit.isOn(config, 'enableEnhancedUserOperations') && !kit.isEmpty(plain)
    ? { $set: plain, ...operations }
    : kit.merged(plain, operations);
}

function fieldsToUnset(event: JsonObject): string[] {
  const { fieldsToUnset: names } = kit.integrationOptions(event, 'amplitude', 'am');
  return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string' && name !== '') : [];
}

/** An event created for this destination names the user by an identifier of Amplitude. */
export function mappedIdentity(event: JsonObject): JsonObject {
  if (!kit.valueAt(event, 'context.mappedToDestination')) return {};
  const [type, id] = [
    kit.textAt(event, 'context.externalId.0.identifierType'),
    kit.textAt(event, 'context.externalId.0.id'),
  ];
  return type && id ? { [type]: id } : {};
}
