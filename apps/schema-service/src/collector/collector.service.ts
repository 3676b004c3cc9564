import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PARTITIONS } from '@weir/contracts';
import {
  allEnded,
  during,
  inTraceOf,
  type Lease,
  LeaseTable,
  NATS,
  PartitionConsumers,
  type StreamMessage,
  sqlStateOf,
} from '@weir/messaging';
import { Backlog, Database } from '@weir/service-kit';
import { type AcceptedBatch, readAcceptedBatch, type Unreadable } from './accepted-batch.js';
import { CollectorMetrics } from './collector.metrics.js';
import { FlushService, type PreparedFlush } from './flush.service.js';
import { FLUSH_BYTES_MAX, FlushBuffer } from './flush-buffer.js';
import { UnreadableRepository } from './unreadable.repository.js';

const ROLE = 'collector';
/** SQLSTATE classes of values that the database cannot hold: data exceptions, constraint violations, program limits. */
const BATCH_FAULT_CLASSES = ['22', '23', '54'];

/** A message, and the lease under which it is counted. */
interface Item {
  message: StreamMessage;
  lease: Lease;
}

interface Work {
  items: Item[];
  prepared: PreparedFlush;
}

/** Feeds batches of EVENTS_ACCEPTED to the flush, and acknowledges them after the commit. */
@Injectable()
export class CollectorService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(CollectorService.name);
  private readonly buffer: FlushBuffer<Item, Work>;
  private readonly consumers: PartitionConsumers;

  constructor(
    @Inject(NATS) nats: NatsConnection,
    private readonly dataSource: Database,
    private readonly flushes: FlushService,
    private readonly unreadable: UnreadableRepository,
    private readonly metrics: CollectorMetrics,
    backlog: Backlog,
  ) {
    this.buffer = new FlushBuffer({
      bytesOf: ({ message }) => message.data.length,
      prepare: async (items) => ({ items, prepared: await this.flushes.prepare(() => batchesOf(items)) }),
      commit: (work) => this.commit(work),
      isItemFault: isBatchFault,
    });
    this.consumers = new PartitionConsumers({
      nats,
      role: ROLE,
      leases: new LeaseTable(dataSource, { role: ROLE, slots: PARTITIONS }),
      handle: (messages, lease) => this.handle(messages, lease),
      // Bytes as received, because a flush parses its messages one by one. The next flush gathers while two are under way.
      callBytesMax: FLUSH_BYTES_MAX,
      callsBytesMax: 3 * FLUSH_BYTES_MAX,
      log: this.logger,
    });
    backlog.observe(() => this.consumers.lag());
  }

  onApplicationBootstrap(): void {
    this.consumers.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.consumers.stop();
  }

  /** Settles each message separately, so that a failed one is redelivered without those already committed. */
  private async handle(messages: StreamMessage[], lease: Lease): Promise<void> {
    await allEnded(messages.map((message) => inTraceOf(message, () => this.collect({ message, lease }))));
  }

  private async collect(item: Item): Promise<void> {
    const { message } = item;
    try {
      await this.buffer.add(item);
    } catch (error) {
      if (error instanceof UnreadableError) await this.bury(item, error.unreadable);
      else if (isBatchFault(error)) await this.bury(item, faultyBatch(message, error as Error));
      else throw error;
    }
    message.ack();
  }

  /** A lost lease fails the whole flush. Its other messages are redelivered and join a later flush. */
  private async commit({ items, prepared }: Work): Promise<void> {
    for (const { lease } of items) lease.assertHeld();
    const observe = this.metrics.startFlush();
    observe(await this.flushes.commit(prepared));
  }

  private async bury({ message, lease }: Item, { reason, body }: Unreadable): Promise<void> {
    const { subject, sequence, epoch } = message;
    lease.assertHeld();
    this.logger.warn(`message ${sequence} of ${subject} cannot be counted: ${reason}`);
    await this.unreadable.add(this.dataSource, { subject, sequence, epoch, reason, body });
    this.metrics.countDeadLetter();
  }
}

/** Parses each message when its turn comes. Waiting messages stay as received. */
function* batchesOf(items: readonly Item[]): Generator<AcceptedBatch> {
  for (const { message } of items) {
    const batch = during('collector.read', () => readAcceptedBatch(message));
    if ('reason' in batch) throw new UnreadableError(batch);
    yield batch;
  }
}

class UnreadableError extends Error {
  constructor(readonly unreadable: Unreadable) {
    super(unreadable.reason);
  }
}

const faultyBatch = (message: StreamMessage, { message: reason }: Error): Unreadable => ({
  reason,
  body: message.text(),
});

function isBatchFault(error: unknown): boolean {
  if (error instanceof UnreadableError) return true;
  const state = sqlStateOf(error);
  return state?.length === 5 && BATCH_FAULT_CLASSES.includes(state.slice(0, 2));
}
