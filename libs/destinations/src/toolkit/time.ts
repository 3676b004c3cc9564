import { TIME_LENGTH_MAX } from './convert.js';

/** Parses an ISO text, a `Date` text, or an epoch in seconds or milliseconds. Undefined if the value is not a time. */
export function toUnixMillis(value: unknown): number | undefined {
  if (typeof value === 'number') return millisOfEpoch(value);
  if (typeof value !== 'string' || value.length > TIME_LENGTH_MAX || value.trim() === '') return undefined;
  if (/^\d+$/.test(value)) return millisOfEpoch(Number(value));
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : at;
}

/** A smaller epoch is in seconds. As milliseconds it would be before March 1973. */
const SECONDS_BELOW = 100_000_000_000;
/** The last moment that a `Date` holds, in milliseconds. What is later is no time. */
const MILLIS_MAX = 8.64e15;
function millisOfEpoch(epoch: number): number | undefined {
  const at = Math.abs(epoch) < SECONDS_BELOW ? epoch * 1_000 : epoch;
  return Math.abs(at) <= MILLIS_MAX ? at : undefined;
}

/** Whole seconds since 1970. */
export function toUnixSeconds(value: unknown): number | undefined {
  const at = toUnixMillis(value);
  return at === undefined ? undefined : Math.floor(at / 1_000);
}

/** `2026-01-31T10:00:00.000Z`. */
export function toIso(value: unknown): string | undefined {
  const at = toUnixMillis(value);
  return at === undefined ? undefined : new Date(at).toISOString();
}

/** `2026-01-31T10:00:00Z`, for vendors that refuse milliseconds. */
export const toIsoSeconds = (value: unknown): string | undefined => toIso(value)?.replace(/\.\d{3}Z$/, 'Z');

/** `2026-01-31`. */
export const toDate = (value: unknown): string | undefined => toIso(value)?.slice(0, 10);

/** Milliseconds since that time. Negative for a time in the future. */
export const ageMs = (value: unknown, nowMs: number): number | undefined => {
  const at = toUnixMillis(value);
  return at === undefined ? undefined : nowMs - at;
};

/** Offset of a time zone such as `Asia/Tokyo` from UTC at a moment, in seconds. Undefined for an unknown zone. */
export function zoneOffsetSeconds(zone: unknown, atMs: number): number | undefined {
  const name = zoneName(zone, atMs, 'longOffset', 'en-US');
  if (name === undefined) return undefined;
  const [, sign, hours = '0', minutes = '0'] = /^GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  const seconds = Number(hours) * 3_600 + Number(minutes) * 60;
  return sign === '-' ? -seconds : seconds;
}

/** Each locale knows the short zone names in use there. */
const LOCALES = ['en-US', 'en-IN', 'en-GB', 'en-AU', 'en-NZ', 'en-ZA', 'ja', 'id'];

/** `IST` for `Asia/Kolkata`, or `-03` for zones without a short name, as in the tz database. */
export function zoneAbbreviation(zone: unknown, atMs: number): string | undefined {
  const names = LOCALES.map((locale) => zoneName(zone, atMs, 'short', locale));
  const name = names.find((short) => short !== undefined && !/^(?:GMT|UTC)[+-]/.test(short)) ?? names[0];
  const [, sign, hours = '', minutes = ''] = /^GMT([+-])(\d{1,2})(?::(\d{2}))?$/.exec(name ?? '') ?? [];
  return sign ? `${sign}${hours.padStart(2, '0')}${minutes}` : name;
}

function zoneName(
  zone: unknown,
  atMs: number,
  timeZoneName: 'short' | 'longOffset',
  locale: string,
): string | undefined {
  if (typeof zone !== 'string' || zone === '' || zone.length > TIME_LENGTH_MAX) return undefined;
  try {
    const parts = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName }).formatToParts(atMs);
    return parts.find(({ type }) => type === 'timeZoneName')?.value;
  } catch {
    return undefined;
  }
}
