import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PARTITIONS } from '@weir/contracts';
import {
  EVENTS_ACCEPTED,
  type Lease,
  LeaseTable,
  NATS,
  PartitionConsumers,
  Periodic,
  type StreamMessage,
} from '@weir/messaging';
import { Backlog, CONFIG, Database, Metrics } from '@weir/service-kit';
import pLimit from 'p-limit';
import type { ArchiverConfig } from '../config.js';
import { PartitionBuffer } from './partition-buffer.js';
import { SegmentWriter } from './segment-writer.js';

const LOOK_MS = 250;
/** Half of what `PartitionConsumers` pulls at most, so that no partition waits for long for another to store its segment. */
const WAITING_BYTES_MAX = 25_165_824;
/** Partitions that store at a time. Each has its messages in memory once more as text, and once compressed. */
const STORING_MAX = 2;

/**
 * Archives accepted events. A message is acknowledged once its segment is stored. After a kill, messages may be stored again in other
 * segments. Their sequences tell readers which are the same.
 */
@Injectable()
export class AcceptedArchive implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Archive');
  private readonly buffers = new Map<Lease, PartitionBuffer>();
  private readonly consumers: PartitionConsumers;
  private readonly storing = pLimit(STORING_MAX);
  private readonly failures;
  private manager: Promise<JetStreamManager> | undefined;
  private readonly looks = new Periodic({
    task: 'archive accepted events',
    everyMs: LOOK_MS,
    run: async () => this.storeDue(),
    log: this.logger,
  });

  constructor(
    @Inject(NATS) private readonly nats: NatsConnection,
    database: Database,
    @Inject(CONFIG) private readonly config: ArchiverConfig,
    private readonly writer: SegmentWriter,
    backlog: Backlog,
    metrics: Metrics,
  ) {
    this.consumers = new PartitionConsumers({
      nats,
      role: 'archiver',
      leases: new LeaseTable(database, { role: 'archiver', slots: PARTITIONS }),
      handle: async (messages, lease) => this.take(messages, lease),
      release: (lease) => this.release(lease),
      log: this.logger,
    });
    backlog.observe(() => this.consumers.lag());
    this.failures = metrics.counter({
      name: 'weir_archive_failures_total',
      help: 'Segments that could not be stored. They are tried again',
    });
  }

  onApplicationBootstrap(): void {
    this.consumers.start();
    this.looks.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.looks.stop();
    await this.consumers.stop();
  }

  private take(messages: readonly StreamMessage[], lease: Lease): void {
    const buffer = this.buffers.get(lease) ?? new PartitionBuffer(lease, this.config.archive.segmentMs);
    this.buffers.set(lease, buffer);
    for (const message of messages) buffer.add(message);
    this.storeDue();
  }

  /** Messages that are not stored yet go back to the broker, for the next owner. */
  private async release(lease: Lease): Promise<void> {
    const buffer = this.buffers.get(lease);
    this.buffers.delete(lease);
    await buffer?.idle();
  }

  private storeDue(): void {
    const buffers = [...this.buffers.values()];
    const isShort = buffers.reduce((sum, { bytes }) => sum + bytes, 0) >= WAITING_BYTES_MAX;
    for (const buffer of buffers) if (buffer.isDue(isShort)) void this.store(buffer);
  }

  private async store(buffer: PartitionBuffer): Promise<void> {
    const partition = buffer.lease.slot;
    try {
      await buffer.store((shelf) =>
        this.storing(async () => this.writer.write({ partition, stream: await this.streamCreated() }, shelf)),
      );
    } catch (error) {
      this.failures.inc();
      this.logger.warn(`partition ${partition} is not archived yet: ${(error as Error).message}`);
    }
  }

  private async streamCreated(): Promise<number> {
    this.manager ??= jetstreamManager(this.nats, { checkAPI: false });
    const { created } = await (await this.manager).streams.info(EVENTS_ACCEPTED);
    return Date.parse(String(created));
  }
}
