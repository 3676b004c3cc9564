import { AppError, DELIVERY_TIMEOUT_MS, type JsonObject } from '@weir/contracts';
import { parseRetryAfter } from '../http-response.js';
import type { DeletionOutcome, DeletionRequest, Outbound, OutboundRequest, OutboundResponse } from '../kind.js';
import { configuredHeaders } from './webhook.transform.js';

const USER_ID = '{userId}';
/** Only the status counts; the rest of the answer is not read. */
const RESPONSE_BYTES_MAX = 1_024;

/**
 * Asks the configured `deletionUrl` to forget users: one POST with all of them, or, when the address contains `{userId}`,
 * one DELETE for each. The stored headers go along: the address stands in the same configuration.
 */
export async function webhookDelete(request: DeletionRequest, outbound: Outbound): Promise<DeletionOutcome> {
  for (const one of deletionRequests(request)) {
    const outcome = deletionOutcome(await outbound.request(one), Date.now());
    if (outcome.status !== 'complete') return outcome;
  }
  return { status: hasDeletionUrl(request.config) ? 'complete' : 'not_supported' };
}

/** Pure. Nothing without a `deletionUrl`; throws `AppError('invalid')` for an id that cannot stand in the address. */
export function deletionRequests({ config, users, regulationId, destinationId }: DeletionRequest): OutboundRequest[] {
  if (!hasDeletionUrl(config)) return [];
  const url = config['deletionUrl'];
  const limits = { timeoutMs: DELIVERY_TIMEOUT_MS, maxResponseBytes: RESPONSE_BYTES_MAX };
  const headers = configuredHeaders(config);
  if (url.includes(USER_ID)) {
    return users.map((user) => ({
      method: 'DELETE',
      url: url.replaceAll(USER_ID, pathSegment(user)),
      headers,
      ...limits,
    }));
  }
  const body = JSON.stringify({ regulationId, destinationId, users });
  return [{ method: 'POST', url, headers: { ...headers, 'content-type': 'application/json' }, body, ...limits }];
}

/** Pure: 2xx and 404 are done, 429 and 5xx are tried again, everything else is final. */
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

/** `.` and `..` mean folders to every URL parser, however they are encoded: such a DELETE would hit something else. */
function pathSegment({ userId }: JsonObject): string {
  const id = String(userId);
  if (id === '.' || id === '..' || !id.isWellFormed()) {
    throw new AppError('invalid', 'the user id cannot be part of an address');
  }
  return encodeURIComponent(id);
}
