import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { ByteBudget } from './byte-budget.js';
import type { Lease } from './lease.js';
import { LeaseKeeper, type Log } from './lease-keeper.js';
import type { LeaseTable } from './lease-table.js';
import { type HandleBatch, PartitionWorker } from './partition-worker.js';
import { partitionConsumer, STREAM_OF, type StreamRole } from './streams.js';

export interface PartitionConsumersOptions {
  nats: NatsConnection;
  role: StreamRole;
  /** One slot a partition. */
  leases: LeaseTable;
  /** Everything pulled of one partition so far, in order, one call at a time; the lease's slot is the partition. */
  handle: HandleBatch;
  log: Log;
  /** Bytes that one call may have; {@link CALL_BYTES_MAX} unless a role gathers more. */
  callBytesMax?: number;
  /** Bytes that the calls of all partitions may work on at a time; {@link CALLS_BYTES_MAX} by default. */
  callsBytesMax?: number;
}

/**
 * What all partitions of a role share beside the 2 MiB that each may always hold: 16 partitions then hold at most 48 MiB as
 * they came. Read as JSON the same takes up to twenty times as much, so much less of it is worked on at a time.
 */
const PULLED_BYTES_MAX = 16_777_216;
const CALL_BYTES_MAX = 2_097_152;
const CALLS_BYTES_MAX = 4_194_304;

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
  private readonly keeper: LeaseKeeper;
  private readonly pulled = new ByteBudget(PULLED_BYTES_MAX);
  private readonly calls: ByteBudget;
  private manager: Promise<JetStreamManager> | undefined;

  constructor(private readonly options: PartitionConsumersOptions) {
    this.stream = jetstream(options.nats);
    this.calls = new ByteBudget(options.callsBytesMax ?? CALLS_BYTES_MAX);
    this.keeper = new LeaseKeeper(
      options.leases,
      { take: (lease) => this.take(lease), drop: (lease) => this.drop(lease) },
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

  private take(lease: Lease): void {
    const { nats, role, handle, log, callBytesMax = CALL_BYTES_MAX } = this.options;
    const source = {
      nats,
      pulled: this.pulled,
      calls: this.calls,
      callBytesMax,
      stream: STREAM_OF[role],
      durable: partitionConsumer(role, lease.slot),
      handle,
      log,
    };
    this.workers.set(lease.slot, new PartitionWorker(this.stream, source, lease));
  }

  private async drop(lease: Lease): Promise<void> {
    const worker = this.workers.get(lease.slot);
    if (worker?.lease !== lease) return;
    this.workers.delete(lease.slot);
    await worker.stop();
  }
}
