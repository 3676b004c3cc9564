import { isJsonObject, type JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';

/** https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/batch/upsert and .../events-send-event-completions-v3 */
export const UPSERT = 'https://api.hubapi.com/crm/v3/objects/contacts/batch/upsert';
export const SEND = 'https://api.hubapi.com/events/v3/send';

/** Properties that every account has. HubSpot refuses unknown names, so other traits need a mapping. */
const CONTACT: kit.Mapping = {
  email: 'email',
  firstname: ['firstName', 'firstname', 'first_name'],
  lastname: ['lastName', 'lastname', 'last_name'],
  phone: 'phone',
  mobilephone: ['mobilephone', 'mobilePhone'],
  company: ['company.name', 'company'],
  jobtitle: ['jobtitle', 'jobTitle', 'title'],
  website: 'website',
  address: ['address.street', 'street'],
  city: ['address.city', 'city'],
  state: ['address.state', 'state'],
  zip: ['address.postalCode', 'address.zip', 'postalCode', 'zip'],
  country: ['address.country', 'country'],
  gender: 'gender',
  industry: 'industry',
};

export function hubspotTransform(event: JsonObject, config: JsonObject): Payload[] {
  if (config['authorizationType'] === 'legacyApiKey')
    kit.refuse('HubSpot has ended API keys: use the access token of a private app');
  const headers = kit.bearerAuth(kit.requiredText(config, 'accessToken'));
  return kit.byType(event, {
    identify: () => [kit.jsonRequest(UPSERT, { inputs: [contactOf(event, config)] }, { headers })],
    track: () => [kit.jsonRequest(SEND, completionOf(event, config), { headers })],
  });
}

function contactOf(event: JsonObject, config: JsonObject): JsonObject {
  const traits = kit.mergedTraits(event);
  const { email } = traits;
  if (kit.isGiven(email) && !kit.isEmail(String(email))) kit.refuse('traits.email must be an e-mail address');
  const lookup = kit.configText(config, 'lookupField');
  const found = lookup === '' ? undefined : kit.textAt(traits, lookup);
  const id = found ?? kit.textAt(traits, 'email') ?? kit.refuse(`traits.${lookup || 'email'} is required`);
  const take = kit.meter();
  const textOf = (value: unknown) => {
    take(value);
    return kit.toText(value);
  };
  const own = kit
    .configPairs(config, 'contactProperties')
    .map(([from, to]) => [to, textOf(kit.valueAt(traits, from))] as const)
    .filter(([, value]) => value !== undefined);
  const known = Object.entries(kit.mapFields(traits, CONTACT)).filter(([, value]) => typeof value !== 'object');
  return {
    idProperty: found ? lookup : 'email',
    id,
    properties: { ...kit.objectOf(known), ...kit.objectOf(own) },
  };
}

function completionOf(event: JsonObject, config: JsonObject): JsonObject {
  const name = kit.eventName(event);
  const key = kit.commerceKey(name);
  const mapping = kit
    .configList(config, 'hubspotEvents')
    .find(({ rsEventName }) => kit.commerceKey(String(rsEventName)) === key);
  const eventName = kit.textAt(mapping, 'hubspotEventName') ?? kit.refuse(`hubspotEvents has no event for ${name}`);
  const email = kit.textAt(event, kit.EMAIL);
  const objectId = kit.externalId(event, 'hubspotContactId');
  if (!email && !objectId) kit.refuse('the event needs an email');
  const pairs = isJsonObject(mapping) ? kit.configPairs(mapping, 'eventProperties') : [];
  const properties = pairs.map(([from, to]) => [to, kit.valueAt(event, `properties.${from}`)] as const);
  return {
    eventName,
    ...kit.compact({
      email,
      objectId: email ? undefined : objectId,
      occurredAt: kit.toIso(kit.firstAt(event, kit.TIMESTAMP)),
    }),
    properties: kit.objectOf(properties.filter(([, value]) => kit.isGiven(value))),
  };
}
