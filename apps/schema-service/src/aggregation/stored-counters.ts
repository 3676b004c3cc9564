import { storableText } from '@weir/contracts';
import type { Scalar } from './flatten.js';
import { COUNTERS_BYTES_MAX } from './limits.js';
import { ValueCounter } from './value-counter.js';

/** Values kept by each path when all together are too large to store; what is then left out is in each counter's `floor`. */
const TIGHTER_CAPACITIES = [128, 64, 32, 16, 8, 4, 2, 1, 0];

type StoredCount = [value: string, count: number, error: number];
type StoredCounter = [
  path: string,
  observed: number,
  floor: number,
  forgotten: number,
  /** Null once the path turned out to hold identifiers. */
  counts: StoredCount[] | null,
];

/** JSON text of at most COUNTERS_BYTES_MAX; counters that do not fit are made smaller. */
export function encodeCounters(counters: ReadonlyMap<string, ValueCounter<Scalar>>): string {
  let text = JSON.stringify([...counters].map(toStored));
  for (const capacity of TIGHTER_CAPACITIES) {
    if (text.length * 3 <= COUNTERS_BYTES_MAX || Buffer.byteLength(text) <= COUNTERS_BYTES_MAX) break;
    for (const counter of counters.values()) counter.shrink(capacity);
    text = JSON.stringify([...counters].map(toStored));
  }
  return text;
}

export function decodeCounters(text: string): [path: string, counter: ValueCounter][] {
  return (JSON.parse(text) as StoredCounter[]).map(([path, observed, floor, forgotten, counts]) => {
    const counter = new ValueCounter();
    counter.counts = counts ? new Map(counts.map(([value, count, error]) => [value, { count, error }])) : undefined;
    return [path, Object.assign(counter, { observed, floor, forgotten })];
  });
}

function toStored([path, counter]: [string, ValueCounter<Scalar>]): StoredCounter {
  const { observed, floor, forgotten, isGivenUp, entries } = counter;
  return [path, observed, floor, forgotten, isGivenUp ? null : textsOf(entries)];
}

/** Values that the database has to hold under one text are counted as one. */
function textsOf(counts: Iterable<[Scalar, { count: number; error: number }]>): StoredCount[] {
  const stored: StoredCount[] = [];
  let cleaned = false;
  for (const [value, { count, error }] of counts) {
    const text = typeof value === 'string' ? storableText(value) : String(value);
    cleaned ||= typeof value === 'string' && text !== value;
    stored.push([text, count, error]);
  }
  return cleaned ? joined(stored) : stored;
}

function joined(counts: readonly StoredCount[]): StoredCount[] {
  const byText = new Map<string, StoredCount>();
  for (const [text, count, error] of counts) {
    const [, more, moreError] = byText.get(text) ?? [text, 0, 0];
    byText.set(text, [text, count + more, error + moreError]);
  }
  return [...byText.values()];
}
