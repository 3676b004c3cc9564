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
 * A text of an event as one segment of an address, which carries stored credentials. `.` and `..` mean folders to every URL
 * parser, however they are encoded: the request would be about something else, so the event is refused.
 */
export const pathSegment = (id: string): string =>
  id === '.' || id === '..' || id.length > ADDRESS_LENGTH_MAX || !id.isWellFormed()
    ? refuse('the user id cannot be part of an address')
    : encodeURIComponent(id);

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

/** A POST of a JSON object; `content-type` is set. */
export const jsonRequest = (endpoint: string, body: JsonObject, parts: RequestParts = {}): Payload =>
  restPayload({
    method: 'POST',
    endpoint,
    ...parts,
    headers: { ...JSON_TYPE, ...parts.headers },
    body: { JSON: body },
  });

/** A POST of a JSON array, which travels as text under `batch`. */
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
