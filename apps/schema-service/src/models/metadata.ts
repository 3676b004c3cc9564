import type { EventMetadata } from '@weir/contracts';
import { Statistics, type StatisticsOwner, type StoredStatistics } from '../aggregation/statistics.js';
import { FREQUENT_VALUES_BYTES_MAX } from './limits.js';

/** At most 100 values can each make up one in a hundred; fewer of every path when all together do not fit one reply. */
const VALUES_PER_PATH = [100, 50, 25, 10, 5, 2, 1, 0];

/** Spec 2.6. */
export function metadataOf(owner: StatisticsOwner, totalCount: number, stored: StoredStatistics): EventMetadata {
  const { values, samples } = Statistics.decode(owner, stored);
  let FrequentValues: EventMetadata['FrequentValues'] = {};
  for (const valuesMax of VALUES_PER_PATH) {
    FrequentValues = values.frequent(valuesMax);
    if (Buffer.byteLength(JSON.stringify(FrequentValues)) <= FREQUENT_VALUES_BYTES_MAX) break;
  }
  return { SampledEvents: samples.list(), TotalCount: totalCount, FrequentValues };
}
