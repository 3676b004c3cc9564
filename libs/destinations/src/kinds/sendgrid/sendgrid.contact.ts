import { isJsonObject, type JsonObject } from '@weir/contracts';
import type { BatchRule, Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

/** https://www.twilio.com/docs/sendgrid/api-reference/contacts/add-or-update-a-contact */
const CONTACTS = 'https://api.sendgrid.com/v3/marketing/contacts';
/** SendGrid allows 30,000 contacts or 6 MB per request. A hundredth of that is answered quickly. */
const CONTACTS_MAX = 300;
const BYTES_MAX = 1_048_576;

const CONTACT: kit.Mapping = {
  email: { from: kit.EMAIL, as: kit.toText, required: true },
  phone_number: { from: kit.PHONE, as: kit.toText },
  first_name: kit.FIRST_NAME,
  last_name: kit.LAST_NAME,
  unique_name: kit.FULL_NAME,
  address_line_1: { from: kit.trait('address'), as: addressLine },
  city: kit.CITY,
  state_province_region: kit.trait('region'),
  country: kit.trait('country'),
  postal_code: { from: kit.ZIP, as: kit.toText },
  whatsapp: kit.trait('whatsappNumber'),
  facebook: kit.trait('facebookUrl'),
};

/** An address of several parts is one line. */
function addressLine(address: unknown): string | undefined {
  const parts = isJsonObject(address) ? Object.values(address) : [address];
  return parts
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join(' ')
    .trim();
}

/** A contact and its lists. Custom fields are identified by name here, because only SendGrid knows their ids. */
export function contactCall(event: JsonObject, config: JsonObject): Payload {
  const body = {
    contactDetails: { ...kit.mapFields(event, CONTACT), custom_fields: customFields(event, config) },
    contactListIds: listsOf(event, config),
  };
  const headers = kit.bearerAuth(kit.requiredText(config, 'apiKey'));
  return kit.jsonRequest(CONTACTS, body, {
    method: 'PUT',
    headers,
    userId: kit.textAt(event, 'userId'),
  });
}

/** The traits of the context come first, unlike for all other fields. */
function customFields(event: JsonObject, config: JsonObject): JsonObject {
  const inContext = kit.valueAt(event, 'context.traits');
  const traits = isJsonObject(inContext) ? inContext : kit.objectAt(event, 'traits');
  const fields = kit.configPairs(config, 'customFieldsMapping').map(([from, to]) => [to, traits[from]] as const);
  return kit.objectOf(fields.filter(([, value]) => Boolean(value)));
}

/** The configured list, and those that the event names. */
function listsOf(event: JsonObject, config: JsonObject): string {
  const own = kit.objectsOf(kit.valueAt(event, 'context.externalId')).find(({ type }) => type === 'listIds')?.['id'];
  return [kit.configText(config, 'listId'), own]
    .flat()
    .map((id) => kit.toText(id) ?? '')
    .filter(Boolean)
    .sort()
    .join(',');
}

export const isContact = ({ body }: Payload): boolean => 'contactDetails' in body.JSON;

/** Contacts of the same lists share a request. Mails are sent alone. */
export const sendgridBatch: BatchRule = {
  itemsMax: CONTACTS_MAX,
  bytesMax: BYTES_MAX,
  keyOf: (payload) => (isContact(payload) ? String(payload.body.JSON['contactListIds']) : undefined),
  combine: combined,
};

/** Adds our id, by which a deletion finds the contact. */
const contactOf = ({ userId, body }: Payload): JsonObject => ({
  ...kit.objectAt(body.JSON, 'contactDetails'),
  ...(userId !== undefined && { external_id: userId }),
});

function combined(payloads: readonly Payload[]): Payload {
  const [first] = payloads;
  if (!first) throw new TypeError('a batch of nothing');
  const lists = String(first.body.JSON['contactListIds']);
  const body = {
    ...(lists !== '' && { list_ids: lists.split(',') }),
    contacts: payloads.map(contactOf),
  };
  return { ...first, body: { ...first.body, JSON: body } };
}
