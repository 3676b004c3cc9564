import type { WeirError } from '@weir/client';
import { mayHeal } from '../../api/errors.js';
import { interrupted, opened, type Row, refused, START, type Stream, withRows } from './buffer.js';
import { recordOf, rowOf } from './row.js';

/** Rows are shown in one go this often, so that a flood does not draw fifty times a second. */
const DRAW_MS = 250;
export const AGAIN_MS = 3_000;
/** A tab in the background gives its connection back: a browser has six to a server, and a workspace ten views. */
export const HIDDEN_MS = 60_000;

interface Followed {
  url: string;
  /** Asks why the server refused. Undefined if it no longer does. */
  refusalOf: () => Promise<WeirError | undefined>;
  tell: (change: (before: Stream) => Stream) => void;
}

/** Opens the stream and opens it again when it ends, as long as somebody may look. Answers how to leave it. */
export function follow({ url, refusalOf, tell }: Followed): () => void {
  /** The last one, also while it waits to be opened again. None while nobody looks. */
  let current: EventSource | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let hidden: ReturnType<typeof setTimeout> | undefined;
  let arrived: Row[] = [];
  let skipped = 0;
  const close = () => {
    clearTimeout(again);
    current?.close();
    current = undefined;
  };
  const open = () => {
    const stream = new EventSource(url);
    current = stream;
    stream.onopen = () => tell((before) => opened(before, Date.now()));
    stream.onerror = async () => {
      const isRefused = stream.readyState === EventSource.CLOSED;
      stream.close();
      tell((before) => interrupted(before, Date.now()));
      const error = isRefused ? await refusalOf() : undefined;
      if (current !== stream) return;
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
    } else if (!current || current.readyState === EventSource.CLOSED) {
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
  // a tab may begin in the background
  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    clearInterval(draw);
    clearTimeout(hidden);
    close();
  };
}
