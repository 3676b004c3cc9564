import type { JsonObject } from '@weir/contracts';
import { callsFor, isTaken, sendPayload } from '../../delivery/send-payload.js';
import type { DeliveryResult, DestinationKind } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

export const API = 'https://app.trengo.com/api/v2';

/**
 * Looks up the contact of an event by its e-mail or phone, which the parameters of the payload name and which are not sent. A
 * contact is updated, or created where there is none. A ticket needs one.
 */
export const trengoDeliver: NonNullable<DestinationKind['deliver']> = async (payload, _, outbound, options) => {
  const { method, endpoint, params, body } = payload;
  const identifier = kit.textAt(params, 'identifier');
  if (identifier === undefined) return sendPayload(payload, outbound, options);
  const call = callsFor(payload, API, outbound, options);
  const found = await call('GET', `contacts?${new URLSearchParams({ page: '1', term: identifier })}`);
  if (!isTaken(found)) return found;
  const [contact, ...others] = contactsIn(found, identifier);
  if (others.length > 0) return refusal('Several contacts have this e-mail or phone');
  const path = endpoint.replace(`${API}/`, '');
  if (path === 'tickets') {
    return contact === undefined
      ? refusal('No contact has this e-mail or phone')
      : call(method, path, { ...body.JSON, contact_id: contact });
  }
  if (contact === undefined) return call(method, path, body.JSON);
  const { name } = body.JSON;
  return name === undefined ? found : call('PUT', `contacts/${kit.pathSegment(String(contact))}`, { name });
};

const refusal = (response: string): DeliveryResult => ({ status: 400, response });

/** The ids of contacts with exactly this e-mail or phone. Trengo also finds those that are similar. */
function contactsIn({ response }: DeliveryResult, identifier: string): (string | number)[] {
  const wanted = plain(identifier);
  if (wanted === '') return [];
  const isWanted = (contact: JsonObject) =>
    ['identifier', 'email', 'phone']
      .map((key) => kit.textAt(contact, key))
      .some((text) => text && plain(text) === wanted);
  return kit
    .objectsOf(kit.valueAt(response, 'data'))
    .filter(isWanted)
    .map(({ id }) => kit.onlyId(id))
    .filter((id) => id !== undefined);
}

/** An e-mail in lower case, or the digits of a phone. */
const plain = (text: string) => (text.includes('@') ? text.trim().toLowerCase() : kit.normalizedPhone(text));
