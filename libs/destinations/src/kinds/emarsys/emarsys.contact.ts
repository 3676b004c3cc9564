import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/** Emarsys' number of the field for the email address. */
export const EMAIL_FIELD = '3';

/** The property that a field of Emarsys holds, according to the mapping in the configuration. */
export function propertyOf(config: JsonObject, field: string): string | undefined {
  const mapped = fieldsOf(config).find(([, number]) => number === field)?.[0];
  return mapped ?? (field === EMAIL_FIELD ? 'email' : undefined);
}

/** Pairs of a property and the number of the field that holds it. */
const fieldsOf = (config: JsonObject): [property: string, field: string][] =>
  kit
    .configList(config, 'fieldMapping')
    .map(({ rudderProperty, emersysProperty }): [string, string] => [textOf(rudderProperty), textOf(emersysProperty)])
    .filter(([property, field]) => property !== '' && field !== '');

const textOf = (value: unknown) => kit.toText(kit.onlyId(value))?.trim() ?? '';

/** Options of an event: the field that identifies the contact, the list, and the id of a trigger. */
export const optionsOf = (event: JsonObject): JsonObject => kit.integrationOptions(event, 'EMARSYS');

/** The value that identifies the contact of an event, and its field at Emarsys. */
export interface ContactKey {
  /** A number only by default, as existing senders have it. */
  key_id: string | number;
  value: string | number;
}

export function contactKey(event: JsonObject, config: JsonObject): ContactKey {
  const given = textOf(optionsOf(event)['customIdentifierId']) || kit.configText(config, 'emersysCustomIdentifier');
  const property =
    propertyOf(config, given || EMAIL_FIELD) ?? kit.refuse(`fieldMapping has no property for field ${given}`);
  const value = kit.onlyId(traitOf(event, property));
  if (value === undefined || !kit.isGiven(value))
    kit.refuse(`Emarsys knows its contacts by ${property}, which the event does not give`);
  return { key_id: given || Number(EMAIL_FIELD), value };
}

/** A trait of the event or of its context. The ids of a user are beside the traits. */
const OF_EVENT = ['userId', 'anonymousId'];
function traitOf(event: JsonObject, property: string): unknown {
  const paths = kit.trait(property);
  return kit.firstAt(event, OF_EVENT.includes(property) ? [...paths, property] : paths);
}

/** The fields of a contact that have a value. Empty values clear a field, unless the configuration leaves them out. */
export function contactFields(event: JsonObject, config: JsonObject): JsonObject {
  const isFull = kit.isOn(config, 'discardEmptyProperties');
  const traits = kit.mergedTraits(event);
  const entries = fieldsOf(config).map(([property, field]) => {
    const value = traitOf(event, property);
    return [field, value ?? (isFull ? undefined : kit.valueAt(traits, property))] as const;
  });
  return kit.objectOf(entries.filter(([, value]) => value !== undefined && isField(value)));
}

/** Emarsys has texts, numbers, and lists of choices. */
const isField = (value: unknown) =>
  value === null || kit.isScalar(value) || (Array.isArray(value) && value.length > 0 && value.every(kit.isScalar));
