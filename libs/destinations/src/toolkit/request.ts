import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import { restPayload } from '../payload.js';
import { refuse } from './event.js';
import { ADDRESS_LENGTH_MAX } from './forms.js';

export interface RequestParts {
  method?: string;
  headers?: Record<string, string>;
  params?: JsonObject;
  userId?: string | undefined;
}

/**
 * Encodes a text of an event as one segment of an address. The request carries stored credentials. Every URL parser reads `.` and
 * `..` as folders, even if encoded, and the request would reach something else. So the event is refused.
 */
export const pathSegment = (id: string): string =>
  id === '.' || id === '..' || id.length > ADDRESS_LENGTH_MAX || !id.isWellFormed()
    ? refuse('the user id cannot be part of an address')
    : encodeURIComponent(id);

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

/** A POST of a JSON object, with `content-type`. */
export const jsonRequest = (endpoint: string, body: JsonObject, parts: RequestParts = {}): Payload =>
  restPayload({
    method: 'POST',
    endpoint,
    ...parts,
    headers: { ...JSON_TYPE, ...parts.headers },
    body: { JSON: body },
  });

/** A POST of a JSON array, stored as text under `batch`. */
export const jsonArrayRequest = (endpoint: string, items: readonly unknown[], parts: RequestParts = {}): Payload =>
  restPayload({
    method: 'POST',
    endpoint,
    ...parts,
    headers: { ...JSON_TYPE, ...parts.headers },
    body: { JSON_ARRAY: { batch: JSON.stringify(items) } },
  });

/** A POST of form fields. */
export const formRequest = (endpoint: string, fields: JsonObject, parts: RequestParts = {}): Payload =>
  restPayload({
    method: 'POST',
    endpoint,
    ...parts,
    headers: { ...FORM_TYPE, ...parts.headers },
    body: { FORM: fields },
  });

export const bearerAuth = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

export const basicAuth = (user: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});
