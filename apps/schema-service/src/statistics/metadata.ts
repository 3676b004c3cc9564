import { type EventMetadata, PAYLOAD_BYTES_MAX } from '@weir/contracts';
import type { Statistics } from '../aggregation/statistics.js';
import type { ListedValues } from '../aggregation/value-counter.js';
import type { OwnedIncrements } from './statistics.repository.js';

/** Bytes of frequent values in one reply. Samples take at most 5 * 10 KiB beside them. */
export const FREQUENT_VALUES_BYTES_MAX = PAYLOAD_BYTES_MAX - 131_072;
/**
 * Values listed per path. At most 100 values can each make up one in a hundred. Fewer are listed if all paths together do not fit
 * one reply.
 */
const VALUES_PER_PATH = [100, 50, 25, 10, 5, 2, 1, 0];

/** The metadata object of spec 2.6. */
export function metadataOf(
  { totalCount }: Pick<OwnedIncrements, 'totalCount'>,
  { values, samples }: Statistics,
  listed: ListedValues = 'all',
): EventMetadata {
  let FrequentValues: EventMetadata['FrequentValues'] = {};
  for (const valuesMax of VALUES_PER_PATH) {
    FrequentValues = values.frequent(valuesMax, listed);
    if (Buffer.byteLength(JSON.stringify(FrequentValues)) <= FREQUENT_VALUES_BYTES_MAX) break;
  }
  return { SampledEvents: samples.list(), TotalCount: totalCount, FrequentValues };
}
