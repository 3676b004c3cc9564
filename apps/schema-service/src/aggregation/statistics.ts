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
  /** The row of the version. If the version was removed and came back, its new row needs every observation. */
  row: number;
  /** Priorities of the version's stored samples, highest first. An event that none of them leaves a place for wins nothing. */
  priorities: readonly number[];
  /** Paths that both the version and its model ignore for good. */
  paths: ReadonlySet<string>;
}

/** Values and samples of one version's events within one flush. They belong to the version's and to the model's statistics. */
export class ObservedStatistics {
  private readonly byPath = new Map<string, ValueCounter<Scalar>>();
  /** Paths of the previous event. Events of one version nearly always list their keys in one order. */
  private readonly paths: Path[] = [];
  private readonly counters: (ValueCounter<Scalar> | undefined)[] = [];
  private readonly samples: EventSample;

  constructor(readonly vain?: Vain) {
    this.samples = new EventSample(Math.random, vain?.priorities[SAMPLES_MAX - 1]);
  }

  /** Priorities of the sampled events, highest first. */
  get priorities(): number[] {
    return this.samples.priorities;
  }

  observe(event: JsonObject, { length, paths, values }: Leaves, by?: Contributor): void {
    for (let at = 0; at < length; at += 1) {
      const path = paths[at] as Path;
      const counter = this.paths[at] === path ? this.counters[at] : this.find(at, path);
      counter?.observe(values[at] as Scalar, by);
    }
    this.samples.offer(event);
  }

  encode(): StoredStatistics {
    return { values: encodeCounters(this.byPath), samples: this.samples.encode() };
  }

  private find(at: number, path: Path): ValueCounter<Scalar> | undefined {
    let counter = this.byPath.get(path.text);
    if (!counter && !this.vain?.paths.has(path.text) && this.byPath.size < MODEL_COUNTERS_MAX) {
      counter = new ValueCounter();
      this.byPath.set(path.text, counter);
    }
    this.paths[at] = path;
    this.counters[at] = counter;
    return counter;
  }
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
