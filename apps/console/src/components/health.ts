import type { Counters, Destination } from '../api/inventory.js';
import type { Tone } from './ui/badge.js';

/** How a destination fares, in a word and a tone. `isCounted`: whether the counters are there, so that none of it means no events. */
export function healthOf(
  { status }: Pick<Destination, 'status'>,
  counters: Pick<Counters, 'accepted' | 'dead' | 'inRetry'> | undefined,
  isCounted: boolean,
): { tone: Tone; label: string } {
  if (status === 'disabled') return { tone: 'neutral', label: 'off' };
  if (status === 'incomplete') return { tone: 'warn', label: 'incomplete' };
  if (!isCounted) return { tone: 'neutral', label: 'unknown' };
  if (!counters || counters.accepted === 0) return { tone: 'neutral', label: 'no events' };
  if (counters.dead > 0) return { tone: 'bad', label: 'failing' };
  if (counters.inRetry > 0) return { tone: 'warn', label: 'retrying' };
  return { tone: 'good', label: 'healthy' };
}
