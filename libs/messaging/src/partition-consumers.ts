import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { BytePool } from './byte-pool.js';
import type { Lease } from './lease.js';
import { LeaseKeeper, type Log } from './lease-keeper.js';
import type { LeaseTable } from './lease-table.js';
import { BrokerMemberLink } from './member-link.js';
import { type HandleBatch, PartitionWorker } from './partition-worker.js';
import { partitionConsumer, STREAM_OF, type StreamRole } from './streams.js';

export interface PartitionConsumersOptions {
  nats: NatsConnection;
  role: StreamRole;
  /** One slot per partition. */
  leases: LeaseTable;
  /** Receives what was pulled of one partition, one call at a time. The lease's slot is the partition. */
  handle: HandleBatch;
  /** This process owns the partition from now on. */
  begin?: (lease: Lease) => void;
  /** Ends the work on messages that `handle` kept, before another process may take the partition. */
  release?: (lease: Lease) => Promise<void>;
  log: Log;
  /** Maximum bytes per call. Default: {@link CALL_BYTES_MAX}. */
  callBytesMax?: number;
  /**
   * Maximum bytes that the calls of all partitions work on at a time, besides 64 KiB reserved for each. Default:
   * {@link CALLS_BYTES_MAX}.
   */
  callsBytesMax?: number;
}

/**
 * Bytes that all partitions of a role share, in addition to 2 MiB reserved for each. So 16 partitions hold at most 48 MiB of raw
 * data. Parsed JSON takes up to twenty times as much, so calls work on much less at a time.
 */
const PULLED_BYTES_MAX = 16_777_216;
/** Calls of a partition take turns over its sources, so a shorter call is a shorter wait. */
const CALL_BYTES_MAX = 524_288;
const CALLS_BYTES_MAX = 4_194_304;

/** How far behind a durable consumer is, in messages. */
export interface ConsumerLag {
  stream: string;
  consumer: string;
  /** Messages in the stream that have not been delivered yet. */
  pending: number;
  /** Messages that were delivered but not acknowledged. */
  ackPending: number;
}

/** Metrics are read often, so a figure that is not available at once is left out. */
const LAG_TIMEOUT_MS = 1_000;

/** Works on a role's share of the partitions of its stream. Each partition has one owner at a time (architecture section 4). */
export class PartitionConsumers {
  private readonly stream: JetStreamClient;
  private readonly workers = new Map<number, PartitionWorker>();
  private readonly keeper: LeaseKeeper;
  private readonly pulled = new BytePool(PULLED_BYTES_MAX);
  private readonly calls: BytePool;
  private manager: Promise<JetStreamManager> | undefined;

  constructor(private readonly options: PartitionConsumersOptions) {
    this.stream = jetstream(options.nats);
    this.calls = new BytePool(options.callsBytesMax ?? CALLS_BYTES_MAX);
    this.keeper = new LeaseKeeper(
      options.leases,
      { take: (lease) => this.take(lease), drop: (lease) => this.drop(lease) },
      options.log,
      new BrokerMemberLink(options.nats, options.role),
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

  /** The lag of each partition that this process works on. Rejects while the broker is away. */
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
    const { nats, role, handle, release, log, callBytesMax = CALL_BYTES_MAX } = this.options;
    const source = {
      nats,
      pulled: this.pulled,
      calls: this.calls,
      callBytesMax,
      stream: STREAM_OF[role],
      durable: partitionConsumer(role, lease.slot),
      handle,
      release,
      log,
    };
    this.options.begin?.(lease);
    this.workers.set(lease.slot, new PartitionWorker(this.stream, source, lease));
  }

  private async drop(lease: Lease): Promise<void> {
    const worker = this.workers.get(lease.slot);
    if (worker?.lease !== lease) return;
    this.workers.delete(lease.slot);
    await worker.stop();
  }
}
