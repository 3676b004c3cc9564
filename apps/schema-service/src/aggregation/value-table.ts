import { COUNTERS_BYTES_MAX } from './limits.js';
import { compareText } from './text.js';
import type { FrequentValue } from './value-counter.js';
import { ValueCounter } from './value-counter.js';

/** Values kept by each path when all together are too large to store; what is then left out is in each counter's `floor`. */
const TIGHTER_CAPACITIES = [128, 64, 32, 16, 8, 4, 2, 1, 0];

type StoredCounter = [
  path: string,
  observed: number,
  floor: number,
  forgotten: number,
  counts: [value: string, count: number, error: number][] | null,
];

/** Value counters of one model or version, by path. The first `pathsMax` paths get one. */
export class ValueTable {
  private readonly counters = new Map<string, ValueCounter>();

  constructor(private readonly pathsMax: number) {}

  observe(path: string, value: string): void {
    this.counterOf(path)?.observe(value);
  }

  merge(other: ValueTable): void {
    for (const [path, counter] of other.counters) this.counterOf(path)?.merge(counter);
  }

  /** Removes the values that `shouldForget`; answers whether there were any. Observations stay counted. */
  forget(shouldForget: (value: string, path: string) => boolean): boolean {
    let found = false;
    for (const [path, { counts }] of this.counters) {
      for (const value of counts?.keys() ?? []) {
        if (!shouldForget(value, path)) continue;
        counts?.delete(value);
        found = true;
      }
    }
    return found;
  }

  /** Paths with at least one frequent value, each with up to `valuesMax`. */
  frequent(valuesMax: number): Record<string, FrequentValue[]> {
    const listed = [...this.counters]
      .map(([path, counter]): [string, FrequentValue[]] => [path, counter.frequent().slice(0, valuesMax)])
      .filter(([, values]) => values.length > 0);
    return Object.fromEntries(listed.sort(([left], [right]) => compareText(left, right)));
  }

  /** JSON text of at most COUNTERS_BYTES_MAX. */
  encode(): string {
    let text = JSON.stringify([...this.counters].map(toStored));
    for (const capacity of TIGHTER_CAPACITIES) {
      if (Buffer.byteLength(text) <= COUNTERS_BYTES_MAX) break;
      for (const counter of this.counters.values()) counter.shrink(capacity);
      text = JSON.stringify([...this.counters].map(toStored));
    }
    return text;
  }

  static decode(text: string, pathsMax: number): ValueTable {
    const table = new ValueTable(pathsMax);
    for (const [path, ...stored] of JSON.parse(text) as StoredCounter[]) table.counters.set(path, fromStored(stored));
    return table;
  }

  private counterOf(path: string): ValueCounter | undefined {
    const known = this.counters.get(path);
    if (known || this.counters.size >= this.pathsMax) return known;
    const counter = new ValueCounter();
    this.counters.set(path, counter);
    return counter;
  }
}

function toStored([path, { observed, floor, forgotten, counts }]: [string, ValueCounter]): StoredCounter {
  const values =
    counts && [...counts].map(([value, { count, error }]): [string, number, number] => [value, count, error]);
  return [path, observed, floor, forgotten, values ?? null];
}

function fromStored([observed, floor, forgotten, values]: StoredCounter extends [string, ...infer Rest]
  ? Rest
  : never) {
  const counter = new ValueCounter();
  counter.counts = values ? new Map(values.map(([value, count, error]) => [value, { count, error }])) : undefined;
  return Object.assign(counter, { observed, floor, forgotten });
}
