import { hash, randomUUID } from 'node:crypto';
import { BATCH_BYTES_MAX } from '@weir/contracts';
import { ENRICHMENT_BYTES_MAX, messageIdOf } from './enrich.js';
import type { Taken } from './parse-events.js';

/** Bytes of a stream message around its events: ids, write key, times. */
const ENVELOPE_BYTES_MAX = 1_024;
const PART_BYTES_MAX = BATCH_BYTES_MAX - ENVELOPE_BYTES_MAX;

/** Splits the events of a request, in order, into parts that each fit one stream message. A retry splits the same way. */
export function splitParts(events: readonly Taken[]): Taken[][] {
  const parts: Taken[][] = [];
  let room = 0;
  for (const taken of events) {
    const bytes = taken.bytes + ENRICHMENT_BYTES_MAX;
    const part = parts.at(-1);
    if (part && bytes <= room) part.push(taken);
    else parts.push([taken]);
    room = (part && bytes <= room ? room : PART_BYTES_MAX) - bytes;
  }
  return parts;
}

/**
 * The id of a part in every stream. If the client set all message ids, the batch id is a hash of source, part and content, so
 * that the stream recognises a retry. Otherwise it is random, because equal events may be intentional (architecture section 4).
 */
export function batchIdOf(sourceId: string, part: number, events: readonly Taken[]): string {
  if (!events.every(({ event }) => messageIdOf(event))) return randomUUID();
  return hash('sha256', [sourceId, part, ...events.map(({ content }) => content)].join('\n'), 'hex');
}
