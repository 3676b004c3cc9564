import { Slices } from '@weir/messaging';
import { MODEL_COUNTERS_MAX, VERSION_COUNTERS_MAX } from './limits.js';
import { EventSample } from './sample.js';
import { ValueTable } from './value-table.js';

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

  /** Decodes for either owner, because a flush's part belongs to both a version and its model. */
  static decode(owner: StatisticsOwner, { values, samples }: StoredStatistics): Statistics {
    return new Statistics(ValueTable.decode(values, COUNTERS_MAX[owner]), EventSample.decode(samples));
  }

  /** Sums all parts in order. Works in slices, because each part may be large. */
  static async sum(owner: StatisticsOwner, parts: Iterable<StoredStatistics>): Promise<Statistics> {
    const sum = Statistics.none(owner);
    const slices = new Slices();
    for (const part of parts) {
      sum.merge(Statistics.decode(owner, part));
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
