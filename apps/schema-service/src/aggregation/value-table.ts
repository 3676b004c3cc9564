import type { Contributor } from './contributors.js';
import { compareText } from './schema.js';
import { decodeCounters, encodeCounters } from './stored-counters.js';
import { type FrequentValue, type ListedValues, ValueCounter } from './value-counter.js';

/** Value counters of one model or version, by path. Only the first `pathsMax` paths get one. */
export class ValueTable {
  private readonly counters = new Map<string, ValueCounter>();

  constructor(private readonly pathsMax: number) {}

  observe(path: string, value: string, by?: Contributor): void {
    this.counterOf(path)?.observe(value, by);
  }

  merge(other: ValueTable): void {
    for (const [path, counter] of other.counters) this.counterOf(path)?.merge(counter);
  }

  /** Whether no further observation of this path can change the table. */
  ignores(path: string): boolean {
    const known = this.counters.get(path);
    return known ? known.counts === undefined : this.counters.size >= this.pathsMax;
  }

  get paths(): Iterable<string> {
    return this.counters.keys();
  }

  /** Paths with at least one frequent value, each with at most `valuesMax` values. */
  frequent(valuesMax: number, which: ListedValues = 'all'): Record<string, FrequentValue[]> {
    const listed = [...this.counters]
      .map(([path, counter]): [string, FrequentValue[]] => [path, counter.frequent(which).slice(0, valuesMax)])
      .filter(([, values]) => values.length > 0);
    return Object.fromEntries(listed.sort(([left], [right]) => compareText(left, right)));
  }

  encode(): string {
    return encodeCounters(this.counters);
  }

  static decode(text: string, pathsMax: number): ValueTable {
    const table = new ValueTable(pathsMax);
    for (const [path, counter] of decodeCounters(text)) {
      if (table.counters.size < pathsMax) table.counters.set(path, counter);
    }
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
