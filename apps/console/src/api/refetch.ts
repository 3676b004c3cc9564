import { mayHeal } from './errors.js';

/** A panel that failed asks again this often, so that it heals without a hand. */
const HEAL_MS = 3_000;

interface Asking {
  state: { status: string; data?: unknown; error?: Error | null };
}

/** For what stays as it is: asks again only after a failure that may heal. */
export const untilHealed = ({ state: { status, error } }: Asking): number | false =>
  status === 'error' && mayHeal(error) ? HEAL_MS : false;

/** For what moves by itself: every `ms`, and less often if it is a long list. A failure goes at the pace of {@link untilHealed}. */
export const every =
  (ms: number) =>
  (query: Asking): number | false => {
    const { status, data } = query.state;
    return status === 'error' ? untilHealed(query) : paceOf(ms, Array.isArray(data) ? data.length : 1);
  };

/** A list up to this length is asked for at its usual pace. One of twice the length costs twice as much, so it is asked for half as often. */
const ROWS_AT_PACE = 1_000;
const SLOWEST_MS = 120_000;

/** How often a list of so many rows is asked for that is asked for every `ms` while it is short. In milliseconds. */
export const paceOf = (ms: number, rows: number): number =>
  rows <= ROWS_AT_PACE ? ms : Math.min((ms * rows) / ROWS_AT_PACE, Math.max(ms, SLOWEST_MS));
