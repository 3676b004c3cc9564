import { both, type Contributor } from './contributors.js';
import type { Scalar } from './flatten.js';
import {
  COUNTER_VALUES_MAX,
  FREQUENT_CERTAIN_SHARE,
  FREQUENT_ONE_IN,
  IDENTIFIER_LIKE_OBSERVATIONS,
  VALUE_CHARS_MAX,
} from './limits.js';
import { compareText, isLongerThan } from './text.js';

export interface FrequentValue {
  Value: string;
  /** How often it was seen at the path (ruling 23). */
  Frequency: number;
}

/** Which values are listed: all that are frequent, or only those that nobody is known to have alone. */
export type ListedValues = 'all' | 'of several';

/** Seen at most `count` times, at least `count - error` times. */
interface Count {
  count: number;
  error: number;
  /** The only one who is known to have it; undefined once there was a second one, or one without a name. */
  by: Contributor | undefined;
}

/** Forgetting half at a time makes it cheap: one sort for so many new values. */
const SLACK = 2;

/**
 * How often each value of one path was seen, in bounded memory. Exact until more than COUNTER_VALUES_MAX different values
 * came. After that the rarest are forgotten, and `floor` says how often a forgotten value can have been seen: never more
 * than observed / COUNTER_VALUES_MAX, the guarantee of Space-Saving. (Counts above `floor` are Misra-Gries counters:
 * forgetting takes at least as much from each of COUNTER_VALUES_MAX others.) Counters of parts merge with the same guarantee.
 *
 * Within one flush values are what they are in JSON and of one type; what is stored holds their texts.
 */
export class ValueCounter<Value extends Scalar = string> {
  /** Observations of the path, unlistable ones included. */
  observed = 0;
  floor = 0;
  forgotten = 0;
  /** The path turned out to hold identifiers. */
  isGivenUp = false;
  /** Most paths have the same value again and again. */
  private lastValue: Value | undefined;
  private lastCount: Count | undefined;
  /** Not before a second value comes: most paths of a flush have one. */
  private map: Map<Value, Count> | undefined;

  /** Undefined once the path turned out to hold identifiers. */
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

  /** What `counts` holds, without making it. */
  get entries(): Iterable<[Value, Count]> {
    if (this.map) return this.map;
    return this.lastCount ? [[this.lastValue as Value, this.lastCount]] : [];
  }

  observe(value: Value, by?: Contributor): void {
    this.observed += 1;
    if (value === this.lastValue && this.lastCount) add(this.lastCount, by);
    else this.look(value, by);
  }

  /** Takes in what another counter saw of the same path. */
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

  /** Keeps the most frequent values only. */
  shrink(capacity: number): void {
    const { counts } = this;
    if (!counts || counts.size <= capacity) return;
    const ranked = [...counts].sort(byFrequency);
    this.floor = Math.max(this.floor, ranked[capacity]?.[1].count ?? 0);
    this.forgotten += ranked.length - capacity;
    this.counts = new Map(ranked.slice(0, capacity));
  }

  /** Values of at least one in FREQUENT_ONE_IN observations; most frequent first, then by value. */
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

  /** Most observations brought a value that could not be kept, and none is frequent: ids, times, free text. */
  private get isIdentifierLike(): boolean {
    if (this.observed < IDENTIFIER_LIKE_OBSERVATIONS || this.forgotten * 2 < this.observed) return false;
    return this.frequent().length === 0;
  }
}

/** Within one flush every contributor is one object. */
function add(known: Count, by: Contributor | undefined): void {
  known.count += 1;
  if (known.by !== by) known.by = undefined;
}

const byFrequency = ([left, { count: a }]: [Scalar, Count], [right, { count: b }]: [Scalar, Count]) =>
  b - a || compareText(String(left), String(right));
