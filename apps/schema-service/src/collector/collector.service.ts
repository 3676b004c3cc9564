import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type EventBatch, PARTITIONS } from '@weir/contracts';
import { inTraceOf, LeaseTable, NATS, PartitionConsumers, type StreamMessage } from '@weir/messaging';
import { Metrics, observeLag } from '@weir/service-kit';
import { DataSource } from 'typeorm';
import { CollectorMetrics } from './collector.metrics.js';
import { DeadLetterRepository } from './dead-letter.repository.js';
import { FlushService, type PreparedFlush } from './flush.service.js';
import { FlushBuffer } from './flush-buffer.js';
import { readBatch, type Unreadable } from './read-batch.js';

const ROLE = 'collector';
/** SQLSTATE classes of values that the database cannot hold: data exceptions, broken constraints, program limits. */
const BATCH_FAULT_CLASSES = ['22', '23', '54'];

/** Feeds the batches of EVENTS_ACCEPTED to the flush and acknowledges what is committed. */
@Injectable()
export class CollectorService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(CollectorService.name);
  private readonly buffer: FlushBuffer<StreamMessage, PreparedFlush>;
  private readonly consumers: PartitionConsumers;

  constructor(
    @Inject(NATS) nats: NatsConnection,
    private readonly dataSource: DataSource,
    private readonly flushes: FlushService,
    private readonly deadLetters: DeadLetterRepository,
    private readonly metrics: CollectorMetrics,
    processMetrics: Metrics,
  ) {
    this.buffer = new FlushBuffer({
      bytesOf: ({ data }) => data.length,
      prepare: (messages) => this.flushes.prepare(() => batchesOf(messages)),
      commit: (prepared) => this.commit(prepared),
      isItemFault: isBatchFault,
    });
    this.consumers = new PartitionConsumers({
      nats,
      role: ROLE,
      leases: new LeaseTable(dataSource, { role: ROLE, slots: PARTITIONS }),
      handle: (messages) => this.handle(messages),
      log: this.logger,
    });
    observeLag(processMetrics, () => this.consumers.lag());
  }

  onApplicationBootstrap(): void {
    this.consumers.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.consumers.stop();
  }

  /** Every message on its own: one that fails comes again without those that are committed. */
  private async handle(messages: StreamMessage[]): Promise<void> {
    const results = await Promise.allSettled(
      messages.map((message) => inTraceOf(message, () => this.collect(message))),
    );
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
  }

  private async collect(message: StreamMessage): Promise<void> {
    try {
      await this.buffer.add(message);
    } catch (error) {
      if (error instanceof UnreadableError) await this.bury(message, error.unreadable);
      else if (isBatchFault(error)) await this.bury(message, faultyBatch(message, error as Error));
      else throw error;
    }
    message.ack();
  }

  private async commit(prepared: PreparedFlush): Promise<void> {
    const observe = this.metrics.startFlush();
    observe(await this.flushes.commit(prepared));
  }

  private async bury({ subject, sequence }: StreamMessage, { reason, body }: Unreadable): Promise<void> {
    this.logger.warn(`message ${sequence} of ${subject} cannot be counted: ${reason}`);
    await this.deadLetters.add(this.dataSource, { subject, sequence, reason, body });
    this.metrics.countDeadLetter();
  }
}

/** Read when it is its turn: what waits is kept as it came. */
function* batchesOf(messages: readonly StreamMessage[]): Generator<EventBatch> {
  for (const message of messages) {
    const batch = readBatch(message);
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
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && code.length === 5 && BATCH_FAULT_CLASSES.includes(code.slice(0, 2));
}
