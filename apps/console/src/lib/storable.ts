import { isRecord } from './json.js';

/**
 * The event with U+FFFD instead of what no database can hold: NUL, and halves of surrogate pairs. A stranger may send both, and
 * the API refuses a request with them, also if only one of many events to test with is such a one.
 */
export function storable<Value>(value: Value): Value {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\uFFFD') as Value;
  if (Array.isArray(value)) return value.map(storable) as Value;
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storable(key), storable(inner)])) as Value;
}
