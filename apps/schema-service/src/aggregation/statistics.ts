import type { JsonObject } from '@weir/contracts';
import { Slices } from '@weir/messaging';
import type { Contributor } from './contributors.js';
import type { Leaves, Scalar } from './flatten.js';
import { MODEL_COUNTERS_MAX, SAMPLES_MAX, VERSION_COUNTERS_MAX } from './limits.js';
import type { Path } from './path-trie.js';
import { EventSample } from './sample.js';
import { encodeCounters } from './stored-counters.js';
import { ValueCounter } from './value-counter.js';
import { ValueTable } from './value-table.js';

/** Observations that cannot change a result. Skipping them only saves time. */
export interface Vain {
  /**
   * Identifies the stored statistics (`rowIdOf`). If the version was removed and came back, or its model was emptied, they need every
   * observation.
   */
  row: string;
  /** Priorities of the version's stored samples, highest first. An event that none of them leaves a place for wins nothing. */
  priorities: readonly number[];
  /** Paths that both the version and its model ignore for good. */
  paths: ReadonlySet<string>;
}

/**
 * Values and samples of one version's events within one flush. They belong to the version's and to the model's statistics. Values
 * stay as they came until the end, because counters of all paths at once would take several times their memory.
 */
export class ObservedStatistics {
  /** Paths whose values are counted. All events of one version have the same paths. */
  private columns: Path[] | undefined;
  /** The values of one event after another, each in the order of the columns. */
  private readonly values: Scalar[] = [];
  private readonly contributors: (Contributor | undefined)[] = [];
  private readonly samples: EventSample;

  constructor(readonly vain?: Vain) {
    this.samples = new EventSample(Math.random, vain?.priorities[SAMPLES_MAX - 1]);
  }

  /** Priorities of the sampled events, highest first. */
  get priorities(): number[] {
    return this.samples.priorities;
  }

  observe(event: JsonObject, leaves: Leaves, by?: Contributor): void {
    for (const { leaf } of this.columnsIn(leaves)) this.values.push(leaves.values[leaf] as Scalar);
    this.contributors.push(by);
    this.samples.offer(event);
  }

  encode(): StoredStatistics {
    const columns = this.columns ?? [];
    const counters = new Map(columns.map(({ text }, column) => [text, this.count(column, columns.length)]));
    return { values: encodeCounters(counters), samples: this.samples.encode() };
  }

  /** Adds to statistics of several versions, which may ignore most of the paths. */
  addTo({ values, samples }: Statistics): void {
    const columns = this.columns ?? [];
    for (const [column, { text }] of columns.entries()) {
      if (values.ignores(text)) continue;
      for (const [row, by] of this.contributors.entries()) {
        values.observe(text, String(this.values[row * columns.length + column]), by);
      }
    }
    samples.merge(this.samples);
  }

  /** The columns as paths of the current trie. A new trie may have begun since the last event. */
  private columnsIn({ length, paths }: Leaves): Path[] {
    const [first] = this.columns ?? [];
    if (this.columns && (!first || paths[first.leaf] === first)) return this.columns;
    const current = paths.slice(0, length);
    this.columns = this.columns
      ? pathsOf(this.columns, current)
      : current.filter(({ text }) => !this.vain?.paths.has(text)).slice(0, MODEL_COUNTERS_MAX);
    return this.columns;
  }

  private count(column: number, columns: number): ValueCounter<Scalar> {
    const counter = new ValueCounter<Scalar>();
    let at = column;
    for (const by of this.contributors) {
      counter.observe(this.values[at] as Scalar, by);
      at += columns;
    }
    return counter;
  }
}

/** The same paths in the current trie. */
function pathsOf(columns: readonly Path[], current: readonly Path[]): Path[] {
  const byText = new Map(current.map((path) => [path.text, path]));
  return columns.map(({ text }) => byText.get(text) as Path);
}

export type StatisticsOwner = 'model' | 'version';

const COUNTERS_MAX = { model: MODEL_COUNTERS_MAX, version: VERSION_COUNTERS_MAX };

/** Statistics as a row stores them. */
export interface StoredStatistics {
  values: string;
  samples: string;
}

/** Frequent values and samples of a model's or version's events. Mergeable. */
export class Statistics {
  private constructor(
    readonly values: ValueTable,
    readonly samples: EventSample,
  ) {}

  static none(owner: StatisticsOwner): Statistics {
    return new Statistics(new ValueTable(COUNTERS_MAX[owner]), new EventSample());
  }

  /** Decodes for either owner, because a flush's increment belongs to both a version and its model. */
  static decode(owner: StatisticsOwner, { values, samples }: StoredStatistics): Statistics {
    return new Statistics(ValueTable.decode(values, COUNTERS_MAX[owner]), EventSample.decode(samples));
  }

  /** Sums all increments in order. Works in slices, because each increment may be large. */
  static async sum(owner: StatisticsOwner, increments: Iterable<StoredStatistics>): Promise<Statistics> {
    const sum = Statistics.none(owner);
    const slices = new Slices();
    for (const increment of increments) {
      sum.merge(Statistics.decode(owner, increment));
      if (slices.isOver) await slices.next();
    }
    return sum;
  }

  merge(other: Statistics): void {
    this.values.merge(other.values);
    this.samples.merge(other.samples);
  }

  encode(): StoredStatistics {
    return { values: this.values.encode(), samples: this.samples.encode() };
  }
}
