import { AppError, type JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import { ADDRESS_LENGTH_MAX } from './convert.js';

export interface RestPayload {
  method: string;
  endpoint: string;
  headers?: Record<string, string>;
  params?: JsonObject;
  /** One section. The others stay empty. */
  body?: Partial<Payload['body']>;
  userId?: string | undefined;
}

/** A payload with every key of spec 2.5, in that order. */
export function restPayload({ method, endpoint, headers = {}, params = {}, body = {}, userId }: RestPayload): Payload {
  return {
    version: '1',
    type: 'REST',
    method,
    endpoint,
    headers,
    params,
    body: { JSON: {}, JSON_ARRAY: {}, XML: {}, FORM: {}, ...body },
    files: {},
    ...(userId !== undefined && { userId }),
  };
}

/**
 * Labels by which vendors already know senders of this event format. Customers' segments, aliases and dashboards at a vendor
 * filter by these wire facts. Another label would split their history.
 */
export const SENDER = {
  id: 'rudderstack',
  name: 'RudderStack',
  iconUrl: 'https://cdn.rudderlabs.com/rudderstack.png',
  aliasLabel: 'rudder_id',
  groupPrefix: 'ab_rudder_group_',
  tagGroup: 'rudderstack_integration',
  eventSource: 'Rudder',
  messageTitle: 'Message from Rudderstack ',
} as const;

export interface RequestFields {
  method?: string;
  headers?: Record<string, string>;
  params?: JsonObject;
  userId?: string | undefined;
}

/**
 * Encodes an id as one segment of an address. The request carries stored credentials. Every URL parser reads `.` and `..` as
 * folders, even if encoded, and the request would reach something else. So the id is refused: with `invalid` in an event, and
 * with `unsupported` in a deletion, which no change of the configuration can help.
 */
export function pathSegment(id: string, code: 'invalid' | 'unsupported' = 'invalid'): string {
  if (id === '.' || id === '..' || id.length > ADDRESS_LENGTH_MAX || !id.isWellFormed()) {
    throw new AppError(code, 'the user id cannot be part of an address');
  }
  return encodeURIComponent(id);
}

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

/** A POST of a JSON object, with `content-type`. */
export const jsonRequest = (endpoint: string, body: JsonObject, fields: RequestFields = {}): Payload =>
  restPayload({
    method: 'POST',
    endpoint,
    ...fields,
    headers: { ...JSON_TYPE, ...fields.headers },
    body: { JSON: body },
  });

/** A POST of a JSON array, stored as text under `batch`. */
export const jsonArrayRequest = (endpoint: string, items: readonly unknown[], fields: RequestFields = {}): Payload =>
  restPayload({
    method: 'POST',
    endpoint,
    ...fields,
    headers: { ...JSON_TYPE, ...fields.headers },
    body: { JSON_ARRAY: { batch: JSON.stringify(items) } },
  });

/** A POST of form fields. */
export const formRequest = (endpoint: string, form: JsonObject, fields: RequestFields = {}): Payload =>
  restPayload({
    method: 'POST',
    endpoint,
    ...fields,
    headers: { ...FORM_TYPE, ...fields.headers },
    body: { FORM: form },
  });

export const bearerAuth = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

export const basicAuth = (user: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});
