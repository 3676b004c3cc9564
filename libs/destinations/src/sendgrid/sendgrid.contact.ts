import { isJsonObject, type JsonObject } from '@weir/contracts';
import type { BatchRule, Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';

/** https://www.twilio.com/docs/sendgrid/api-reference/contacts/add-or-update-a-contact */
const CONTACTS = 'https://api.sendgrid.com/v3/marketing/contacts';
/** SendGrid allows 30,000 contacts or 6 MB per request. A hundredth of that is answered quickly. */
const CONTACTS_MAX = 300;
const BYTES_MAX = 1_048_576;

const CONTACT: kit.Mapping = {
  email: { from: kit.trait('email'), as: kit.toText, required: true },
  phone_number: { from: kit.trait('phone'), as: kit.toText },
  first_name: kit.FIRST_NAME,
  last_name: kit.LAST_NAME,
  unique_name: kit.trait('name'),
  address_line_1: kit.trait('address.street'),
  city: kit.trait('address.city'),
  state_province_region: kit.trait('address.state'),
  country: kit.trait('address.country'),
  postal_code: { from: kit.trait('address.postalCode'), as: kit.toText },
};

/** A contact and its lists. Custom fields are identified by name here, because only SendGrid knows their ids. */
export function contactCall(event: JsonObject, config: JsonObject): Payload {
  const traits = kit.mergedTraits(event);
  const custom = kit.configPairs(config, 'customFieldsMapping').map(([from, to]) => [to, traits[from]] as const);
  const body = {
    contactDetails: { ...kit.mapFields(event, CONTACT), custom_fields: kit.withoutEmpty(kit.objectOf(custom)) },
    contactListIds: listsOf(event, config),
  };
  const headers = kit.bearerAuth(kit.requiredText(config, 'apiKey'));
  return kit.jsonRequest(CONTACTS, kit.withoutEmpty(body), {
    method: 'PUT',
    headers,
    userId: kit.textAt(event, 'userId'),
  });
}

/** The event's own lists, otherwise the configured one. */
function listsOf(event: JsonObject, config: JsonObject): string {
  const ids = kit.valueAt(event, 'context.externalId');
  const own = Array.isArray(ids) ? ids.filter(isJsonObject).find(({ type }) => type === 'listIds')?.['id'] : undefined;
  return [own ?? kit.configText(config, 'listId')].flat().map(String).filter(Boolean).join(',');
}

export const isContact = ({ body }: Payload): boolean => 'contactDetails' in body.JSON;

/** Contacts of the same lists share a request. Mails are sent alone. */
export const sendgridBatch: BatchRule = {
  itemsMax: CONTACTS_MAX,
  bytesMax: BYTES_MAX,
  keyOf: (payload) => (isContact(payload) ? String(payload.body.JSON['contactListIds'] ?? '') : undefined),
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
  const lists = String(first.body.JSON['contactListIds'] ?? '');
  const body = {
    ...(lists !== '' && { list_ids: lists.split(',') }),
    contacts: payloads.map(contactOf),
  };
  return { ...first, body: { ...first.body, JSON: body } };
}
