import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type EventBatch, PARTITIONS } from '@weir/contracts';
import { LeaseTable, NATS, PartitionConsumers, type StreamMessage } from '@weir/messaging';
import { DataSource } from 'typeorm';
import { CollectorMetrics } from './collector.metrics.js';
import { DeadLetterRepository } from './dead-letter.repository.js';
import { FlushService } from './flush.service.js';
import { FlushBuffer } from './flush-buffer.js';
import { readBatch, type Unreadable } from './read-batch.js';

const ROLE = 'collector';
/** SQLSTATE classes of values that the database cannot hold: data exceptions, broken constraints, program limits. */
const BATCH_FAULT_CLASSES = ['22', '23', '54'];

/** Feeds the batches of EVENTS_ACCEPTED to the flush and acknowledges what is committed. */
@Injectable()
export class CollectorService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(CollectorService.name);
  private readonly buffer: FlushBuffer;
  private readonly consumers: PartitionConsumers;

  constructor(
    @Inject(NATS) nats: NatsConnection,
    private readonly dataSource: DataSource,
    private readonly flushes: FlushService,
    private readonly deadLetters: DeadLetterRepository,
    private readonly metrics: CollectorMetrics,
  ) {
    this.buffer = new FlushBuffer({ flush: (batches) => this.flush(batches), isBatchFault });
    this.consumers = new PartitionConsumers({
      nats,
      role: ROLE,
      leases: new LeaseTable(dataSource, { role: ROLE, slots: PARTITIONS }),
      handle: (messages) => this.handle(messages),
      log: this.logger,
    });
  }

  onApplicationBootstrap(): void {
    this.consumers.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.consumers.stop();
  }

  /** Every message on its own: one that fails comes again without those that are committed. */
  private async handle(messages: StreamMessage[]): Promise<void> {
    const results = await Promise.allSettled(messages.map((message) => this.collect(message)));
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
  }

  private async collect(message: StreamMessage): Promise<void> {
    const batch = readBatch(message);
    if ('reason' in batch) {
      await this.bury(message, batch);
    } else {
      await this.buffer.add(batch).catch((error: Error) => {
        if (!isBatchFault(error)) throw error;
        return this.bury(message, { reason: error.message, body: JSON.stringify(batch) });
      });
    }
    message.ack();
  }

  private async flush(batches: EventBatch[]): Promise<void> {
    const observe = this.metrics.startFlush();
    observe(await this.flushes.flush(batches));
  }

  private async bury({ subject, sequence }: StreamMessage, { reason, body }: Unreadable): Promise<void> {
    this.logger.warn(`message ${sequence} of ${subject} cannot be counted: ${reason}`);
    await this.deadLetters.add(this.dataSource, { subject, sequence, reason, body });
    this.metrics.countDeadLetter();
  }
}

function isBatchFault(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && code.length === 5 && BATCH_FAULT_CLASSES.includes(code.slice(0, 2));
}
