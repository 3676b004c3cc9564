import type { SourceRecord } from './inventory.js';
import { PARTITIONS } from './limits.js';

/** FNV-1a, 32 bits, over the UTF-16 code units. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/**
 * The partition of a source, and the first of a source that is spread. Must never change, because streams hold subjects made from it.
 */
export const partitionOf = (workspaceId: string, sourceId: string): number =>
  fnv1a(`${workspaceId}/${sourceId}`) % PARTITIONS;

/**
 * The partition of one user's events (see `orderIdOf`). A source that is spread has the partitions from its first one on, in a
 * circle. Must never change, because the order of a user's events rests on it.
 */
export function spreadPartitionOf(
  { workspaceId, id, partitions }: Pick<SourceRecord, 'workspaceId' | 'id' | 'partitions'>,
  orderId: string,
): number {
  const hash = fnv1a(orderId);
  // the low bits of FNV-1a alone depend on little more than the low bits of each character
  const step = ((hash ^ (hash >>> 16)) >>> 0) % partitions;
  return (partitionOf(workspaceId, id) + step) % PARTITIONS;
}

/** Where a batch is placed. */
export interface Placed {
  workspaceId: string;
  sourceId: string;
  /** Only batches of a source that is spread name theirs. */
  partition?: number | undefined;
}

/** The partition of a batch. */
export const partitionOfBatch = ({ workspaceId, sourceId, partition }: Placed): number =>
  partition ?? partitionOf(workspaceId, sourceId);
