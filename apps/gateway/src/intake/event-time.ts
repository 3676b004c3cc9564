/** RFC 3339, leniently: a date alone, a space for the T, any precision, no zone (UTC then). */
const FORM = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;
const HAS_TIME = 11;

const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** Milliseconds since the epoch, or undefined when the value is not a date of a four-digit year. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const form = FORM.exec(value);
  if (!form) return undefined;
  const hasZone = form[1] !== undefined || value.length < HAS_TIME;
  const time = Date.parse(hasZone ? value : `${value}Z`);
  return isWritable(time) ? time : undefined;
}

/** Whether RFC 3339 has a form for it; false for NaN. */
export const isWritable = (time: number) => time >= FIRST && time <= LAST;

let formatted = { time: 0, text: new Date(0).toISOString() };

/** RFC 3339 with milliseconds, UTC. Most are of the same moment as the one before: when the request came. */
export function formatTime(time: number): string {
  if (formatted.time !== time) formatted = { time, text: new Date(time).toISOString() };
  return formatted.text;
}
