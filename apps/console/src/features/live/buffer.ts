import { type EventFilters, type LiveRow, matches, textOf } from '../../lib/filters.js';

/** A row of the stream. */
export interface Row extends LiveRow {
  key: number;
  at: string;
  sourceId?: string | undefined;
  destinationId?: string | undefined;
  type?: string | undefined;
  /** Length of the message. */
  bytes?: number | undefined;
}

/** Older rows go. A page that stays open for a day may not grow without end. */
export const ROWS_MAX = 5_000;
/** Bytes of all rows together: an event may have 32 KiB, and each object takes several times its text. */
export const BYTES_MAX = 16 * 1024 * 1024;

export interface Stream {
  /** Newest first. */
  rows: readonly Row[];
  /** All rows that came, also those that had to go. */
  arrived: number;
  /** Rows that arrived since the pause. */
  waiting: number;
  /** Rows that arrived since the pause and had to go before anybody saw them. */
  lost: number;
  /** Events that the server left out because there were too many. */
  skipped: number;
  state: 'opening' | 'open' | 'away';
  /** Why the server shows nothing. */
  refusal?: string | undefined;
  /** The last time without a stream, in milliseconds. Its rows never come. `to` is missing while it lasts. */
  gap?: { from: number; to?: number };
}

export const START: Stream = { rows: [], arrived: 0, waiting: 0, lost: 0, skipped: 0, state: 'opening' };

/** `fresh` is newest first, too. */
export const withRows = (before: Stream, fresh: readonly Row[], skipped: number): Stream => ({
  ...before,
  rows: bounded([...fresh, ...before.rows]),
  arrived: before.arrived + fresh.length,
  skipped: before.skipped + skipped,
});

/** The newest rows, as many as there is room for. */
function bounded(rows: readonly Row[]): Row[] {
  let bytes = 0;
  const end = rows.findIndex((row, at) => {
    bytes += row.bytes ?? 0;
    return at === ROWS_MAX || bytes > BYTES_MAX;
  });
  return end === -1 ? [...rows] : rows.slice(0, Math.max(end, 1));
}

export function opened(before: Stream, at: number): Stream {
  const gap = before.gap && { to: at, ...before.gap };
  return { ...before, state: 'open', refusal: undefined, ...(gap && { gap }) };
}

export const refused = (before: Stream, refusal: string): Stream => ({ ...before, state: 'away', refusal });

/** A stream that never opened has missed nothing yet. */
export function interrupted(before: Stream, at: number): Stream {
  return { ...before, state: 'away', ...(before.state === 'open' && { gap: { from: at } }) };
}

/** The picture of a pause, with what came since then. */
export function paused(held: Stream, now: Stream): Stream {
  const newest = held.rows[0]?.key ?? 0;
  const waiting = now.rows.filter(({ key }) => key > newest).length;
  const { state, gap, refusal } = now;
  return { ...held, state, refusal, ...(gap && { gap }), waiting, lost: now.arrived - held.arrived - waiting };
}

/** Outcomes name no user, and hold nothing of the event. The row of its acceptance does, so a text is looked for there, too. */
export function shownRows(rows: readonly Row[], filters: EventFilters): Row[] {
  const texts = new Map<string | Row, string>();
  if (filters.text) for (const row of rows) if (row.event !== undefined) texts.set(row.messageId ?? row, keptText(row));
  return rows.filter((row) => matches(row, filters, texts.get(row.messageId ?? row)));
}

/** Rows are looked through a few times in a second, and each stays as it came. A text goes with its row. */
const kept = new WeakMap<Row, string>();

function keptText(row: Row): string {
  const text = kept.get(row) ?? textOf(row.event);
  kept.set(row, text);
  return text;
}
