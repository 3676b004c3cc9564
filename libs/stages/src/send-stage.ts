import { randomUUID } from 'node:crypto';
import { isAppError, type JsonObject } from '@weir/contracts';
import {
  type DeliveryOptions,
  type DeliveryResult,
  type DestinationKind,
  type Outbound,
  type Payload,
  sendPayload,
} from '@weir/destinations';
import { type EgressErrorCode, isEgressError } from '@weir/egress';

/** `refused` means that a retry would change nothing. */
export type Verdict = 'delivered' | 'retry' | 'refused';

export interface SendOutcome {
  verdict: Verdict;
  /** Status of the destination, or a substitute for why it could not be reached. */
  status: number;
  /** Answer of the destination, or the reason why there is none. */
  response: unknown;
  retryAfterMs?: number;
}

/** 4xx statuses that may succeed later: timeout, conflict, too early, too many requests. */
const HEALING_4XX = [408, 409, 425, 429];

const UNREACHABLE = 'The address of the destination cannot be resolved or is not allowed';
/**
 * Results by egress error. An unresolvable name and a forbidden address share one message, which reveals nothing about the
 * network (security-reliability 3.2 point 6).
 */
const FAILURES: Record<EgressErrorCode, Omit<SendOutcome, 'response'> & { message?: string }> = {
  blocked: { verdict: 'refused', status: 400, message: UNREACHABLE },
  dns: { verdict: 'retry', status: 400, message: UNREACHABLE },
  invalid_url: { verdict: 'refused', status: 400 },
  invalid_method: { verdict: 'refused', status: 400 },
  invalid_header: { verdict: 'refused', status: 400 },
  too_large: { verdict: 'refused', status: 413 },
  timeout: { verdict: 'retry', status: 504, message: 'The destination did not answer in time' },
  connect: { verdict: 'retry', status: 502, message: 'The destination could not be reached' },
  tls: { verdict: 'retry', status: 502, message: 'A secure connection to the destination could not be made' },
  protocol: { verdict: 'retry', status: 502, message: 'The answer of the destination is not HTTP' },
  closed: { verdict: 'retry', status: 503, message: 'The delivery was interrupted' },
};

/** Stands in for a missing result. A kind must return one per payload. */
export const NO_RESULT: DeliveryResult = { status: 500, response: 'The delivery failed' };

/** Sends one payload, for tests and live events. Never rejects. */
export async function sendStage(
  kind: DestinationKind,
  payload: Payload,
  config: JsonObject,
  outbound: Outbound,
  options: DeliveryOptions = {},
): Promise<SendOutcome> {
  try {
    return outcomeOf(await delivered(kind, payload, config, outbound, options));
  } catch (error) {
    return failureOf(error);
  }
}

async function delivered(
  kind: DestinationKind,
  payload: Payload,
  config: JsonObject,
  outbound: Outbound,
  options: DeliveryOptions,
): Promise<DeliveryResult> {
  if (kind.deliver) return kind.deliver(payload, config, outbound, options);
  if (!kind.open) return sendPayload(payload, outbound, options);
  const session = kind.open(config, outbound);
  try {
    const [result] = await session.deliver([{ payload, idempotencyKey: options.idempotencyKey ?? randomUUID() }]);
    return result ?? NO_RESULT;
  } finally {
    await session.close();
  }
}

export const outcomeOf = (sent: DeliveryResult): SendOutcome => ({ ...sent, verdict: verdictOf(sent.status) });

export function verdictOf(status: number): Verdict {
  if (status >= 200 && status < 300) return 'delivered';
  return status >= 500 || HEALING_4XX.includes(status) ? 'retry' : 'refused';
}

export function failureOf(error: unknown): SendOutcome {
  if (isEgressError(error)) {
    const { message = error.message, ...known } = FAILURES[error.code];
    return { ...known, response: message };
  }
  if (isAppError(error)) return { verdict: 'refused', status: 400, response: error.message };
  return { verdict: 'retry', status: 500, response: 'The delivery failed' };
}
