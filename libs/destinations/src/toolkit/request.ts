import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import { restPayload } from '../payload.js';

export interface RequestParts {
  method?: string;
  headers?: Record<string, string>;
  params?: JsonObject;
  userId?: string | undefined;
}

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
