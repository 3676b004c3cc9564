import { TRIAL_EVENTS } from '@weir/contracts';

/** Events that code ran over, and those of them that it failed on. */
export interface Tally {
  events: number;
  errors: number;
}

/** By deliverer; each says anew what it has counted in all. */
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
 * A version fails when its errors reach `errorRate` of its first {@link TRIAL_EVENTS} events, and as soon as the rest of them can no
 * longer help. Several deliverers may have run a few more events by then: those count, too.
 */
export function verdictOf({ events, errors }: Tally, errorRate: number): 'running' | 'passed' | 'failed' {
  if (errors / Math.max(events, TRIAL_EVENTS) >= errorRate) return 'failed';
  return events < TRIAL_EVENTS ? 'running' : 'passed';
}
