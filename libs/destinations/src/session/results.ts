import type { DeliveryResult, SessionItem } from '../kind.js';

export const DELIVERED: DeliveryResult = { status: 200, response: '' };

/** A retry may help. */
export const later = (response: string): DeliveryResult => ({ status: 503, response });
/** A retry cannot help. */
export const never = (response: string): DeliveryResult => ({ status: 400, response });

const REASON_LENGTH_MAX = 300;

/** For errors of a client library about a connection or a login. They name hosts of the configuration and nothing of an event. */
export function unsent(where: string, error: unknown): DeliveryResult {
  const reason = error instanceof Error && error.message !== '' ? `: ${error.message.slice(0, REASON_LENGTH_MAX)}` : '';
  return later(`${where} could not be reached${reason}`);
}

/** The same result for every item of a call. */
export const allOf = (items: readonly SessionItem[], result: DeliveryResult): DeliveryResult[] =>
  items.map(() => result);
