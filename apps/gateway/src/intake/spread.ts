import { type SourceRecord, spreadPartitionOf } from '@weir/contracts';
import type { Identity } from './enrich.js';
import type { Taken } from './parse-events.js';

/** Events of a request for one partition, in order. */
export interface Part {
  /** Undefined for a source that is not spread. Its batches name no partition. */
  partition?: number | undefined;
  events: readonly Taken[];
}

/** Splits the events of a request by user, so that each user's events stay together. A retry splits the same way. */
export function partsOf(source: SourceRecord, events: readonly Taken[]): Part[] {
  if (source.partitions === 1) return [{ events }];
  const byPartition = Map.groupBy(events, ({ identity }) => spreadPartitionOf(source, orderIdOf(identity)));
  return [...byPartition].map(([partition, ofPartition]) => ({ partition, events: ofPartition }));
}

/** Same as `orderIdOf` of the event, whose ids are read already. */
const orderIdOf = ({ userId, anonymousId }: Identity): string => userId || anonymousId;
