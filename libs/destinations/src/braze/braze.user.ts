import { isJsonObject, type JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';
import { ATTRIBUTES, READ_TRAITS } from './braze.fields.js';

/** The user of an attribute, event or purchase: an external id, or an alias with the anonymous id. */
export function identityOf(event: JsonObject): JsonObject {
  const externalId = externalIdOf(event);
  if (externalId) return { external_id: externalId };
  const alias = aliasOf(event);
  if (!alias) kit.refuse('the event needs a userId or an anonymousId');
  return { _update_existing_only: false, user_alias: alias };
}

/** An id given for Braze takes precedence over the user id. */
export function externalIdOf(event: JsonObject): string | undefined {
  const isMapped = Boolean(kit.valueAt(event, 'context.mappedToDestination'));
  const mapped = kit.valueAt(event, 'context.externalId.0.identifierType') === 'external_id';
  if (isMapped && mapped) return kit.textAt(event, 'context.externalId.0.id');
  return kit.externalId(event, 'brazeExternalId') ?? kit.textAt(event, 'userId');
}

export function aliasOf(event: JsonObject): JsonObject | undefined {
  const { alias } = kit.integrationOptions(event, 'braze');
  if (isJsonObject(alias) && alias['alias_name'] && alias['alias_label']) return alias;
  const anonymousId = kit.textAt(event, 'anonymousId');
  return anonymousId ? { alias_name: anonymousId, alias_label: kit.SENDER.aliasLabel } : undefined;
}

/** The traits as attributes. Null is kept, because it removes an attribute at Braze. Undefined without attributes. */
export function attributesOf(event: JsonObject, config: JsonObject): JsonObject | undefined {
  const traits = kit.traitsOf(event);
  const custom = Object.entries(kit.omit(traits, READ_TRAITS)).map(
    ([key, value]) => [key, nested(value, config)] as const,
  );
  const attributes = kit.merged(kit.objectOf(custom), kit.mapFields(traits, ATTRIBUTES));
  if (kit.isEmpty(attributes)) return undefined;
  const hasOperations = Object.values(attributes).some(
    (value) => isJsonObject(value) && ('$update' in value || '$add' in value || '$remove' in value),
  );
  const merge = kit.firstAt(event, [
    'properties.mergeObjectsUpdateOperation',
    ...kit.trait('mergeObjectsUpdateOperation'),
  ]);
  return kit.merged(attributes, hasOperations ? { _merge_objects: merge ?? false } : {}, identityOf(event));
}

/**
 * Converts `{ add, update, remove }` to operations of
 * https://www.braze.com/docs/user_guide/data/custom_data/custom_attributes/array_of_objects
 */
function nested(value: unknown, config: JsonObject): unknown {
  if (!kit.isOn(config, 'enableNestedArrayOperations') || !isJsonObject(value)) return value;
  const { add, update, remove, ...others } = value;
  if (![add, update, remove].some((list) => Array.isArray(list))) return value;
  return {
    ...others,
    ...(Array.isArray(add) && { $add: add }),
    ...(Array.isArray(update) && { $update: update.filter(isJsonObject).map((item) => element(item, true)) }),
    ...(Array.isArray(remove) && { $remove: remove.filter(isJsonObject).map((item) => element(item, false)) }),
  };
}

/** `identifier` names the key that identifies an element of the list. */
function element({ identifier, ...item }: JsonObject, withObject: boolean): JsonObject {
  const key = String(identifier ?? 'id');
  return {
    $identifier_key: key,
    $identifier_value: item[key],
    ...(withObject && { $new_object: kit.omit(item, [key]) }),
  };
}
