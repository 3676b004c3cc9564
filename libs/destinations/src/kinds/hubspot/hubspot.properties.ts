import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/** Where an event has a trait: in itself, in its context, or among its properties. */
const placed = (...names: string[]): string[] =>
  ['traits', 'context.traits', 'properties'].flatMap((place) => names.map((name) => `${place}.${name}`));

/** Properties that every account has. https://knowledge.hubspot.com/properties/hubspots-default-contact-properties */
const CONTACT: kit.Mapping = {
  email: placed('email'),
  firstname: placed('firstName', 'firstname', 'first_name'),
  lastname: placed('lastName', 'lastname', 'last_name'),
  phone: placed('phone'),
  address: placed('address.street'),
  city: placed('address.city'),
  country: placed('address.country'),
  state: placed('address.state'),
  zip: placed('address.postalcode'),
  company: placed('company.name'),
};

/** Whether every account has the property, even if it is not among those that may be asked for. */
export const isUsual = (property: string): boolean => Object.hasOwn(CONTACT, property);

/** HubSpot writes this one itself. */
const READ_ONLY = 'hs_object_id';

/**
 * The traits that may become properties of a contact: the usual ones, and each trait under the name that HubSpot would give its
 * property. Delivery leaves out those that the account does not have. Null clears a property.
 */
export function contactProperties(event: JsonObject, config: JsonObject): JsonObject {
  const traits = contactTraits(event);
  if (!traits) return {};
  const properties = kit.mapFields(event, CONTACT);
  for (const [key, value] of Object.entries(traits)) {
    const isKnown = Object.hasOwn(properties, key) && Boolean(properties[key]);
    const name = propertyName(key);
    if (!isKnown && name !== '__proto__') properties[name] = value ?? '';
  }
  return kit.omit(kit.merged(properties, renamed(traits, config)), [READ_ONLY]);
}

/** Properties stand in for traits that are missing or empty. */
function contactTraits(event: JsonObject): JsonObject | undefined {
  const traits = kit.givenTraits(event) ?? {};
  if (!kit.isEmpty(traits)) return traits;
  return kit.isEmpty(event['properties']) ? undefined : kit.objectAt(event, 'properties');
}

const propertyName = (trait: string) => trait.toLowerCase().replace(/\s+/g, '_').replaceAll('.', '_');

/** A trait may be repeated under many names, so their size is counted. */
function renamed(traits: JsonObject, config: JsonObject): JsonObject {
  const take = kit.meter();
  const pairs = kit.configPairs(config, 'contactProperties').map(([from, to]) => {
    const value = kit.valueAt(traits, from);
    take(value);
    return [to, value] as const;
  });
  return kit.objectOf(pairs.filter(([, value]) => value !== undefined && value !== null));
}

/** HubSpot refuses a contact whose address has not the form of one. */
export function checkEmail(event: JsonObject): void {
  const email = kit.givenTraits(event)?.['email'];
  if (kit.isGiven(email) && !kit.isEmail(String(email))) kit.refuse('traits.email must be an e-mail address');
}

export interface LookUp {
  /** The property of the contact. */
  idProperty: string;
  id: string;
}

/** The configured property and its value, or the e-mail when the event has no such value. */
export function lookUpOf(event: JsonObject, lookupField: string): LookUp {
  for (const idProperty of [lookupField, 'email']) {
    const id = kit.textAt(event, [idProperty, ...placed(idProperty)]);
    if (id !== undefined) return { idProperty, id };
  }
  return kit.refuse(`the event has neither ${lookupField} nor an email, by which the contact is looked up`);
}
