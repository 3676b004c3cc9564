import type { JsonObject } from '@weir/contracts';
import type { Payload } from './kind.js';

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
