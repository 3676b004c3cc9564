import type { Consumer, JetStreamClient } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type PulledMessage, type PullOptions, pullOnce } from './bounded-pull.js';
import type { ByteBudget, ByteRoom } from './byte-budget.js';
import type { Lease } from './lease.js';
import type { Log } from './lease-keeper.js';
import { streamMessages } from './message-parts.js';
import type { StreamMessage } from './stream-message.js';
import { ACK_WAIT_MS, MAX_ACK_PENDING } from './streams.js';

/**
 * Handles everything pulled so far, in stream order, and acknowledges what it finished. The rest is handed over again, in order.
 * Every write must use the lease.
 */
export type HandleBatch = (messages: StreamMessage[], lease: Lease) => Promise<void>;

/** Reserve of each worker and the size of one pull. Larger than the largest message with its headers. */
export const PULL_BYTES = 2_097_152;
/** A killed worker's pull expires before the acknowledgements of its messages are overdue (see `forgetPull`). */
const PULL_EXPIRES_MS = 2_000;
/** Acknowledgements of the previous owner may still be on their way to the server. */
const ACKS_UNDER_WAY_MS = 50;
/** How long one pull waits for messages that others hold, before the worker asks again how many are missing. */
const GATHER_PULL_MS = 500;
/** How often a worker checks whether its lease is held again. */
const LEASE_POLL_MS = 100;
const PULL_AGAIN_MS = 500;
const RETRY_MS_MIN = 50;
const RETRY_MS_MAX = 5_000;

const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

export interface WorkerSource {
  nats: NatsConnection;
  stream: string;
  durable: string;
  handle: HandleBatch;
  /** Budgets shared by all workers of the process: for data that is pulled but not done, and for data that calls work on. */
  pulled: ByteBudget;
  calls: ByteBudget;
  /** Maximum bytes per call. A call gets at least one message. */
  callBytesMax: number;
  log: Log;
}

/** Works through one durable consumer, in order, one call at a time, until it is stopped. */
export class PartitionWorker {
  private held: StreamMessage[] = [];
  private stopped = false;
  private wake: () => void = () => undefined;
  private consumer: Consumer | undefined;
  private readonly room: ByteRoom;
  private readonly calls: ByteRoom;
  private readonly stopping = new AbortController();
  /** The consumer numbers its deliveries. After a gap, another process has the message, or it was lost in transit. */
  private nextHandOut = 0;
  private hasGap = false;
  /** True when this worker holds every message that was delivered and not acknowledged. Handling one now breaks no order. */
  private isWhole = false;
  /** A call failed, and its writes may still arrive. */
  private isUncertain = false;
  private failures = 0;
  private readonly pulling: Promise<void>;
  private readonly working: Promise<void>;

  constructor(
    private readonly stream: JetStreamClient,
    private readonly source: WorkerSource,
    readonly lease: Lease,
  ) {
    this.room = source.pulled.room(PULL_BYTES);
    this.calls = source.calls.room();
    this.pulling = this.pull();
    this.working = this.work();
  }

  /** Ends after the running call, or at once when the lease is lost. Hands back unacknowledged messages for the next owner. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.stopping.abort();
    this.wake();
    await this.pulling;
    if (this.lease.isHeld) await this.working;
    await this.forgetPull();
    for (const message of this.held) message.nak();
    this.held = [];
    this.room.give(this.room.held);
  }

  /**
   * A server (seen on 2.9) that still lists this worker's pull drops the first message handed back. That message then waits until
   * its acknowledgement is overdue. Asking for the consumer's state makes the server remove pulls without a listener.
   */
  private async forgetPull(): Promise<void> {
    if (this.held.length > 0) await this.consumer?.info().catch(() => undefined);
  }

  /** Keeps a pull open while there is room. A pull may end when the broker restarts or the consumer is recreated. */
  private async pull(): Promise<void> {
    while (!this.stopped) {
      try {
        this.isWhole = false;
        this.consumer = await this.stream.consumers.get(this.source.stream, this.source.durable);
        await sleep(ACKS_UNDER_WAY_MS);
        while (!this.stopped) await (this.isWhole ? this.pullBounded() : this.gather(this.consumer));
      } catch (error) {
        this.warn('cannot pull', error);
      }
      if (!this.stopped) await sleep(PULL_AGAIN_MS);
    }
  }

  private async pullBounded(): Promise<void> {
    if (!(await this.room.take(PULL_BYTES, this.stopping.signal))) return;
    let left = PULL_BYTES;
    const onMessage = (message: PulledMessage) => {
      left -= this.takeAll(message); // the broker counts more bytes than this, because it includes subjects and headers
    };
    try {
      await this.pullOnce({ messagesMax: MAX_ACK_PENDING, expiresMs: PULL_EXPIRES_MS, onMessage });
    } finally {
      this.room.give(left);
    }
  }

  /**
   * Collects the messages that other processes received but did not acknowledge. They must be handled before anything newer. The
   * server redelivers them first, at the latest when they are overdue, because nobody without a lease reports progress. Nothing
   * is handled until all are here, so they are accepted even without room. Meanwhile few new messages come in: one for each pull
   * that brings none of the missing ones.
   */
  private async gather(consumer: Consumer): Promise<void> {
    if (this.hasGap) await this.lease.advance(); // another process may own the partition by now
    this.hasGap = false;
    let isComing = false;
    for (let missing = await this.missing(consumer); !this.stopped; missing = await this.missing(consumer)) {
      this.isWhole = missing <= 0;
      if (this.isWhole) break;
      let last: PulledMessage | undefined;
      const onMessage = (message: PulledMessage) => {
        this.room.force(this.takeAll(message));
        last = message;
      };
      await this.pullOnce({ messagesMax: isComing ? missing : 1, expiresMs: GATHER_PULL_MS, onMessage });
      isComing = last?.redelivered ?? false;
      if (last && !isComing) await sleep(GATHER_PULL_MS);
    }
    this.wake();
  }

