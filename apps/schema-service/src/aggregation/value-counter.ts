import { both, type Contributor } from './contributors.js';
import type { Scalar } from './flatten.js';
import {
  COUNTER_VALUES_MAX,
  FREQUENT_CERTAIN_SHARE,
  FREQUENT_ONE_IN,
  IDENTIFIER_LIKE_OBSERVATIONS,
  VALUE_CHARS_MAX,
} from './limits.js';
import { compareText, isLongerThan } from './schema.js';

export interface FrequentValue {
  Value: string;
  /** Observations of the value at the path (ruling 23). */
  Frequency: number;
}

/** Which values are listed: all frequent ones, or only those that no single contributor is known to have alone. */
export type ListedValues = 'all' | 'of several';

/** Seen at most `count` times and at least `count - error` times. */
interface Count {
  count: number;
  error: number;
  /** The only contributor. Undefined after a second one, or after an event that names nobody. */
  by: Contributor | undefined;
}

/** Forgets half of the values at a time, so that one sort serves many new values. */
const SLACK = 2;

/**
 * Counts the values of one path in bounded memory. Counts are exact up to COUNTER_VALUES_MAX different values. After that the
 * rarest values are forgotten. `floor` bounds how often a forgotten value can have been seen: at most observed /
 * COUNTER_VALUES_MAX, the guarantee of Space-Saving. Counts above `floor` are Misra-Gries counters: each time, forgetting takes
 * at least as much from COUNTER_VALUES_MAX others. Merged counters keep the guarantee.
 *
 * Within one flush, values keep their JSON type, and each path has values of one type. Stored counters hold texts.
 */
export class ValueCounter<Value extends Scalar = string> {
  /** Observations of the path, including values that are never listed. */
  observed = 0;
  floor = 0;
  forgotten = 0;
  /** True once the path is known to hold identifiers. */
  isGivenUp = false;
  /** Most paths repeat one value. */
  private lastValue: Value | undefined;
  private lastCount: Count | undefined;
  /** Created for the second value, because most paths of a flush have only one. */
  private map: Map<Value, Count> | undefined;

  /** Undefined once the path is known to hold identifiers. */
  get counts(): Map<Value, Count> | undefined {
    if (this.isGivenUp) return undefined;
    this.map ??= new Map(this.entries);
    return this.map;
  }

  set counts(counts: Map<Value, Count> | undefined) {
    this.isGivenUp = counts === undefined;
    this.map = counts;
    this.lastCount = undefined;
  }

  /** The entries of `counts`, without creating the map. */
  get entries(): Iterable<[Value, Count]> {
    if (this.map) return this.map;
    return this.lastCount ? [[this.lastValue as Value, this.lastCount]] : [];
  }

  observe(value: Value, by?: Contributor): void {
    this.observed += 1;
    if (value === this.lastValue && this.lastCount) add(this.lastCount, by);
    else this.look(value, by);
  }

  /** Merges another counter of the same path. */
  merge(other: ValueCounter<Value>): void {
    this.observed += other.observed;
    this.forgotten += other.forgotten;
    const { counts } = this;
    if (!counts || !other.counts) {
      this.counts = undefined;
      return;
    }
    for (const [value, mine] of counts) {
      const theirs = other.counts.get(value);
      mine.count += theirs?.count ?? other.floor;
      mine.error += theirs?.error ?? other.floor;
      if (theirs) mine.by = both(mine.by, theirs.by);
    }
    for (const [value, { count, error, by }] of other.counts) {
      if (!counts.has(value)) counts.set(value, { count: count + this.floor, error: error + this.floor, by });
    }
    this.floor += other.floor;
    this.shrink(COUNTER_VALUES_MAX);
    if (this.isIdentifierLike) this.counts = undefined;
  }

  /** Keeps only the most frequent values. */
  shrink(capacity: number): void {
    const { counts } = this;
    if (!counts || counts.size <= capacity) return;
    const ranked = [...counts].sort(byFrequency);
    this.floor = Math.max(this.floor, ranked[capacity]?.[1].count ?? 0);
    this.forgotten += ranked.length - capacity;
    this.counts = new Map(ranked.slice(0, capacity));
  }

  /** Values that make up at least one in FREQUENT_ONE_IN observations. Most frequent first, then by value. */
  frequent(listed: ListedValues = 'all'): FrequentValue[] {
    return [...this.entries]
      .filter(([, { count, error, by }]) => {
        if (listed === 'of several' && by) return false;
        const certain = count - error;
        return count * FREQUENT_ONE_IN >= this.observed && certain >= this.observed * FREQUENT_CERTAIN_SHARE;
      })
      .sort(byFrequency)
      .map(([value, { count }]) => ({ Value: String(value), Frequency: count }));
  }

  private look(value: Value, by: Contributor | undefined): void {
    if (this.isGivenUp || (typeof value === 'string' && isLongerThan(value, VALUE_CHARS_MAX))) return;
    const counts = this.map ?? (this.lastCount ? this.counts : undefined);
    let known = counts?.get(value);
    if (known) add(known, by);
    else known = { count: this.floor + 1, error: this.floor, by };
    counts?.set(value, known);
    this.lastValue = value;
    this.lastCount = known;
    if (counts && counts.size > COUNTER_VALUES_MAX * SLACK) this.shrink(COUNTER_VALUES_MAX);
  }

  /** Most observations brought a value that was not kept, and none is frequent. Such paths hold ids, times or free text. */
  private get isIdentifierLike(): boolean {
    if (this.observed < IDENTIFIER_LIKE_OBSERVATIONS || this.forgotten * 2 < this.observed) return false;
    return this.frequent().length === 0;
  }
}

/** Compares by reference, because each contributor is one object within a flush. */
function add(known: Count, by: Contributor | undefined): void {
  known.count += 1;
  if (known.by !== by) known.by = undefined;
}

const byFrequency = ([left, { count: a }]: [Scalar, Count], [right, { count: b }]: [Scalar, Count]) =>
  b - a || compareText(String(left), String(right));
