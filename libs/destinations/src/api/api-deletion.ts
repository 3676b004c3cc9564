import { AppError, DELIVERY_TIMEOUT_MS, type JsonObject } from '@weir/contracts';
import { parseRetryAfter } from '../http-response.js';
import type { DeletionOutcome, DeletionRequest, Outbound, OutboundResponse } from '../kind.js';

/** Enough for the verdict of any vendor and for the ids that a search finds. */
const RESPONSE_BYTES_MAX = 1_048_576;

/** A request to a vendor's API. */
export interface ApiCall {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
}

/** How a vendor deletes users with one request. */
export interface ApiDeletion {
  /** Named in reasons. */
  vendor: string;
  /** What a 2xx means: deleted, or taken for later. */
  success: 'complete' | 'forwarded';
  /** The address names the user, so 404 means that there is none. */
  isAddressed?: boolean;
  /** For vendors that say no with a 2xx. */
  isRefusal?: (body: string) => boolean;
  /** Of a success that leaves something out. */
  note?: string;
}

/** Sends one request and says what its answer means for all its users. */
export async function deleteByCall(
  outbound: Outbound,
  call: ApiCall,
  deletion: ApiDeletion,
  users: DeletionRequest['users'],
): Promise<DeletionOutcome> {
  return outcomeOfAnswer(await sendCall(outbound, call), deletion, users.length, Date.now());
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

/**
 * Pure. Refused credentials and throttling are tried again later, as a person or time may heal them. Any other refusal is
 * final, but of several users it may concern one only. Nothing of the answer's text is passed on: it may name the user.
 */
export function outcomeOfAnswer(
  { status, headers, body }: OutboundResponse,
  { vendor, success, isAddressed, isRefusal, note }: ApiDeletion,
  users: number,
  nowMs: number,
): DeletionOutcome {
  const isOk = status >= 200 && status < 300;
  if (isOk && !isRefusal?.(body.toString('utf8')))
    return { status: success, ...(note !== undefined && { reason: note }) };
  if (isOk) return { status: 'aborted', reason: `${vendor} refused the deletion`, tryAlone: users > 1 };
  if (status === 404 && isAddressed) return { status: 'complete' };
  if (status === 401 || status === 403)
    return { status: 'failed', reason: `${vendor} refused the credentials (${status})` };
  const reason = `${vendor} answered ${status}`;
  if (status !== 408 && status !== 429 && status < 500) return { status: 'aborted', reason, tryAlone: users > 1 };
  const retryAfterMs = parseRetryAfter(headers['retry-after'], nowMs);
  return { status: 'failed', reason, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** A text that deletion cannot do without; throws `AppError('invalid')` naming its key. */
export function required(config: JsonObject, key: string): string {
  const value = config[key];
  if (typeof value !== 'string' || value.trim() === '') throw new AppError('invalid', `deletion needs ${key}`);
  return value.trim();
}

export const basicAuth = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Each once, as text. */
export const userIdsOf = (users: DeletionRequest['users']): string[] => [
  ...new Set(users.map(({ userId }) => String(userId))),
];

/** `.` and `..` mean folders to every URL parser, however they are encoded: such a DELETE would hit something else. */
export function pathSegment(id: string): string {
  if (id === '.' || id === '..' || !id.isWellFormed()) {
    throw new AppError('unsupported', 'the user id cannot be part of an address');
  }
  return encodeURIComponent(id);
}

/** The one user of a kind that takes one at a time. */
export function onlyUser([user]: DeletionRequest['users']): JsonObject {
  if (!user) throw new TypeError('a deletion without a user');
  return user;
}
