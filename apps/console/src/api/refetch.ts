import { paceOf } from '../lib/pace.js';
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
