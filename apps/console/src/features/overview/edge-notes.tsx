import type { Counters, Destination } from '../../api/inventory.js';
import type { Tone } from '../../components/ui/badge.js';
import { ago, count, milliseconds } from '../../lib/format.js';
import { rateText } from '../../lib/rates.js';
import { ROW } from './layout.js';

export interface EdgeNote {
  tone: Tone;
  text: string;
  /** The whole of it, in words. */
  title: string;
}

/** Notes beside a connection to a destination: its breaker, failures or wait. If there is none of these, the rate and the lag. */
export function edgeNoteOf(row: Counters | undefined, rate: number, now = new Date()): EdgeNote | undefined {
  if (!row || row.accepted === 0) return undefined;
  const { breakerOpen, dead, inRetry, waitingSince, latencyMs } = row;
  const waits = inRetry > 0 && waitingSince ? `, the oldest from ${ago(new Date(waitingSince), now)}` : '';
  const parts = [rateText(rate), latencyMs && milliseconds(latencyMs.p95)].filter(Boolean);
  const title = [
    rate > 0 ? `${rateText(rate)} delivered now` : 'nothing delivered in the last seconds',
    latencyMs && `95 of 100 events within ${milliseconds(latencyMs.p95)}`,
    inRetry > 0 && `${count(inRetry)} waiting to be retried${waits}`,
    dead > 0 && `${count(dead)} could not be delivered`,
    breakerOpen && 'its breaker is open: only a few attempts are made',
  ]
    .filter(Boolean)
    .join('; ');
  if (breakerOpen) return { tone: 'bad', text: 'breaker open', title };
  if (inRetry > 0) return { tone: 'warn', text: `${count(inRetry)} waiting`, title };
  if (dead > 0) return { tone: 'bad', text: [...parts, `${count(dead)} failed`].join(' · '), title };
  return parts.length > 0 ? { tone: 'good', text: parts.join(' · '), title } : undefined;
}

const COLOURS: Partial<Record<Tone, string>> = { bad: 'text-bad', warn: 'text-warn' };

interface EdgeNotesProps {
  destinations: readonly Destination[];
  notes: ReadonlyMap<string, EdgeNote>;
}

/** Notes on the lines, each where its line enters the destination. */
export const EdgeNotes = ({ destinations, notes }: EdgeNotesProps) => (
  <ul aria-label="Ways into destinations" className="absolute inset-x-0 top-6">
    {destinations.map(({ id, name }, row) => {
      const note = notes.get(id);
      return (
        note && (
          <li
            key={id}
            title={note.title}
            className={`tnum absolute right-3 rounded bg-surface px-1 text-[11px] leading-4 whitespace-nowrap ${COLOURS[note.tone] ?? 'text-muted'}`}
            style={{ top: row * ROW + ROW / 2 - 8 }}
          >
            <span className="sr-only">
              {name}: {note.title}
            </span>
            <span aria-hidden>{note.text}</span>
          </li>
        )
      );
    })}
  </ul>
);
