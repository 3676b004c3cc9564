import { createHash } from 'node:crypto';
import { DELIVERY_TIMEOUT_MS, type JsonObject } from '@weir/contracts';
import { parseRetryAfter } from '../../delivery/send-payload.js';
import type { DeletionOutcome, DeletionRequest, Outbound, OutboundRequest, OutboundResponse } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { configuredHeaders, signatureHeaders } from './webhook.headers.js';

const USER_ID = '{userId}';
/** Only the status counts. The rest of the response is not read. */
const RESPONSE_BYTES_MAX = 1_024;
const LIMITS = { timeoutMs: DELIVERY_TIMEOUT_MS, maxResponseBytes: RESPONSE_BYTES_MAX };
/** Length of a message id: 128 bits. */
const ID_LENGTH = 32;

/**
 * Asks the configured `deletionUrl` to delete users. Sends one POST with all of them, or one DELETE per user if the address
 * contains `{userId}`. The stored headers are sent too, because the address is in the same configuration. Signs the requests if
 * there is a `signingKey`.
 */
export async function webhookDelete(request: DeletionRequest, outbound: Outbound): Promise<DeletionOutcome> {
  for (const one of deletionRequests(request)) {
    const outcome = deletionOutcome(await outbound.request(one), Date.now());
    if (outcome.status !== 'complete') return outcome;
  }
  if (hasDeletionUrl(request.config)) return { status: 'complete' };
  return { status: 'not_supported', reason: 'deletionUrl is not set in its configuration' };
}

/**
 * Pure, except for the time in signatures. Returns nothing without a `deletionUrl`. Throws `AppError('unsupported')` for an id
 * that cannot be part of the address.
 */
export function deletionRequests(request: DeletionRequest, nowMs = Date.now()): OutboundRequest[] {
  const { config, users } = request;
  if (!hasDeletionUrl(config)) return [];
  const url = config['deletionUrl'];
  if (!url.includes(USER_ID)) return [listRequest(request, url, nowMs)];
  return users.map(({ userId }) => {
    const segment = kit.pathSegment(String(userId), 'unsupported');
    return pathRequest(request, url.replaceAll(USER_ID, segment), nowMs);
  });
}

function listRequest({ regulationId, destinationId, users, ...more }: DeletionRequest, url: string, nowMs: number) {
  const body = JSON.stringify({ regulationId, destinationId, users });
  const headers = { ...headersOf(more, { url, text: body, nowMs }), 'content-type': 'application/json' };
  return { method: 'POST', url, headers, body, ...LIMITS };
}

/** Without a body, the signature covers the target. Otherwise it could be reused for another user's address. */
function pathRequest(request: DeletionRequest, url: string, nowMs: number): OutboundRequest {
  const { pathname, search } = new URL(url);
  const headers = headersOf(request, { url, text: `DELETE ${pathname}${search}`, nowMs });
  return { method: 'DELETE', url, headers, ...LIMITS };
}

interface Signed {
  url: string;
  text: string;
  nowMs: number;
}

function headersOf(
  { config, idempotencyKey }: Pick<DeletionRequest, 'config' | 'idempotencyKey'>,
  { url, text, nowMs }: Signed,
): Record<string, string> {
  // Each message has its own id, and a repeat has the same one. Receivers detect repeats by it.
  const id = createHash('sha256')
    .update(JSON.stringify([idempotencyKey, url, text]))
    .digest('hex')
    .slice(0, ID_LENGTH);
  return {
    ...configuredHeaders(config),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...signatureHeaders(config, { id: `msg_${id}`, sentAt: Math.floor(nowMs / 1_000), text }),
  };
}

/** Pure. 2xx and 404 mean done, 429 and 5xx are retried, everything else is final. */
export function deletionOutcome(
  { status, headers }: Pick<OutboundResponse, 'status' | 'headers'>,
  nowMs: number,
): DeletionOutcome {
  if ((status >= 200 && status < 300) || status === 404) return { status: 'complete' };
  const reason = `the deletion address answered ${status}`;
  if (status !== 429 && status < 500) return { status: 'aborted', reason };
  const retryAfterMs = parseRetryAfter(headers['retry-after'], nowMs);
  return { status: 'failed', reason, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

function hasDeletionUrl(config: JsonObject): config is { deletionUrl: string } {
  return typeof config['deletionUrl'] === 'string' && config['deletionUrl'] !== '';
}
