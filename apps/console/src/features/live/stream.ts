import { useEffect, useState } from 'react';
import type { EventFilters } from '../../lib/filters.js';
import { isRecord } from '../../lib/json.js';
import { interrupted, opened, paused, type Row, START, type Stream, withRows } from './buffer.js';

/** Rows are shown in one go this often, so that a flood does not draw fifty times a second. */
const DRAW_MS = 250;
const AGAIN_MS = 3_000;

type Ask = Pick<EventFilters, 'source' | 'destination' | 'type'>;

/** The live stream, newest first. A pause holds the picture still, and keeps what comes as long as there is room. */
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
  return isPaused && held ? paused(held, stream) : stream;
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
    events.onopen = () => tell((before) => opened(before, Date.now()));
    events.onerror = () => {
      events?.close();
      tell((before) => interrupted(before, Date.now()));
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
    tell((before) => withRows(before, fresh, left));
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
  if (kind === 'suppressed') return { ...common, outcome: 'suppressed', name: `${Number(told['events']) || 0} events` };
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
