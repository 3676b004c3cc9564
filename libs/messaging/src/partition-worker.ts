import { setTimeout as sleep } from 'node:timers/promises';
import type { JetStreamClient } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { ByteAccount, BytePool } from './byte-pool.js';
import { HeldMessages } from './held-messages.js';
import type { Lease } from './lease.js';
import type { Log } from './lease-keeper.js';
import { PartitionPull, PULL_BYTES } from './partition-pull.js';
import { Periodic } from './periodic.js';
import type { StreamMessage } from './stream-message.js';
import { ACK_WAIT_MS } from './streams.js';
import { bytesOf } from './waiting-messages.js';

/**
 * Handles messages of one or more sources, each source in stream order, and acknowledges what it finished. It may keep messages and acknowledge
 * them later. The rest is handed over again, in order. Every write must use the lease.
 */
export type HandleBatch = (messages: StreamMessage[], lease: Lease) => Promise<void>;

/** How often a worker checks whether its lease is held again. */
const LEASE_POLL_MS = 100;
const EPOCH_AGAIN_MS = 500;
/**
 * A worker always may work on this much, whatever the others do. So a partition with small messages never waits for the large ones
 * of other partitions, which are other tenants'.
 */
export const CALL_RESERVE_BYTES = 65_536;
const RETRY_MS_MIN = 50;
const RETRY_MS_MAX = 5_000;

export interface WorkerSource {
  nats: NatsConnection;
  stream: string;
  durable: string;
  handle: HandleBatch;
  /** Ends the work on kept messages, before they are handed back for the next owner. */
  release?: ((lease: Lease) => Promise<void>) | undefined;
  /** Pools shared by all workers of the process: for data that is pulled but not done, and for data that calls work on. */
  pulled: BytePool;
  calls: BytePool;
  /** Maximum bytes per call. A call gets at least one message. */
  callBytesMax: number;
  log: Log;
}

/** Works through one durable consumer, in order, one call at a time, until it is stopped. */
export class PartitionWorker {
  private readonly held = new HeldMessages();
  private readonly stopping = new AbortController();
  private wake: () => void = () => undefined;
  private readonly room: ByteAccount;
  private readonly calls: ByteAccount;
  private readonly pull: PartitionPull;
  private readonly heartbeat: Periodic;
  /** A call failed, and its writes may still arrive. */
  private isUncertain = false;
  private failures = 0;
  private readonly pulling: Promise<void>;
  private readonly working: Promise<void>;

  constructor(
    stream: JetStreamClient,
    private readonly source: WorkerSource,
    readonly lease: Lease,
  ) {
    this.room = source.pulled.account(PULL_BYTES);
    this.calls = source.calls.account(CALL_RESERVE_BYTES);
    this.pull = new PartitionPull({
      nats: source.nats,
      stream,
      streamName: source.stream,
      durable: source.durable,
      lease,
      held: this.held,
      room: this.room,
      onChange: () => this.wake(),
      onDone: (message) => this.room.give(this.held.release(message)),
      warn: (what, error) => this.warn(what, error),
      signal: this.stopping.signal,
    });
    this.heartbeat = new Periodic({
      task: 'tell the broker that work goes on',
      everyMs: ACK_WAIT_MS / 3,
      run: () => this.reportWorking(),
      log: source.log,
    });
    this.pulling = this.pull.run();
    this.working = this.work();
  }

  /** Ends after the running call, or at once when the lease is lost. Hands back unacknowledged messages for the next owner. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await this.pulling;
    if (this.lease.isHeld) await this.working;
    await this.source.release?.(this.lease);
    await this.pull.dropStalePulls();
    this.held.handBack();
    this.room.give(this.room.held);
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async work(): Promise<void> {
    this.heartbeat.start();
    while (!this.stopped) {
      if (this.held.isEmpty || !this.pull.isWhole) await this.untilWoken();
      else if (!this.lease.isHeld) await sleep(LEASE_POLL_MS);
      else if (this.isUncertain) await this.beginEpoch();
      else await this.handleNext();
    }
    await this.heartbeat.stop();
  }

  private async handleNext(): Promise<void> {
    const { callBytesMax } = this.source;
    const batch = this.held.next(this.calls.isFree(callBytesMax) ? callBytesMax : CALL_RESERVE_BYTES);
    await this.handle(batch);
    const { finished, freed } = this.held.removeHandled(batch);
    this.room.give(freed);
    this.failures = finished > 0 ? 0 : this.failures + 1;
    if (this.failures > 0 && !this.stopped) await sleep(retryMs(this.failures));
  }

  /** Waits for the shared pool of all calls. Checks the lease and the order again afterwards. */
  private async handle(batch: StreamMessage[]): Promise<void> {
    const bytes = bytesOf(batch);
    if (!(await this.calls.take(bytes, this.stopping.signal))) return;
    try {
      if (this.mayHandle(batch)) await this.source.handle(batch, this.lease);
    } catch (error) {
      this.isUncertain = true;
      this.warn('will try again', error);
    } finally {
      this.calls.give(bytes);
    }
  }

  private mayHandle(batch: StreamMessage[]): boolean {
    return this.pull.isWhole && this.lease.isHeld && this.held.beginsWith(batch);
  }

  /** Starts a new epoch, so that late writes of the failed call can be told from those of the next one. */
  private async beginEpoch(): Promise<void> {
    try {
      await this.lease.advance();
      this.isUncertain = false;
    } catch (error) {
      this.warn('waits', error);
      await sleep(EPOCH_AGAIN_MS);
    }
  }

  private untilWoken(): Promise<void> {
    return new Promise((done) => {
      this.wake = done;
    });
  }

  /** Without the lease, the messages must go to the next owner. */
  private reportWorking(): void {
    if (this.lease.isHeld) this.held.reportWorking();
  }

  private warn(what: string, error: unknown): void {
    this.source.log.warn(`${this.source.durable} ${what}: ${(error as Error).message}`);
  }
}

const retryMs = (failures: number) => Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** failures) * Math.random();
