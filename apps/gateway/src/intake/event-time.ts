/** Lenient RFC 3339: allows a date alone, a space instead of T, any precision, and no zone (UTC). */
const FORM = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;
const HAS_TIME = 11;

const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** Milliseconds since the epoch. Undefined unless the value is a date with a four-digit year. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const form = FORM.exec(value);
  if (!form) return undefined;
  const hasZone = form[1] !== undefined || value.length < HAS_TIME;
  const time = Date.parse(hasZone ? value : `${value}Z`);
  return isWritable(time) ? time : undefined;
}

/** Whether RFC 3339 can express the time. False for NaN. */
export const isWritable = (time: number) => time >= FIRST && time <= LAST;

let formatted = { time: 0, text: new Date(0).toISOString() };

/** RFC 3339 in UTC with milliseconds. Caches the last result, because most events of a request share its receive time. */
export function formatTime(time: number): string {
  if (formatted.time !== time) formatted = { time, text: new Date(time).toISOString() };
  return formatted.text;
}
