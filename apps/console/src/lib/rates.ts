interface Count {
  destinationId: string;
  delivered: number;
}

/** Counters at a time in milliseconds. */
export interface Reading {
  at: number;
  rows: readonly Count[];
}

/**
 * Events that were delivered each second between two readings, by destination. A sum over the last hours falls when an hour leaves
 * it, which is not a negative rate.
 */
export function ratesOf(before: Reading | undefined, now: Reading): ReadonlyMap<string, number> {
  const seconds = before ? (now.at - before.at) / 1_000 : 0;
  if (!before || seconds <= 0) return new Map();
  const earlier = new Map(before.rows.map(({ destinationId, delivered }) => [destinationId, delivered]));
  return new Map(
    now.rows.map(({ destinationId, delivered }) => [
      destinationId,
      Math.max(0, delivered - (earlier.get(destinationId) ?? 0)) / seconds,
    ]),
  );
}

/** "12/s", or by the minute below one each second. Empty for none. */
export function rateText(perSecond: number): string {
  if (perSecond <= 0) return '';
  if (perSecond < 1) return `${Math.max(1, Math.round(perSecond * 60))}/min`;
  return `${perSecond < 10 ? Number(perSecond.toFixed(1)) : Math.round(perSecond)}/s`;
}

const HOUR_MS = 3_600_000;

/** Every hour of the range up to now, also those that are missing because nothing came. */
export function everyHour<Row extends { hour: string }>(
  rows: readonly Row[],
  hours: number,
  now: number,
): { at: Date; row: Row | undefined }[] {
  const last = Math.floor(now / HOUR_MS);
  const known = new Map(rows.map((row) => [Math.floor(Date.parse(row.hour) / HOUR_MS), row]));
  return Array.from({ length: hours }, (_, index) => {
    const hour = last - hours + 1 + index;
    return { at: new Date(hour * HOUR_MS), row: known.get(hour) };
  });
}
