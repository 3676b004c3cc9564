import { storableText } from '@weir/contracts';
import type { Contributor } from './contributors.js';
import type { Scalar } from './flatten.js';
import { COUNTERS_BYTES_MAX } from './limits.js';
import { ValueCounter } from './value-counter.js';

/** Values kept per path when all together are too large to store. Each counter's `floor` covers the values left out. */
const TIGHTER_CAPACITIES = [128, 64, 32, 16, 8, 4, 2, 1, 0];

type StoredCount = [value: string, count: number, error: number, by?: number];
type StoredCounter = [
  path: string,
  observed: number,
  floor: number,
  forgotten: number,
  /** Null once the path is known to hold identifiers. */
  counts: StoredCount[] | null,
  /** Set on the first counter only: the contributor keys of all counters. A count refers to a key by its index here. */
  keys?: string[],
];

/** JSON text of at most COUNTERS_BYTES_MAX bytes. Shrinks the counters until they fit. */
export function encodeCounters(counters: ReadonlyMap<string, ValueCounter<Scalar>>): string {
  let text = textOf(counters);
  for (const capacity of TIGHTER_CAPACITIES) {
    if (text.length * 3 <= COUNTERS_BYTES_MAX || Buffer.byteLength(text) <= COUNTERS_BYTES_MAX) break;
    for (const counter of counters.values()) counter.shrink(capacity);
    text = textOf(counters);
  }
  return text;
}

export function decodeCounters(text: string): [path: string, counter: ValueCounter][] {
  const stored = JSON.parse(text) as StoredCounter[];
  const contributors = keysOf(stored).map((key): Contributor => ({ key }));
  const countOf = ([value, count, error, by = NOBODY]: StoredCount) =>
    [value, { count, error, by: contributors[by] }] as const;
  return stored.map(([path, observed, floor, forgotten, counts]) => {
    const counter = new ValueCounter();
    counter.counts = counts ? new Map(counts.map(countOf)) : undefined;
    return [path, Object.assign(counter, { observed, floor, forgotten })];
  });
}

/** Selects a value by its text, its path and the key of its only contributor. */
type IsWanted = (value: string, path: string, key: string | undefined) => boolean;

export function holdsValue(text: string, isWanted: IsWanted): boolean {
  const stored = JSON.parse(text) as StoredCounter[];
  const keys = keysOf(stored);
  return stored.some(([path, , , , counts]) =>
    counts?.some(([value, , , by = NOBODY]) => isWanted(value, path, keys[by])),
  );
}

/**
 * The stored counters without the values that `shouldForget` selects, and without contributor keys that nothing refers to any
 * more. Undefined if it selects none. Observations stay counted.
 */
export function withoutValues(text: string, shouldForget: IsWanted): string | undefined {
  const stored = JSON.parse(text) as StoredCounter[];
  const keys = keysOf(stored);
  const used = new Set<number | undefined>();
  let found = false;
  for (const counter of stored) {
    const [path, , , , counts] = counter;
    const left = counts?.filter(([value, , , by = NOBODY]) => !shouldForget(value, path, keys[by])) ?? null;
    for (const [, , , by] of left ?? []) used.add(by);
    found ||= left?.length !== counts?.length;
    counter[4] = left;
  }
  if (stored[0] && keys.length > 0) stored[0][5] = keys.map((key, place) => (used.has(place) ? key : ''));
  return found ? JSON.stringify(stored) : undefined;
}

/** An index that matches no key. */
const NOBODY = -1;

const keysOf = ([first]: StoredCounter[]): string[] => first?.[5] ?? [];

function textOf(counters: ReadonlyMap<string, ValueCounter<Scalar>>): string {
  const places = new Map<string, number>();
  const placeOf = ({ key }: Contributor): number => {
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, places.size);
    return places.size - 1;
  };
  const stored = [...counters].map((entry) => toStored(entry, placeOf));
  if (places.size > 0) stored[0]?.push([...places.keys()]);
  const text = JSON.stringify(stored);
  return UNSTORABLE.test(text) ? JSON.stringify(stored.map(cleaned)) : text;
}

type PlaceOf = (by: Contributor) => number;

function toStored([path, counter]: [string, ValueCounter<Scalar>], placeOf: PlaceOf): StoredCounter {
  const { observed, floor, forgotten, isGivenUp, entries } = counter;
  return [path, observed, floor, forgotten, isGivenUp ? null : countsOf(entries, placeOf)];
}

type Count = { count: number; error: number; by: Contributor | undefined };

function countsOf(entries: Iterable<[Scalar, Count]>, placeOf: PlaceOf): StoredCount[] {
  const stored: StoredCount[] = [];
  for (const [value, { count, error, by }] of entries) {
    stored.push(by ? [String(value), count, error, placeOf(by)] : [String(value), count, error]);
  }
  return stored;
}

/** How JSON writes what the database cannot hold. One look at the whole text costs much less than one at each value. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** Counts values as one if the database has to hold them under one text. */
function cleaned([path, observed, floor, forgotten, counts, ...keys]: StoredCounter): StoredCounter {
  return [path, observed, floor, forgotten, counts && joined(counts), ...keys];
}

function joined(counts: readonly StoredCount[]): StoredCount[] {
  const byText = new Map<string, StoredCount>();
  for (const [value, count, error, by] of counts) {
    const text = storableText(value);
    const [, knownCount, knownError, knownBy] = byText.get(text) ?? [text, 0, 0, by];
    const sum: [string, number, number] = [text, count + knownCount, error + knownError];
    byText.set(text, by === undefined || by !== knownBy ? sum : [...sum, by]);
  }
  return [...byText.values()];
}
