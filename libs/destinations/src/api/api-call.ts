import { AppError, DELIVERY_TIMEOUT_MS, type JsonObject } from '@weir/contracts';
import type { Outbound, OutboundResponse } from '../kind.js';

/** Enough for any vendor's verdict and for the ids that a search returns. */
const RESPONSE_BYTES_MAX = 1_048_576;

/** A request to a vendor's API. */
export interface ApiCall {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
}

export function sendCall(outbound: Outbound, { body, headers, ...call }: ApiCall): Promise<OutboundResponse> {
  const hasBody = body !== undefined;
  return outbound.request({
    ...call,
    headers: { accept: 'application/json', ...(hasBody && { 'content-type': 'application/json' }), ...headers },
    ...(hasBody && { body: JSON.stringify(body) }),
    timeoutMs: DELIVERY_TIMEOUT_MS,
    maxResponseBytes: RESPONSE_BYTES_MAX,
  });
}

/** A text that deletion requires. Throws `AppError('invalid')` with its key. */
export function required(config: JsonObject, key: string): string {
  const value = config[key];
  if (typeof value !== 'string' || value.trim() === '') throw new AppError('invalid', `deletion needs ${key}`);
  return value.trim();
}

export const basicAuth = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Refuses `.` and `..`, which every URL parser reads as folders, even if encoded. Such a DELETE would hit something else. */
export function pathSegment(id: string): string {
  if (id === '.' || id === '..' || !id.isWellFormed()) {
    throw new AppError('unsupported', 'the user id cannot be part of an address');
  }
  return encodeURIComponent(id);
}