  /**
   * Counts messages that were delivered, are not acknowledged and are not here. No pull is open meanwhile, so none is in transit.
   */
  private async missing(consumer: Consumer): Promise<number> {
    const { delivered, num_ack_pending } = await consumer.info();
    this.nextHandOut = delivered.consumer_seq + 1;
    const known = this.held.filter(({ sequence }) => sequence <= delivered.stream_seq);
    return num_ack_pending - new Set(known.map(({ sequence }) => sequence)).size;
  }

  private pullOnce(bounds: Pick<PullOptions, 'messagesMax' | 'expiresMs' | 'onMessage'>): Promise<void> {
    return pullOnce({ ...this.source, ...bounds, bytesMax: PULL_BYTES, signal: this.stopping.signal });
  }

  /** Returns how many more bytes are held now. */
  private takeAll(message: PulledMessage): number {
    const { deliverySequence } = message.info;
    if (deliverySequence !== this.nextHandOut) {
      this.hasGap = true;
      this.isWhole = false;
    }
    this.nextHandOut = deliverySequence + 1;
    const bytes = streamMessages(message, this.lease).reduce((sum, part) => sum + this.take(part), 0);
    this.wake();
    return bytes;
  }

  /** A message that is redelivered while still held replaces the earlier copy. */
  private take(message: StreamMessage): number {
    const last = this.held.at(-1);
    const isNewest = last === undefined || compare(last, message) < 0;
    const at = isNewest ? this.held.length : this.held.findIndex((held) => compare(held, message) >= 0);
    const earlier = this.held[at];
    const isAgain = earlier !== undefined && compare(earlier, message) === 0;
    this.held.splice(at, isAgain ? 1 : 0, message);
    return isAgain ? 0 : message.data.length;
  }

  private async work(): Promise<void> {
    const heartbeat = setInterval(() => this.reportWorking(), ACK_WAIT_MS / 3);
    while (!this.stopped) {
      if (this.held.length === 0 || !this.isWhole) await this.untilWoken();
      else if (!this.lease.isHeld) await sleep(LEASE_POLL_MS);
      else if (this.isUncertain) await this.beginEpoch();
      else await this.handleNext();
    }
    clearInterval(heartbeat);
  }

  private async handleNext(): Promise<void> {
    const batch = this.nextBatch();
    await this.handle(batch);
    const finished = new Set(batch.filter(({ isDone }) => isDone).map(placeOf));
    // Done through this copy, or through an earlier copy while the redelivery arrived.
    const before = bytesOf(this.held);
    this.held = this.held.filter((message) => !message.isDone && !finished.has(placeOf(message)));
    this.room.give(before - bytesOf(this.held));
    this.failures = finished.size > 0 ? 0 : this.failures + 1;
    if (this.failures > 0 && !this.stopped) await sleep(retryMs(this.failures));
  }

  /** The first messages that are held, up to the limit of one call. */
  private nextBatch(): StreamMessage[] {
    let bytes = 0;
    const end = this.held.findIndex(({ data }, at) => {
      bytes += data.length;
      return at > 0 && bytes > this.source.callBytesMax;
    });
    return this.held.slice(0, end === -1 ? this.held.length : end);
  }

  /** Waits for the shared budget of all calls. Checks the lease and the order again afterwards. */
  private async handle(batch: StreamMessage[]): Promise<void> {
    const bytes = bytesOf(batch);
    if (!(await this.calls.take(bytes, this.stopping.signal))) return;
    try {
      if (this.isWhole && this.lease.isHeld) await this.source.handle(batch, this.lease);
    } catch (error) {
      this.isUncertain = true;
      this.warn('will try again', error);
    } finally {
      this.calls.give(bytes);
    }
  }

  /** Starts a new epoch, so that late writes of the failed call can be told from those of the next one. */
  private async beginEpoch(): Promise<void> {
    try {
      await this.lease.advance();
      this.isUncertain = false;
    } catch (error) {
      this.warn('waits', error);
      await sleep(PULL_AGAIN_MS);
    }
  }

  private untilWoken(): Promise<void> {
    return new Promise((done) => {
      this.wake = done;
    });
  }

  /** Stops without the lease, because the messages must then go to the next owner. */
  private reportWorking(): void {
    if (!this.lease.isHeld) return;
    const reported = new Set<number>();
    for (const message of this.held) {
      if (message.isDone || reported.has(message.sequence)) continue;
      reported.add(message.sequence);
      message.working();
    }
  }

  private warn(what: string, error: unknown): void {
    this.source.log.warn(`${this.source.durable} ${what}: ${(error as Error).message}`);
  }
}

type Place = Pick<StreamMessage, 'sequence' | 'part'>;

/** Compares positions in the stream. */
const compare = (a: Place, b: Place) => a.sequence - b.sequence || a.part - b.part;
const bytesOf = (messages: StreamMessage[]) => messages.reduce((sum, { data }) => sum + data.length, 0);
const placeOf = ({ sequence, part }: Place) => `${sequence}/${part}`;
const retryMs = (failures: number) => Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** failures) * Math.random();
