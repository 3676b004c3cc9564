import { useEffect, useState } from 'react';
import { type EventFilters, type LiveRow, matches } from '../../lib/filters.js';
import { isRecord } from '../../lib/json.js';

/** A row of the stream. */
export interface Row extends LiveRow {
  key: number;
  at: string;
  sourceId?: string | undefined;
  destinationId?: string | undefined;
  type?: string | undefined;
}

/** Older rows go. A page that stays open for a day may not grow without end. */
const ROWS_MAX = 5_000;
/** Rows are shown in one go this often, so that a flood does not draw fifty times a second. */
const DRAW_MS = 250;
const AGAIN_MS = 3_000;

export interface Stream {
  rows: readonly Row[];
  /** Rows that arrived since the pause. */
  waiting: number;
  /** Events that the server left out because there were too many. */
  skipped: number;
  state: 'opening' | 'open' | 'away';
}

type Ask = Pick<EventFilters, 'source' | 'destination' | 'type'>;
const START: Stream = { rows: [], waiting: 0, skipped: 0, state: 'opening' };

/** The live stream, newest first. A pause holds the picture still, and loses nothing. */
export function useStream(ask: Ask, isPaused: boolean): Stream {
  const [stream, setStream] = useState(START);
  const [held, setHeld] = useState<Stream>();
  useEffect(() => {
    setHeld(undefined);
    return follow(
      {
        ...(ask.source ? { source: ask.source } : {}),
        ...(ask.destination ? { destination: ask.destination } : {}),
        ...(ask.type ? { type: ask.type } : {}),
      },
      setStream,
    );
  }, [ask.source, ask.destination, ask.type]);
  if (isPaused && !held) setHeld(stream);
  if (!isPaused && held) setHeld(undefined);
  if (!isPaused || !held) return stream;
  const newest = held.rows[0]?.key ?? 0;
  return { ...held, state: stream.state, waiting: stream.rows.filter(({ key }) => key > newest).length };
}

/** Opens the stream and opens it again when it ends. Answers how to leave it. */
function follow({ source, destination, type }: Ask, tell: (change: (before: Stream) => Stream) => void): () => void {
  const query = new URLSearchParams(
    Object.entries({ sourceId: source, destinationId: destination, type }).flatMap(([name, value]) =>
      value ? [[name, value]] : [],
    ),
  );
  let events: EventSource | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let arrived: Row[] = [];
  let skipped = 0;
  const open = () => {
    events = new EventSource(`/v2/live-events?${query}`);
    events.onopen = () => tell((before) => ({ ...before, state: 'open' }));
    events.onerror = () => {
      events?.close();
      tell((before) => ({ ...before, state: 'away' }));
      again = setTimeout(open, AGAIN_MS);
    };
    for (const kind of ['accepted', 'delivery', 'suppressed'] as const) {
      events.addEventListener(kind, ({ data }) => {
        const row = rowOf(kind, data);
        if (row) arrived.push(row);
      });
    }
    events.addEventListener('skipped', ({ data }) => {
      skipped += Number(recordOf(data)['events']) || 0;
    });
  };
  const draw = setInterval(() => {
    if (arrived.length === 0 && skipped === 0) return;
    const [fresh, left] = [arrived.reverse(), skipped];
    arrived = [];
    skipped = 0;
    tell((before) => ({
      ...before,
      rows: [...fresh, ...before.rows].slice(0, ROWS_MAX),
      skipped: before.skipped + left,
    }));
  }, DRAW_MS);
  tell(() => START);
  open();
  return () => {
    clearInterval(draw);
    clearTimeout(again);
    events?.close();
  };
}

let lastKey = 0;

export function rowOf(kind: 'accepted' | 'delivery' | 'suppressed', data: string): Row | undefined {
  const told = recordOf(data);
  const text = (name: string) => (typeof told[name] === 'string' ? told[name] : undefined);
  const at = text('at') ?? new Date().toISOString();
  lastKey += 1;
  const common = {
    key: lastKey,
    at,
    sourceId: text('sourceId'),
    type: text('type'),
    name: text('name') ?? text('event'),
    messageId: text('messageId'),
  };
  if (kind === 'accepted') return { ...common, outcome: 'accepted', name: text('name'), event: told['event'] };
  if (kind === 'suppressed') return { ...common, outcome: 'suppressed' };
  return {
    ...common,
    // nothing is called delivered that the server did not call so
    outcome: text('outcome') ?? 'unknown',
    destinationId: text('destinationId'),
    reason: text('reason'),
  };
}

function recordOf(data: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(data);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

export const shownRows = (rows: readonly Row[], filters: EventFilters): Row[] =>
  rows.filter((row) => matches(row, filters));
