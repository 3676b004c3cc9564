import { hash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  BATCH_BYTES_MAX,
  chunksOf,
  type EventBatch,
  isAppError,
  rawSubject,
  type SourceRecord,
  spreadPartitionOf,
} from '@weir/contracts';
import { InventoryMirror } from '@weir/inventory';
import { allEnded, during, GroupPublisher, Slices, StreamShares } from '@weir/messaging';
import { type Arrival, ENRICHMENT_BYTES_MAX, enrich, type Identity, messageIdOf } from './enrich.js';
import type { Taken } from './parse-events.js';
import { refusals } from './refusals.js';

/** Bytes of a stream message around its events: ids, write key, times. */
const ENVELOPE_BYTES_MAX = 1_024;
/** Bytes of the enriched events of one batch. */
const EVENTS_BYTES_MAX = BATCH_BYTES_MAX - ENVELOPE_BYTES_MAX;

/** The fields that all batches of a request have in common. */
type Envelope = Omit<EventBatch, 'batchId' | 'events' | 'partition'>;

/** Writes the events of accepted requests to the stream. */
@Injectable()
export class BatchPublisher {
  constructor(
    private readonly inventory: InventoryMirror,
    private readonly stream: GroupPublisher,
    private readonly shares: StreamShares,
  ) {}

  /**
   * Publishes the events of a request, all partitions of a spread source at once. Resolves when all are stored. If not, the client
   * sends the request again, and the batches that were stored have the ids of the first time.
   */
  async publish(source: SourceRecord, events: readonly Taken[], arrival: Arrival): Promise<void> {
    const { bucket: inventoryBucket, revision: inventoryRevision } = this.inventory.mark;
    const envelope = {
      ...{ workspaceId: source.workspaceId, sourceId: source.id, writeKey: source.writeKey },
      ...{ receivedAt: new Date(arrival.receivedAt).toISOString(), inventoryRevision, inventoryBucket },
    };
    const spread = during('intake.write', () => spreadOf(source, events));
    await allEnded(spread.map((own) => this.publishTo(envelope, own, arrival)));
  }

  /** Publishes the batches of one partition in sequence, so that no later batch is stored after a refused one. */
  private async publishTo(envelope: Envelope, { partition, events }: PartitionEvents, arrival: Arrival): Promise<void> {
    const { workspaceId, sourceId } = envelope;
    const subject = rawSubject({ ...envelope, partition });
    const slices = new Slices();
    for (const [position, batch] of splitIntoBatches(events).entries()) {
      const batchId = during('intake.write', () => batchIdOf(sourceId, position, batch));
      for (const { event, identity } of batch) {
        if (slices.isOver) await slices.next();
        enrich(event, identity, arrival);
      }
      if (slices.isOver) await slices.next();
      const message = { batchId, ...envelope, partition, events: batch.map(({ event }) => event) };
      const json = during('intake.write', () => JSON.stringify(message));
      this.shares.add(workspaceId, json.length);
      await this.stream.publish(subject, { json, id: batchId }).catch(asRefusal);
    }
  }
}

/** Clients react to a full stream and to an absent broker in the same way: they try again. */
function asRefusal(error: unknown): never {
  throw isAppError(error) && error.code === 'unavailable' ? refusals.unavailable(error) : error;
}

/** Splits the events of a request, in order, into batches that each fit one stream message. A retry splits the same way. */
export function splitIntoBatches(events: readonly Taken[]): Taken[][] {
  return chunksOf(events, { bytesMax: EVENTS_BYTES_MAX, bytesOf: ({ bytes }) => bytes + ENRICHMENT_BYTES_MAX });
}

/**
 * The id of a batch in every stream. If the client set all message ids, it is a hash of source, position and content, so that the
 * stream recognises a retry. Otherwise it is random, because equal events may be intentional (architecture section 4).
 */
export function batchIdOf(sourceId: string, position: number, events: readonly Taken[]): string {
  if (!events.every(({ event }) => messageIdOf(event))) return randomUUID();
  return hash('sha256', [sourceId, position, ...events.map(({ content }) => content)].join('\n'), 'hex');
}

/** Events of a request for one partition, in order. */
interface PartitionEvents {
  /** Undefined for a source that is not spread. Its batches name no partition. */
  partition?: number | undefined;
  events: readonly Taken[];
}

/** Splits the events of a request by user, so that each user's events stay together. A retry splits the same way. */
function spreadOf(source: SourceRecord, events: readonly Taken[]): PartitionEvents[] {
  if (source.partitions === 1) return [{ events }];
  const byPartition = Map.groupBy(events, ({ identity }) => spreadPartitionOf(source, orderIdOf(identity)));
  return [...byPartition].map(([partition, ofPartition]) => ({ partition, events: ofPartition }));
}

/** Same as `orderIdOf` of the event, whose ids are read already. */
const orderIdOf = ({ userId, anonymousId }: Identity): string => userId || anonymousId;
