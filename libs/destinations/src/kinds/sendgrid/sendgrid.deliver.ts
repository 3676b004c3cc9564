import { createHash } from 'node:crypto';
import { DELIVERY_TIMEOUT_MS, isJsonObject, type JsonObject } from '@weir/contracts';
import { LRUCache } from 'lru-cache';
import { readResponse, sendPayload } from '../../delivery/send-payload.js';
import type { DeliveryResult, DestinationKind, Outbound, Payload } from '../../kind.js';
import { parsedJson } from '../../toolkit/convert.js';
import * as kit from '../../toolkit/index.js';
import { isContact, sendgridBatch } from './sendgrid.contact.js';

const FIELDS = 'https://api.sendgrid.com/v3/marketing/field_definitions';
const RESPONSE_BYTES_MAX = 1_048_576;
/** A new custom field is used after this time at the latest. */
const KNOWN_MS = 300_000;
const ACCOUNTS_MAX = 1_000;

type FieldIds = ReadonlyMap<string, string>;
/** Ids of custom fields by name, per hash of the authorization. */
const known = new LRUCache<string, FieldIds>({ max: ACCOUNTS_MAX, ttl: KNOWN_MS });

/** A single contact is a list of one. SendGrid identifies custom fields by its own ids, which must be looked up. */
export const sendgridDeliver: NonNullable<DestinationKind['deliver']> = async (payload, _config, outbound, options) => {
  const request = isContact(payload) ? sendgridBatch.combine([payload]) : payload;
  if (!hasCustomFields(request)) return sendPayload(request, outbound, options);
  const ids = await fieldIds(outbound, String(request.headers['authorization']));
  return 'status' in ids ? ids : sendPayload(withFieldIds(request, ids), outbound, options);
};

const contactsOf = ({ body }: Payload): JsonObject[] =>
  Array.isArray(body.JSON['contacts']) ? body.JSON['contacts'].filter(isJsonObject) : [];

const customOf = ({ custom_fields: custom }: JsonObject): JsonObject => (isJsonObject(custom) ? custom : {});

const hasCustomFields = (payload: Payload) =>
  contactsOf(payload).some((contact) => Object.keys(customOf(contact)).length > 0);

/** Drops unknown field names, because SendGrid would refuse all contacts of the request. */
function withFieldIds(payload: Payload, ids: FieldIds): Payload {
  const contacts = contactsOf(payload).map((contact) => {
    const fields = Object.entries(customOf(contact)).flatMap(([name, value]): [string, unknown][] => {
      const id = ids.get(name);
      return id === undefined ? [] : [[id, value]];
    });
    return { ...contact, custom_fields: kit.objectOf(fields) };
  });
  return { ...payload, body: { ...payload.body, JSON: { ...payload.body.JSON, contacts } } };
}

/** Returns SendGrid's response if it has no ids. */
async function fieldIds(outbound: Outbound, authorization: string): Promise<FieldIds | DeliveryResult> {
  const name = createHash('sha256').update(authorization).digest('base64');
  const found = known.get(name);
  if (found) return found;
  const limits = { timeoutMs: DELIVERY_TIMEOUT_MS, maxResponseBytes: RESPONSE_BYTES_MAX };
  const answer = await outbound.request({ method: 'GET', url: FIELDS, headers: { authorization }, ...limits });
  if (answer.status !== 200) return readResponse(answer);
  const body = parsedJson(answer.body.toString('utf8'));
  const fields = isJsonObject(body) && Array.isArray(body['custom_fields']) ? body['custom_fields'] : [];
  const ids = new Map(
    fields.filter(isJsonObject).map((field) => [String(field['name']), String(field['id'])] as const),
  );
  known.set(name, ids);
  return ids;
}
