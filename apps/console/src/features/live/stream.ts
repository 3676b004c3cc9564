import { useEffect, useState } from 'react';
import { api, type WeirError } from '../../api/client.js';
import { mayHeal } from '../../api/errors.js';
import type { EventFilters } from '../../lib/filters.js';
import { interrupted, opened, paused, type Row, refused, START, type Stream, withRows } from './buffer.js';
import { recordOf, rowOf } from './row.js';

/** Rows are shown in one go this often, so that a flood does not draw fifty times a second. */
const DRAW_MS = 250;
const AGAIN_MS = 3_000;
/** A tab in the background gives its connection back: a browser has six to a server, and a workspace ten views. */
const HIDDEN_MS = 60_000;

type Ask = Pick<EventFilters, 'source' | 'destination' | 'type'>;

/**
 * The live stream, newest first. A pause holds the picture still, and keeps what comes as long as there is room. Without anything asked, no
 * stream is open.
 */
export function useStream(ask: Ask | undefined, isPaused: boolean): Stream {
  const [stream, setStream] = useState(START);
  const [held, setHeld] = useState<Stream>();
  const query = ask && queryOf(ask);
  useEffect(() => {
    setHeld(undefined);
    return query === undefined ? undefined : follow(query, setStream);
  }, [query]);
  if (isPaused && !held) setHeld(stream);
  if (!isPaused && held) setHeld(undefined);
  return isPaused && held ? paused(held, stream) : stream;
}

const queryOf = ({ source, destination, type }: Ask): string =>
  new URLSearchParams(
    Object.entries({ sourceId: source, destinationId: destination, type }).flatMap(([name, value]) =>
      value ? [[name, value]] : [],
    ),
  ).toString();

/** An event source tells no reason, so the same is asked once more. Undefined if there is none any longer. */
async function refusalOf(query: string): Promise<WeirError | undefined> {
  const asked = new AbortController();
  const params = { query: Object.fromEntries(new URLSearchParams(query)) };
  const { error } = await api.GET('/v2/live-events', { params, parseAs: 'stream', signal: asked.signal });
  asked.abort();
  return error;
}

/** Opens the stream and opens it again when it ends. Answers how to leave it. */
function follow(query: string, tell: (change: (before: Stream) => Stream) => void): () => void {
  let events: EventSource | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let hidden: ReturnType<typeof setTimeout> | undefined;
  let isLeft = false;
  let arrived: Row[] = [];
  let skipped = 0;
  const close = () => {
    clearTimeout(again);
    events?.close();
    events = undefined;
  };
  const open = () => {
    const stream = new EventSource(`/v2/live-events?${query}`);
    events = stream;
    stream.onopen = () => tell((before) => opened(before, Date.now()));
    stream.onerror = async () => {
      const isRefused = stream.readyState === EventSource.CLOSED;
      close();
      tell((before) => interrupted(before, Date.now()));
      const error = isRefused ? await refusalOf(query) : undefined;
      if (isLeft || events) return;
      if (error) tell((before) => refused(before, error.message));
      // a refusal that stays, such as that of a deleted source, is not asked for again and again
      if (!error || mayHeal(error)) again = setTimeout(open, AGAIN_MS);
    };
    for (const kind of ['accepted', 'delivery', 'suppressed'] as const) {
      stream.addEventListener(kind, ({ data }) => {
        const row = rowOf(kind, data);
        if (row) arrived.push(row);
      });
    }
    stream.addEventListener('skipped', ({ data }) => {
      skipped += Number(recordOf(data)['events']) || 0;
    });
  };
  const look = () => {
    clearTimeout(hidden);
    if (document.hidden) {
      hidden = setTimeout(() => {
        close();
        tell((before) => interrupted(before, Date.now()));
      }, HIDDEN_MS);
    } else if (!events) {
      close();
      open();
    }
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
  document.addEventListener('visibilitychange', look);
  return () => {
    isLeft = true;
    document.removeEventListener('visibilitychange', look);
    clearInterval(draw);
    clearTimeout(hidden);
    close();
  };
}
