const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** "3 min. ago", by the largest unit that fits. */
export function ago(at: Date, now: Date): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1_000);
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return RELATIVE.format(Math.trunc(seconds / size), unit);
}

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const EXACT_CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});
const HOUR = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** In the viewer's zone. */
export const clock = (at: Date): string => CLOCK.format(at);
/** With milliseconds, for what happens many times in a second. */
export const exactClock = (at: Date): string => EXACT_CLOCK.format(at);
export const fullTime = (at: Date): string => FULL.format(at);
const HOUR_TICK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const DATE_TICK = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const DAY_TICK = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });
/** Short words below a chart: midnight is told by its date. */
export const hourTick = (at: Date): string =>
  at.getHours() === 0 && at.getMinutes() === 0 ? DATE_TICK.format(at) : HOUR_TICK.format(at);
export const dayTick = (at: Date): string => DAY_TICK.format(at);

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
/** The day of a count in UTC. */
export const dayTime = (at: Date): string => DAY.format(at);
/** The time of a whole hour, so without seconds. */
export const hourTime = (at: Date): string => HOUR.format(at);

const COUNT = new Intl.NumberFormat('en-US');
const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** All digits, for numbers that people compare. */
export const exact = (value: number): string => COUNT.format(value);

/** Short from 100,000 on. */
export const count = (value: number): string => (value < 100_000 ? COUNT.format(value) : SHORT.format(value));

/** "1 event", "2 events" */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** "as in a title" becomes "As in a title". */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function bytes(value: number): string {
  if (value < 1_024) return `${value} B`;
  return value < 1_048_576 ? `${(value / 1_024).toFixed(1)} KB` : `${(value / 1_048_576).toFixed(1)} MB`;
}

/** "12.5 %", and never 0 % or 100 % for something in between. */
export function share(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (100 * part) / whole;
  if (percent > 0 && percent < 0.1) return '<0.1%';
  if (percent < 100 && percent > 99.9) return '>99.9%';
  return `${Number(percent.toFixed(1))}%`;
}

export function milliseconds(value: number): string {
  if (value < 1) return '<1 ms';
  return value < 1_000 ? `${Math.round(value)} ms` : `${(value / 1_000).toFixed(1)} s`;
}
