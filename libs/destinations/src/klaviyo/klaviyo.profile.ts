import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';
import { PROFILE, PROFILE_V1, READ_TRAITS } from './klaviyo.fields.js';

const options = (event: JsonObject) => kit.integrationOptions(event, 'klaviyo');
const words = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((word) => typeof word === 'string' && word !== '') : [];

export const flattened = (properties: JsonObject, config: JsonObject): JsonObject =>
  kit.isOn(config, 'flattenProperties') ? kit.flatten(properties, { arrays: 'keep' }) : properties;

/** The traits of the person. Those of a group do not count. */
const traitsOf = (event: JsonObject): JsonObject =>
  event['type'] === 'identify' ? kit.mergedTraits(event) : kit.objectAt(event, 'context.traits');

/** The identity: the user id, or e-mail and phone with the user id as a property. */
function identity(event: JsonObject, config: JsonObject, traits: JsonObject): { external_id?: unknown; _id?: unknown } {
  const userId = kit.firstAt(event, kit.KNOWN_USER_ID);
  if (!kit.isOn(config, 'enforceEmailAsPrimary')) return kit.compact({ external_id: userId });
  if (!traits['email'] && !traits['phone']) kit.refuse('enforceEmailAsPrimary asks for an email or a phone');
  return kit.compact({ _id: userId });
}

/** Attributes of a profile, and changes to its lists. */
export function profileOf(event: JsonObject, config: JsonObject): { attributes: JsonObject; meta: JsonObject } {
  const traits = traitsOf(event);
  const { _id, ...id } = identity(event, config, traits);
  const patch = patchOf(event, traits);
  const patched = [...Object.keys(patch.append ?? {}), ...Object.keys(patch.unappend ?? {})];
  const { address } = traits;
  const custom = kit.omit(traits, [...READ_TRAITS, ...patched, ...(isJsonObject(address) ? ['address'] : [])]);
  const properties = kit.merged(flattened(custom, config), kit.compact({ _id }));
  return {
    attributes: {
      ...id,
      ...kit.compact({ anonymous_id: kit.textAt(event, 'anonymousId') }),
      ...kit.mapFields(traits, PROFILE),
      ...(!kit.isEmpty(properties) && { properties }),
    },
    meta: { patch_properties: patch },
  };
}

interface Patch {
  append?: JsonObject;
  unappend?: JsonObject;
  unset?: string[];
}

/** Reads `fieldsToAppend`, `fieldsToUnappend` and `fieldsToUnset` of the integrations object. */
function patchOf(event: JsonObject, traits: JsonObject): Patch {
  const { fieldsToAppend, fieldsToUnappend, fieldsToUnset } = options(event);
  const picked = (names: unknown) => kit.only(traits, words(names));
  const [append, unappend, unset] = [picked(fieldsToAppend), picked(fieldsToUnappend), words(fieldsToUnset)];
  return {
    ...(!kit.isEmpty(append) && { append }),
    ...(!kit.isEmpty(unappend) && { unappend }),
    ...(unset.length > 0 && { unset }),
  };
}

/** The customer of an event in the oldest revision. */
export function customerOf(event: JsonObject, config: JsonObject): JsonObject {
  const traits = traitsOf(event);
  const { external_id: $id, _id } = identity(event, config, traits);
  const custom = kit.omit(traits, [...READ_TRAITS, 'id']);
  const known = kit.merged(kit.mapFields(traits, PROFILE_V1), kit.compact({ $id }));
  return kit.merged(known, flattened(custom, config), kit.compact({ _id }));
}
