import { AppError, DELIVERY_TIMEOUT_MS, type JsonObject } from '@weir/contracts';
import type { DeletionRequest, Outbound, OutboundResponse } from '../kind.js';

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

type Users = DeletionRequest['users'];

/** The distinct values of the users under a key, as texts. Only texts and numbers identify a user. */
export function identifiersOf(users: Users, key: string): string[] {
  const values = users.map((user) => user[key]);
  const texts = values.filter((value) => typeof value === 'string' || typeof value === 'number').map(String);
  return [...new Set(texts.map((value) => value.trim()).filter((value) => value !== ''))];
}

export const userIdsOf = (users: Users): string[] => identifiersOf(users, 'userId');
