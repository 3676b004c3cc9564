import type { History } from './history.js';
import type { SentEvent, Suppression } from './lines.js';

/** Whether an event must get through or must not. Both are right where it overlaps with a regulation. */
export type Obligation = 'must' | 'must not' | 'may';

/**
 * A suppression applies to events whose intake begins after its answer, and ends for events whose intake begins after the answer
 * to its cancellation. An event that was sent before may still be stopped on its way.
 */
export function obligationOf(history: History, event: SentEvent): Obligation {
  const regulations = history.suppressionsOf(event);
  if (regulations.some((one) => forbids(history, one, event))) return 'must not';
  return regulations.every((one) => isOverFor(history, one, event)) ? 'must' : 'may';
}

function forbids(history: History, suppression: Suppression, event: SentEvent): boolean {
  const lift = history.liftOf(suppression);
  const began = suppression.answeredAt !== undefined && suppression.answeredAt < event.askedAt;
  return began && (!lift || (event.answeredAt ?? Number.POSITIVE_INFINITY) < lift.askedAt);
}

function isOverFor(history: History, suppression: Suppression, event: SentEvent): boolean {
  return (history.liftOf(suppression)?.answeredAt ?? Number.POSITIVE_INFINITY) < event.askedAt;
}
