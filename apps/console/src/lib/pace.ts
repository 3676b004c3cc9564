/** A list up to this length is asked for at its usual pace. One of twice the length costs twice as much, so it is asked for half as often. */
const ROWS_AT_PACE = 1_000;
const SLOWEST_MS = 120_000;

/** How often a list of so many rows is asked for that is asked for every `ms` while it is short. In milliseconds. */
export const paceOf = (ms: number, rows: number): number =>
  rows <= ROWS_AT_PACE ? ms : Math.min((ms * rows) / ROWS_AT_PACE, Math.max(ms, SLOWEST_MS));
