import { Slices } from '@weir/messaging';
import { MODEL_COUNTERS_MAX, VERSION_COUNTERS_MAX } from './limits.js';
import { EventSample } from './sample.js';
import { ValueTable } from './value-table.js';

export type StatisticsOwner = 'model' | 'version';

const COUNTERS_MAX = { model: MODEL_COUNTERS_MAX, version: VERSION_COUNTERS_MAX };

/** As a row holds it. */
export interface StoredStatistics {
  values: string;
  samples: string;
}

/** What is known of a model's or a version's events beyond their totals: frequent values and samples. Mergeable. */
export class Statistics {
  private constructor(
    readonly values: ValueTable,
    readonly samples: EventSample,
  ) {}

  static none(owner: StatisticsOwner): Statistics {
    return new Statistics(new ValueTable(COUNTERS_MAX[owner]), new EventSample());
  }

  /** Of what a flush observed of a version both the version and its model are made. */
  static decode(owner: StatisticsOwner, { values, samples }: StoredStatistics): Statistics {
    return new Statistics(ValueTable.decode(values, COUNTERS_MAX[owner]), EventSample.decode(samples));
  }

  /** All parts together, in their order; in slices, as each may be large. */
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
