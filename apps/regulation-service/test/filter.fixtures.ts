import type { NatsConnection } from '@nats-io/transport-node';
import { Logger } from '@nestjs/common';
import { type EventBatch, type JsonObject, rawSubject } from '@weir/contracts';
import {
  EVENTS_ACCEPTED,
  EVENTS_RAW,
  GroupPublisher,
  type Lease,
  type StreamMessage,
  streamMessages,
  TopologyWatch,
} from '@weir/messaging';
import { Backlog, type Database, Health, Metrics, TopologyModule } from '@weir/service-kit';
import { eventBatch, PATIENCE_MS, patientJetStream, patientManager, until } from '@weir/testing';
import { BatchFilter } from '../src/filter/batch-filter.js';
import { FilterService } from '../src/filter/filter.service.js';
import { SuppressedTeller } from '../src/filter/suppressed-teller.js';
import { UnreadableRepository } from '../src/filter/unreadable.repository.js';
import { TOPOLOGY } from '../src/filter.module.js';
import { SuppressionService } from '../src/suppression/suppression.service.js';
import { matchKeys } from './fixtures.js';

export interface Source {
  workspaceId: string;
  sourceId: string;
}

/** The filter, and the watch that Nest starts before it. */
export type RunningFilter = Pick<FilterService, 'onApplicationBootstrap' | 'onModuleDestroy'>;

/** A filter with all its dependencies, as its process builds it. */
export function newFilter(
  nats: NatsConnection,
  dataSource: Database,
  suppressions = new SuppressionService(dataSource, matchKeys),
) {
  const metrics = new Metrics('filter');
  const teller = new SuppressedTeller(nats);
  const batches = new BatchFilter(
    suppressions,
    new GroupPublisher(nats),
    new UnreadableRepository(dataSource, matchKeys),
    teller,
    metrics,
  );
  const tries = { failed: 0 };
  const counted = {
    filter: (messages: readonly StreamMessage[], lease?: Lease) =>
      batches.filter(messages, lease).catch((error: unknown) => {
        tries.failed += 1;
        throw error;
      }),
  };
  const health = new Health();
  const watch = new TopologyWatch({ nats, log: new Logger('test'), ...TOPOLOGY });
  const topology = new TopologyModule(watch, health, metrics);
  const filter = new FilterService(nats, dataSource, counted as BatchFilter, watch, new Backlog(metrics));
  const service: RunningFilter = {
    onApplicationBootstrap: () => {
      topology.onApplicationBootstrap();
      filter.onApplicationBootstrap();
    },
    onModuleDestroy: async () => {
      await filter.onModuleDestroy();
      await topology.onModuleDestroy();
    },
  };
  return { batches, teller, metrics, tries, health, service };
}

export const track = (userId: unknown, n = 0): JsonObject => ({ type: 'track', event: 'Seen', userId, n });

/** Publishes as the intake does. Resolves when the broker has the batch. */
export const takeIn = (nats: NatsConnection, source: Source, ...events: JsonObject[]): Promise<EventBatch> =>
  takeInBatch(nats, eventBatch({ ...source, events }));

/** Publishes a batch. It counts once, however often it is published. */
export async function takeInBatch(nats: NatsConnection, batch: EventBatch): Promise<EventBatch> {
  await patientJetStream(nats).publish(rawSubject(batch), JSON.stringify(batch), { msgID: batch.batchId });
  return batch;
}

/**
 * Every batch of the source that the filter let pass, in stream order. If an owner stored a batch and could not acknowledge it,
 * the next owner gets it again. The stream may then hold the batch twice, and readers deduplicate by its id.
 */
export async function acceptedOf(nats: NatsConnection, source: Source): Promise<EventBatch[]> {
  const { state } = await (await patientManager(nats)).streams.info(EVENTS_ACCEPTED);
  if (state.messages === 0) return [];
  const consumer = await patientJetStream(nats).consumers.get(EVENTS_ACCEPTED);
  const batches: EventBatch[] = [];
  for await (const message of await consumer.consume()) {
    batches.push(...streamMessages(message).map((batch) => batch.json() as EventBatch));
    if (message.info.pending === 0) break;
  }
  const known = new Set<string>();
  return batches.filter(({ sourceId, batchId }) => {
    if (sourceId !== source.sourceId || known.has(batchId)) return false;
    return known.add(batchId);
  });
}

export const numbersOf = (batches: EventBatch[]) => batches.flatMap(({ events }) => events.map(({ n }) => n));

/** Resolves when the filter has acknowledged everything taken in. */
export async function untilFiltered(nats: NatsConnection): Promise<void> {
  const manager = await patientManager(nats);
  await until('an empty raw stream', async () => (await manager.streams.info(EVENTS_RAW)).state.messages === 0);
}

/** Stands in for collector and deliverer: acknowledges everything. */
export async function acknowledgeAccepted(nats: NatsConnection): Promise<void> {
  const manager = await patientManager(nats);
  for await (const { name, num_pending } of manager.consumers.list(EVENTS_ACCEPTED)) {
    const consumer = num_pending > 0 ? await patientJetStream(nats).consumers.get(EVENTS_ACCEPTED, name) : undefined;
    if (!consumer) continue;
    for await (const message of await consumer.fetch({ max_messages: num_pending, expires: PATIENCE_MS }))
      await message.ackAck();
  }
}
