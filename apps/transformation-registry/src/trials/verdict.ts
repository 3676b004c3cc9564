import { TRIAL_EVENTS } from '@weir/contracts';

/** Events that the code ran over, and those that it failed on. */
export interface Tally {
  events: number;
  errors: number;
}

/** Keyed by deliverer. Each report holds that deliverer's totals. */
export type Reports = Readonly<Record<string, Tally>>;

export const sumOf = (reports: Reports): Tally =>
  Object.values(reports).reduce(
    (sum, { events, errors }) => ({
      events: sum.events + events,
      errors: sum.errors + errors,
    }),
    { events: 0, errors: 0 },
  );

/**
 * A version fails when its errors reach `errorRate` of its first {@link TRIAL_EVENTS} events. It fails as soon as the remaining
 * events can no longer change that. Several deliverers may have run a few more events by then, and those count too.
 */
export function verdictOf({ events, errors }: Tally, errorRate: number): 'running' | 'passed' | 'failed' {
  if (errors / Math.max(events, TRIAL_EVENTS) >= errorRate) return 'failed';
  return events < TRIAL_EVENTS ? 'running' : 'passed';
}
