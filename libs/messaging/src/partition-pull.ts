import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer, ConsumerInfo, JetStreamClient } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type PulledMessage, type PullOptions, pullOnce } from './bounded-pull.js';
import type { ByteAccount } from './byte-pool.js';
import type { HeldMessages } from './held-messages.js';
import type { Lease } from './lease.js';
import { streamMessages } from './packed-batches.js';
import type { WhenDone } from './stream-message.js';
import { MAX_ACK_PENDING } from './streams.js';

/** Reserve of each worker and the size of one pull. Larger than the largest message with its headers. */
export const PULL_BYTES = 2_097_152;
/** A killed worker's pull expires before the acknowledgements of its messages are overdue (see `dropStalePulls`). */
const PULL_EXPIRES_MS = 2_000;
/** Acknowledgements of the previous owner may still be on their way to the server. */
const ACKS_UNDER_WAY_MS = 50;
/** How long one pull waits for messages that others hold, before the worker asks again how many are missing. */
const GATHER_PULL_MS = 500;
const PULL_AGAIN_MS = 500;
/** Messages of all partitions among which a new owner looks for those of its own. Earlier ones come when they are overdue. */
const HAND_BACK_MAX = 4_096;

export interface PartitionPullOptions {
  nats: NatsConnection;
  stream: JetStreamClient;
  streamName: string;
  durable: string;
  lease: Lease;
  /** Receives the messages. */
  held: HeldMessages;
  /** Room for the messages. Their handler gives it back. */
  room: ByteAccount;
  /** Something arrived, or everything is here now. */
  onChange: () => void;
  onDone: WhenDone;
  warn: (what: string, error: unknown) => void;
  signal: AbortSignal;
}

/** Keeps a pull open on one durable consumer, and knows whether the messages that are here may be handled. */
export class PartitionPull {
  /** True when every message that was delivered and not acknowledged is here. Handling one now breaks no order. */
  isWhole = false;
  private consumer: Consumer | undefined;
  /** The consumer numbers its deliveries. After a gap, another process has the message, or it was lost in transit. */
  private nextDelivery = 0;
  private hasGap = false;
  private hasTakenOver = false;
  /** The consumer that the held messages came from. */
  private source = { created: '', isGone: false };

  constructor(private readonly options: PartitionPullOptions) {}

  /** Pulls until the signal aborts. A pull may end when the broker restarts or the consumer is recreated. */
  async run(): Promise<void> {
    const { stream, streamName, durable, warn } = this.options;
    while (!this.stopped) {
      try {
        this.isWhole = false;
        this.consumer = await stream.consumers.get(streamName, durable);
        await sleep(ACKS_UNDER_WAY_MS);
        while (!this.stopped) await (this.isWhole ? this.pullBounded() : this.gather(this.consumer));
      } catch (error) {
        warn('cannot pull', error);
      }
      if (!this.stopped) await sleep(PULL_AGAIN_MS);
    }
  }

  /**
   * A server (seen on 2.9) that still lists this worker's pull drops the first message handed back. That message then waits until
   * its acknowledgement is overdue. Asking for the consumer's state makes the server remove pulls without a listener.
   */
  async dropStalePulls(): Promise<void> {
    if (this.options.held.countOpenUpTo(Number.POSITIVE_INFINITY) > 0)
      await this.consumer?.info().catch(() => undefined);
  }

  private get stopped(): boolean {
    return this.options.signal.aborted;
  }

  private async pullBounded(): Promise<void> {
    const { room, signal } = this.options;
    if (!(await room.take(PULL_BYTES, signal))) return;
    let left = PULL_BYTES;
    const onMessage = (message: PulledMessage) => {
      left -= this.accept(message); // the broker counts more bytes than this, because it includes subjects and headers
    };
    try {
      await this.pullOnce({ messagesMax: MAX_ACK_PENDING, expiresMs: PULL_EXPIRES_MS, onMessage });
    } finally {
      room.give(left);
    }
  }

