import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

const GENDERS = {
  ...{ woman: 'F', female: 'F', w: 'F', f: 'F' },
  ...{ man: 'M', male: 'M', m: 'M' },
  ...{ other: 'O', o: 'O' },
};

/** Attributes with their own names at Braze, https://www.braze.com/docs/api/objects_filters/user_attributes_object */
const ATTRIBUTES: kit.Mapping = {
  country: 'address.country',
  home_city: 'address.city',
  dob: { from: 'birthday', as: dateOfBirth },
  first_name: 'firstName',
  last_name: 'lastName',
  image_url: 'avatar',
  phone: 'phone',
  gender: { from: 'gender', as: kit.oneOf(GENDERS) },
};
/** Traits that only the table sends. Every other trait is a custom attribute under its own name. */
const READ_TRAITS = ['address', 'birthday', 'email', 'firstName', 'gender', 'avatar', 'lastName', 'phone'];

/** The user of an attribute, event or purchase: an external id, or an alias with the anonymous id. */
export function identityOf(event: JsonObject): JsonObject {
  const externalId = externalIdOf(event);
  if (externalId) return { external_id: externalId };
  const alias = aliasOf(event);
  if (!alias) kit.refuse('the event needs a userId or an anonymousId');
  return { _update_existing_only: false, user_alias: alias };
}

/** An id given for Braze takes precedence over the user id. */
export const externalIdOf = (event: JsonObject): string | undefined =>
  kit.externalId(event, 'brazeExternalId') ?? userIdOf(event);

/** A profile that a reverse ETL source maps is identified by its external id, whatever the id is called there. */
export function userIdOf(event: JsonObject): string | undefined {
  const isMapped = kit.toLowerCase(event['type']) === 'identify' && isMappedToBraze(event);
  return kit.textAt(event, isMapped ? ['context.externalId.0.id', 'userId'] : 'userId');
}

const isMappedToBraze = (event: JsonObject) => Boolean(kit.valueAt(event, 'context.mappedToDestination'));

export function aliasOf(event: JsonObject): JsonObject | undefined {
  const { alias } = kit.integrationOptions(event, 'braze');
  const { alias_name, alias_label } = isJsonObject(alias) ? alias : {};
  if (kit.isGiven(alias_name) && kit.isGiven(alias_label)) return { alias_name, alias_label };
  const anonymousId = kit.textAt(event, 'anonymousId');
  return anonymousId ? { alias_name: anonymousId, alias_label: kit.SENDER.aliasLabel } : undefined;
}

/** The traits as attributes. Null is kept, because it removes an attribute at Braze. Undefined without attributes. */
export function attributesOf(event: JsonObject, config: JsonObject): JsonObject | undefined {
  const traits = kit.givenTraits(event) ?? {};
  const attributes = isMappedToBraze(event) ? traits : namedAttributes(traits, event, config);
  return kit.isEmpty(attributes) ? undefined : kit.merged(attributes, identityOf(event));
}

/** Traits that already have the vendor's name win over the mapped ones. */
function namedAttributes(traits: JsonObject, event: JsonObject, config: JsonObject): JsonObject {
  const custom = kit.omit(traits, READ_TRAITS);
  const operations = kit.isOn(config, 'enableNestedArrayOperations') ? nestedOperations(custom, event) : {};
  // 0 and false are not names, places or dates
  const named = kit.pick(traits, (value) => Boolean(value));
  return kit.merged(kit.mapFields(named, ATTRIBUTES), emailOf(traits), clearedAttributes(traits), custom, operations);
}

/** Null clears these attributes, and so does a gender that Braze does not know. */
function clearedAttributes(traits: JsonObject): JsonObject {
  const { phone, gender } = traits;
  const isUnknown = Boolean(gender) && !Object.hasOwn(GENDERS, String(gender).toLowerCase());
  return {
    ...(phone === null && { phone }),
    ...((gender === null || isUnknown) && { gender: null }),
  };
}

/** Null clears the e-mail. 0 and false are refused too, because they are no texts. */
function emailOf({ email }: JsonObject): JsonObject {
  if (email === undefined || email === '') return {};
  if (email === null) return { email };
  return { email: kit.onlyText(email)?.toLowerCase() ?? kit.refuse('traits.email must be a text') };
}

/** Braze takes only days (`YYYY-MM-DD`). A text of another form goes on as it is. */
function dateOfBirth(value: unknown): unknown {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) ? value.slice(0, 10) : value;
}

/**
 * Attributes with `{ add, update, remove }` as operations of
 * https://www.braze.com/docs/user_guide/data/custom_data/custom_attributes/array_of_objects
 */
function nestedOperations(custom: JsonObject, event: JsonObject): JsonObject {
  const objects = Object.entries(custom).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
  const changed = objects.map(([key, value]) => [key, operationsOf(value)] as const);
  const hasUpdate = changed.some(([, value]) => '$update' in value);
  const merge = kit.valueAt(event, 'properties.mergeObjectsUpdateOperation') ?? false;
  return kit.merged(kit.objectOf(changed), hasUpdate ? { _merge_objects: merge } : {});
}

/** An update replaces the whole trait. The other operations stand beside its keys. */
function operationsOf(trait: JsonObject): JsonObject {
  const { add, update, remove } = trait;
  return {
    ...(Array.isArray(update) ? { $update: update.filter(isJsonObject).map(updateOf) } : trait),
    ...(Array.isArray(remove) && { $remove: remove.filter(isJsonObject).map(identifierOf) }),
    ...(Array.isArray(add) && { $add: add }),
  };
}

/** `identifier` names the key that identifies an element of the list. */
const identifierOf = ({ identifier, ...item }: JsonObject): JsonObject =>
  kit.compact({ $identifier_key: identifier, $identifier_value: kit.lookedUp(item, String(identifier)) });

const updateOf = ({ identifier, ...item }: JsonObject): JsonObject => ({
  ...identifierOf({ identifier, ...item }),
  $new_object: kit.omit(item, [String(identifier)]),
});
