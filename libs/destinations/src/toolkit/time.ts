/** Milliseconds of an ISO text, a `Date`'s text or an epoch in seconds or milliseconds; undefined when it is no time. */
export function toUnixMillis(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? millisOfEpoch(value) : undefined;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  if (/^\d+$/.test(value)) return millisOfEpoch(Number(value));
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : at;
}

/** An epoch below this is in seconds: as milliseconds it would lie in 1973. */
const SECONDS_BELOW = 100_000_000_000;
const millisOfEpoch = (epoch: number) => (Math.abs(epoch) < SECONDS_BELOW ? epoch * 1_000 : epoch);

/** Whole seconds since 1970. */
export function toUnixSeconds(value: unknown): number | undefined {
  const at = toUnixMillis(value);
  return at === undefined ? undefined : Math.floor(at / 1_000);
}

/** `2026-01-31T10:00:00.000Z`. */
export function toIso(value: unknown): string | undefined {
  const at = toUnixMillis(value);
  return at === undefined || Math.abs(at) > 8.64e15 ? undefined : new Date(at).toISOString();
}

/** `2026-01-31T10:00:00Z`, for vendors that refuse milliseconds. */
export const toIsoSeconds = (value: unknown): string | undefined => toIso(value)?.replace(/\.\d{3}Z$/, 'Z');

/** `2026-01-31`. */
export const toDate = (value: unknown): string | undefined => toIso(value)?.slice(0, 10);

/** Milliseconds that have gone by since then; negative for a time to come. */
export const ageMs = (value: unknown, nowMs: number): number | undefined => {
  const at = toUnixMillis(value);
  return at === undefined ? undefined : nowMs - at;
};
