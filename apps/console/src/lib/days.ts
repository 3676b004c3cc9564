const DAY_MS = 86_400_000;

/** Days that the server counts, including today. */
export const DAYS_SHOWN = 30;

export interface Day {
  /** Begin of the day in UTC. */
  at: Date;
  events: number;
}

/** Every day of the last month in UTC, also those without events. */
export function everyDay(days: readonly { Day: string; Events: number }[], now: number): Day[] {
  const known = new Map(days.map(({ Day, Events }) => [Day, Events]));
  return Array.from({ length: DAYS_SHOWN }, (_, index) => {
    const at = new Date((Math.floor(now / DAY_MS) - DAYS_SHOWN + 1 + index) * DAY_MS);
    return { at, events: known.get(at.toISOString().slice(0, 10)) ?? 0 };
  });
}
