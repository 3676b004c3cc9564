import { chunksOf, isJsonObject, type JsonObject } from '@weir/contracts';
import { type ApiCall, identifiersOf, required } from '../../deletion/api-call.js';
import { deleteFound } from '../../deletion/api-deletion.js';
import type { KindDeletion } from '../../kind.js';
import { parsedJson } from '../../toolkit/convert.js';

const ADDRESS = 'https://api.sendgrid.com/v3/marketing/contacts';
/** Ids are 36 characters long, so the address stays far below the limits of servers. */
const IDS_PER_REMOVAL = 100;
/** SendGrid's identifier types, by the user's keys. */
const TYPES = { userId: 'external_id', email: 'email', phone: 'phone_number_id', anonymousId: 'anonymous_id' };

/**
 * Contacts API, https://www.twilio.com/docs/sendgrid/api-reference/contacts. Contacts are deleted by SendGrid's own ids, which
 * must be looked up. The removal is a separate job.
 */
export const sendgridDeletion: KindDeletion = {
  // A search takes 100 values of one type.
  usersMax: 100,
  identifiers: Object.keys(TYPES),
  requires: ['apiKey'],
  delete: async ({ config, users }, outbound) =>
    deleteFound(
      outbound,
      { calls: sendgridSearches(config, users), idsOf: contactIds, isEmptyAt404: true },
      (ids) => sendgridRemovals(config, ids),
      { vendor: 'SendGrid', success: 'forwarded' },
    ),
};

function sendgridSearches(config: JsonObject, users: JsonObject[]): ApiCall[] {
  const headers = headersOf(config);
  return Object.entries(TYPES).flatMap(([key, type]): ApiCall[] => {
    const identifiers = identifiersOf(users, key);
    if (identifiers.length === 0) return [];
    return [{ method: 'POST', url: `${ADDRESS}/search/identifiers/${type}`, headers, body: { identifiers } }];
  });
}

/** The commas between ids are not encoded. */
function sendgridRemovals(config: JsonObject, ids: string[]): ApiCall[] {
  const headers = headersOf(config);
  return chunksOf(ids, { itemsMax: IDS_PER_REMOVAL }).map((chunk) => ({
    method: 'DELETE',
    url: `${ADDRESS}?ids=${chunk.map(encodeURIComponent).join(',')}`,
    headers,
  }));
}

/** `result` has a `contact` or an `error` for each requested value. */
function contactIds(body: Buffer): string[] | undefined {
  const answer = parsedJson(body.toString('utf8'));
  const result = isJsonObject(answer) ? answer['result'] : undefined;
  if (!isJsonObject(result)) return undefined;
  const contacts = Object.values(result).map((found) => (isJsonObject(found) ? found['contact'] : undefined));
  return contacts.filter(isJsonObject).map(({ id }) => String(id));
}

const headersOf = (config: JsonObject) => ({ authorization: `Bearer ${required(config, 'apiKey')}` });