  /**
   * Collects the messages that other processes received but did not acknowledge. They must be handled before anything newer. The
   * server redelivers them first, at the latest when they are overdue, because nobody without a lease reports progress. Nothing
   * is handled until all are here, so they are accepted even without room. Meanwhile few new messages come in: one for each pull
   * that brings none of the missing ones.
   */
  private async gather(consumer: Consumer): Promise<void> {
    const { lease, room, onChange } = this.options;
    if (this.hasGap) await lease.advance(); // another process may own the partition by now
    this.hasGap = false;
    let isComing = false;
    for (let missing = await this.missing(consumer); !this.stopped; missing = await this.missing(consumer)) {
      this.isWhole = missing <= 0;
      if (this.isWhole) break;
      let last: PulledMessage | undefined;
      const onMessage = (message: PulledMessage) => {
        room.force(this.accept(message));
        last = message;
      };
      await this.pullOnce({ messagesMax: isComing ? missing : 1, expiresMs: GATHER_PULL_MS, onMessage });
      isComing = last?.redelivered ?? false;
      if (last && !isComing) await sleep(GATHER_PULL_MS);
    }
    onChange();
  }

  /**
   * Counts messages that were delivered, are not acknowledged and are not here. No pull is open meanwhile, so none is in transit.
   */
  private async missing(consumer: Consumer): Promise<number> {
    const info = await consumer.info();
    const { created, delivered, num_ack_pending } = info;
    if (created !== this.source.created) this.beginAnew(created);
    this.nextDelivery = delivered.consumer_seq + 1;
    const missing = num_ack_pending - this.options.held.countOpenUpTo(delivered.stream_seq);
    if (missing > 0 && !this.hasTakenOver) this.handBackForOthers(info);
    this.hasTakenOver = true;
    return missing;
  }

  /**
   * A killed owner hands nothing back, and what it had would come only when it is overdue. So the next owner does it in its name, for
   * all that may be missing. The server ignores what is not, and redelivers the rest at once (seen on 2.9 and 2.12).
   */
  private handBackForOthers({ ack_floor, delivered }: ConsumerInfo): void {
    const { nats, streamName, durable, lease } = this.options;
    if (!lease.isHeld) return;
    const first = Math.max(ack_floor.stream_seq + 1, delivered.stream_seq - HAND_BACK_MAX + 1);
    for (let sequence = first; sequence <= delivered.stream_seq; sequence += 1)
      nats.publish(`$JS.ACK.${streamName}.${durable}.1.${sequence}.${delivered.consumer_seq}.0.0`, '-NAK');
  }

  /**
   * Forgets what an earlier consumer of this name delivered. Its messages come again if they are still in the stream. The new one
   * would take an answer about them for an answer about its own. No pull is open meanwhile, so all room is theirs.
   */
  private beginAnew(created: string): void {
    const { held, room } = this.options;
    this.source.isGone = true;
    this.source = { created, isGone: false };
    held.handBack();
    room.give(room.held);
  }

  private pullOnce(bounds: Pick<PullOptions, 'messagesMax' | 'expiresMs' | 'onMessage'>): Promise<void> {
    const { nats, streamName, durable, signal } = this.options;
    return pullOnce({ nats, stream: streamName, durable, ...bounds, bytesMax: PULL_BYTES, signal });
  }

  /** Returns how many more bytes are held now. */
  private accept(message: PulledMessage): number {
    const { lease, held, onChange, onDone } = this.options;
    const { deliverySequence } = message.info;
    if (deliverySequence !== this.nextDelivery) {
      this.hasGap = true;
      this.isWhole = false;
    }
    this.nextDelivery = deliverySequence + 1;
    const { source } = this;
    const whenDone: WhenDone = (done) => {
      if (!source.isGone) onDone(done);
    };
    const batches = streamMessages(
      answeredWhile(() => !source.isGone, message),
      lease,
      whenDone,
    );
    const bytes = batches.reduce((sum, batch) => sum + held.add(batch), 0);
    onChange();
    return bytes;
  }
}

/** The message, whose answers reach the broker only while that holds. */
function answeredWhile(holds: () => boolean, message: PulledMessage): PulledMessage {
  const when = <Given extends unknown[]>(answer: (...given: Given) => void) => {
    return (...given: Given) => {
      if (holds()) answer(...given);
    };
  };
  const { ack, nak, term, working } = message;
  return { ...message, ack: when(ack), nak: when(nak), term: when(term), working: when(working) };
}
