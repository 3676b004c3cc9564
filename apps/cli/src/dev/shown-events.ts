import type { Change } from '../project/compare.js';
import type { Json, JsonObject } from '../project/json.js';
import { isObject } from '../project/json.js';
import type { UserError } from './results.js';

/** The result of code for one event. */
export interface EventOutcome {
  transformation: string;
  /** The test, or `samples`. */
  test: string;
  event: JsonObject;
  outcome: 'same' | 'changed' | 'dropped' | 'fanned out' | 'failed';
  /** Against the event, of the first output. */
  changes: Change[];
  outputs: JsonObject[];
  error?: UserError;
  /** Event and outputs are left out, because the result would be too large. */
  isCut?: boolean;
}

/** Shorter values are not secrets, and masking them would hide single letters everywhere. A server has the same limit. */
const SECRET_CHARS_MIN = 4;
const MASK = '***';
/** Length of all events and outputs that one result holds as JSON. A terminal, a CI log or an assistant reads no more. */
const EVENTS_CHARS_MAX = 8 * 1_024 * 1_024;

/** Returns a function that masks the values of credentials. Code may put them into an output, and outputs end in logs. */
export function maskOf(credentials: readonly { value: string }[]): (output: JsonObject) => JsonObject {
  const secrets = credentials
    .map(({ value }) => value)
    .filter(({ length }) => length >= SECRET_CHARS_MIN)
    .sort((a, b) => b.length - a.length);
  if (secrets.length === 0) return (output) => output;
  const text = (value: string) => secrets.reduce((shown, secret) => shown.replaceAll(secret, MASK), value);
  const masked = (value: Json): Json => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(masked);
    return isObject(value) ? maskedObject(value) : value;
  };
  const maskedObject = (value: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(value).map(([key, one]) => [text(key), masked(one)]));
  return maskedObject;
}

/** The events of a result. Those beyond the limit keep their outcome, and lose what the code was given and made. */
export function bounded(events: readonly EventOutcome[]): EventOutcome[] {
  let left = EVENTS_CHARS_MAX;
  return events.map((one) => {
    left -= JSON.stringify(one).length;
    return left >= 0 ? one : { ...one, event: {}, changes: [], outputs: [], isCut: true };
  });
}
