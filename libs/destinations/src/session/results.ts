import type { DeliveryResult, SessionItem } from '../kind.js';

export const DELIVERED: DeliveryResult = { status: 200, response: '' };

/** Trying again may help. */
export const later = (response: string): DeliveryResult => ({ status: 503, response });
/** Trying again would change nothing. */
export const never = (response: string): DeliveryResult => ({ status: 400, response });

const REASON_LENGTH_MAX = 300;

/** For what a client library says about a connection or a login: it names hosts of the configuration, and no event. */
export function unsent(where: string, error: unknown): DeliveryResult {
  const reason = error instanceof Error && error.message !== '' ? `: ${error.message.slice(0, REASON_LENGTH_MAX)}` : '';
  return later(`${where} could not be reached${reason}`);
}

/** The same for every item of a call. */
export const allOf = (items: readonly SessionItem[], result: DeliveryResult): DeliveryResult[] =>
  items.map(() => result);
