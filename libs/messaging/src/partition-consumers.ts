import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { LeaseKeeper, type Log } from './lease-keeper.js';
import type { LeaseTable } from './lease-table.js';
import { PartitionWorker } from './partition-worker.js';
import type { StreamMessage } from './stream-message.js';
import { partitionConsumer, STREAM_OF, type StreamRole } from './streams.js';

export interface PartitionConsumersOptions {
  nats: NatsConnection;
  role: StreamRole;
  /** One slot a partition. */
  leases: LeaseTable;
  /** Everything pulled of one partition so far, in order, one call at a time; acknowledges what it finished. */
  handle: (messages: StreamMessage[], partition: number) => Promise<void>;
  log: Log;
}

/** How far behind a durable consumer is, in messages. */
export interface ConsumerLag {
  stream: string;
  consumer: string;
  /** In the stream, and not handed out yet. */
  pending: number;
  /** Handed out, and not acknowledged. */
  ackPending: number;
}

/** Figures are asked for all the time: what is not known at once is left out. */
const LAG_TIMEOUT_MS = 1_000;

/** A role's share of the partitions of its stream: each partition has one owner at a time (architecture section 4). */
export class PartitionConsumers {
  private readonly stream: JetStreamClient;
  private readonly workers = new Map<number, PartitionWorker>();
  private readonly stopping = new Map<number, Promise<void>>();
  private readonly keeper: LeaseKeeper;
  private manager: Promise<JetStreamManager> | undefined;

  constructor(private readonly options: PartitionConsumersOptions) {
    this.stream = jetstream(options.nats);
    this.keeper = new LeaseKeeper(
      options.leases,
      { take: (slot) => void this.take(slot), drop: (slot) => this.drop(slot) },
      options.log,
    );
  }

  start(): void {
    this.keeper.start();
  }

  /** Finishes the running calls and hands the partitions over. */
  stop(): Promise<void> {
    return this.keeper.stop();
  }

  get partitions(): number[] {
    return this.keeper.slots;
  }

  /** Of each partition that this process works on. Rejects while the broker is away. */
  async lag(): Promise<ConsumerLag[]> {
    this.manager ??= jetstreamManager(this.options.nats, { timeout: LAG_TIMEOUT_MS, checkAPI: false });
    const { consumers } = await this.manager;
    const stream = STREAM_OF[this.options.role];
    return Promise.all(
      this.partitions.map(async (partition) => {
        const consumer = partitionConsumer(this.options.role, partition);
        const { num_pending: pending, num_ack_pending: ackPending } = await consumers.info(stream, consumer);
        return { stream, consumer, pending, ackPending };
      }),
    );
  }

  private async take(slot: number): Promise<void> {
    await this.stopping.get(slot);
    if (!this.keeper.slots.includes(slot) || this.workers.has(slot)) return;
    const { role, handle, log } = this.options;
    const source = {
      stream: STREAM_OF[role],
      durable: partitionConsumer(role, slot),
      handle: (messages: StreamMessage[]) => handle(messages, slot),
      log,
    };
    this.workers.set(slot, new PartitionWorker(this.stream, source));
  }

  private async drop(slot: number): Promise<void> {
    const worker = this.workers.get(slot);
    if (!worker) return;
    this.workers.delete(slot);
    const stopped = worker.stop();
    this.stopping.set(slot, stopped);
    await stopped;
    this.stopping.delete(slot);
  }
}
