import type { DeliveryResult, SessionItem } from '../kind.js';

export const DELIVERED: DeliveryResult = { status: 200, response: '' };

/** Trying again may help. */
export const later = (response: string): DeliveryResult => ({ status: 503, response });
/** Trying again would change nothing. */
export const never = (response: string): DeliveryResult => ({ status: 400, response });

/** The same for every item of a call. */
export const allOf = (items: readonly SessionItem[], result: DeliveryResult): DeliveryResult[] =>
  items.map(() => result);
