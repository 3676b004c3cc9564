import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { checkEmail, contactProperties, lookUpOf } from './hubspot.properties.js';

/** https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide */
export const API = 'https://api.hubapi.com';
/** https://developers.hubspot.com/docs/methods/contacts/batch_create_or_update */
export const LEGACY_CONTACTS = `${API}/contacts/v1/contact/batch/`;

type Headers = Record<string, string>;

const writeOf = (objectType: string, operation: 'upsert' | 'update', input: JsonObject, fields: kit.RequestFields) =>
  kit.jsonRequest(
    `${API}/crm/v3/objects/${kit.pathSegment(objectType)}/batch/${operation}`,
    { inputs: [input] },
    fields,
  );

/** A contact whose id the event knows is updated. Any other is looked up at delivery, and then updated or created. */
export function contactOf(event: JsonObject, config: JsonObject, headers: Headers): Payload {
  checkEmail(event);
  const lookupField = kit.requiredText(config, 'lookupField');
  const properties = contactProperties(event, config);
  const id = kit.externalId(event, 'hsContactId');
  if (id) return writeOf('contacts', 'update', { id, properties }, { headers });
  return writeOf('contacts', 'upsert', { ...lookUpOf(event, lookupField), properties }, { headers });
}

/** The older API knows contacts by their e-mail alone. */
export function legacyContactOf(event: JsonObject, config: JsonObject, headers: Headers): Payload {
  checkEmail(event);
  const email = kit.textAt(kit.givenTraits(event), 'email') ?? kit.refuse('traits.email is required');
  const entries = Object.entries(kit.omit(contactProperties(event, config), ['email']));
  const properties = entries.map(([property, value]) => ({ property, value }));
  return kit.jsonArrayRequest(LEGACY_CONTACTS, [{ email, properties }], { headers });
}

/** The type of an external id begins so, and the type of HubSpot's object follows. */
const TYPE_PREFIX = 'HS-';
/** Tells delivery that the source chose the properties. It is not sent. */
export const MAPPED = { mapped: true };

/**
 * A record of any object of HubSpot that a reverse ETL source maps, or an association of two:
 * https://developers.hubspot.com/docs/api-reference/crm-associations-v3/guide
 */
export function mappedRecordOf(event: JsonObject, headers: Headers): Payload {
  const identifier = kit.objectAt(event, 'context.externalId.0');
  const objectType = String(identifier['type'] ?? '').replace(TYPE_PREFIX, '');
  if (objectType === '') kit.refuse('context.externalId must name the type of the object, such as HS-contacts');
  checkEmail(event);
  if (objectType === 'association') return associationOf(event, identifier, headers);
  const id = kit.textAt(identifier, 'id') ?? kit.refuse('context.externalId must have an id');
  const idProperty =
    kit.textAt(identifier, 'identifierType') ?? kit.refuse('context.externalId must have an identifierType');
  const properties = kit.omit(kit.givenTraits(event) ?? {}, ['hs_object_id']);
  return writeOf(objectType, 'upsert', { id, idProperty, properties }, { headers, params: MAPPED });
}

function associationOf(event: JsonObject, identifier: JsonObject, headers: Headers): Payload {
  const named = (key: string) => kit.textAt(identifier, key) ?? kit.refuse(`an association needs ${key}`);
  const between = `${kit.pathSegment(named('fromObjectType'))}/${kit.pathSegment(named('toObjectType'))}`;
  const traits = kit.givenTraits(event);
  for (const end of ['from', 'to']) {
    if (kit.textAt(traits, `${end}.id`) === undefined) kit.refuse(`an association needs traits.${end}.id`);
  }
  const input = { ...traits, type: named('associationTypeId') };
  return kit.jsonRequest(`${API}/crm/v3/associations/${between}/batch/create`, { inputs: [input] }, { headers });
}
