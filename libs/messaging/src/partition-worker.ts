import { type Consumer, type ConsumerMessages, type JetStreamClient } from '@nats-io/jetstream';
import type { Log } from './lease-keeper.js';
import { streamMessages } from './message-parts.js';
import type { StreamMessage } from './stream-message.js';
import { ACK_WAIT_MS, MAX_ACK_PENDING } from './streams.js';

/** Handles everything pulled so far, in stream order; acknowledges what it finished. What it leaves comes again, in order. */
export type HandleBatch = (messages: StreamMessage[]) => Promise<void>;

/** A killed worker's pull is gone from the server before the messages that it held are overdue (see `forgetPull`). */
const PULL_EXPIRES_MS = 2_000;
/** Acknowledgements of the last owner may still be on their way to the server. */
const ACKS_UNDER_WAY_MS = 50;
/** Everything that is not acknowledged has come again by then. */
const INHERITED_WAIT_MS = ACK_WAIT_MS + 1_000;
const RETRY_MS_MIN = 50;
const RETRY_MS_MAX = 5_000;

const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Messages up to `lastSequence` that the last owner left. */
interface Inherited {
  count: number;
  lastSequence: number;
  waitUntil: number;
}

/** Works through one durable consumer, in order, one call at a time, until it is stopped. */
export class PartitionWorker {
  private held: StreamMessage[] = [];
  private stopped = false;
  private wake: () => void = () => undefined;
  private consumer: Consumer | undefined;
  private messages: ConsumerMessages | undefined;
  private inherited: Inherited | undefined;
  private readonly finished: Promise<unknown>;

  constructor(
    private readonly stream: JetStreamClient,
    private readonly source: { stream: string; durable: string; handle: HandleBatch; log: Log },
  ) {
    this.finished = Promise.all([this.pull(), this.work()]);
  }

  /** Ends after the call that is running; what was not acknowledged is handed out again at once, to whoever comes next. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.messages?.close().catch(() => undefined);
    await this.finished;
    await this.forgetPull();
    for (const message of this.held) message.nak();
    this.held = [];
  }

  /**
   * A server (seen on 2.9) that still lists this worker's pull drops the first message that is handed back, until its
   * acknowledgement is overdue. Asking for the consumer's state makes it strike pulls that nobody listens to any more.
   */
  private async forgetPull(): Promise<void> {
    if (this.held.length > 0) await this.consumer?.info().catch(() => undefined);
  }

  /** Keeps a subscription open: it may end when the broker restarts or the consumer is made anew. */
  private async pull(): Promise<void> {
    while (!this.stopped) {
      try {
        const consumer = await this.stream.consumers.get(this.source.stream, this.source.durable);
        if (!this.consumer) await this.inherit(consumer);
        this.consumer = consumer;
        if (this.stopped) return;
        this.messages = await consumer.consume({
          max_messages: MAX_ACK_PENDING,
          expires: PULL_EXPIRES_MS,
          callback: (message) => this.takeAll(streamMessages(message)),
        });
        if (this.stopped) await this.messages.close();
        await this.messages.closed();
      } catch (error) {
        this.source.log.warn(`${this.source.durable} cannot pull: ${(error as Error).message}`);
      }
      if (!this.stopped) await sleep(RETRY_MS_MIN * 10);
    }
  }

  /**
   * What the last owner had in hand and did not acknowledge comes again, at the latest when that is overdue, and has to be
   * handled before anything newer.
   */
  private async inherit(consumer: Consumer): Promise<void> {
    await sleep(ACKS_UNDER_WAY_MS);
    const { num_ack_pending: count, delivered } = await consumer.info();
    if (count === 0) return;
    this.inherited = { count, lastSequence: delivered.stream_seq, waitUntil: Date.now() + INHERITED_WAIT_MS };
    setTimeout(() => this.wake(), INHERITED_WAIT_MS).unref();
  }

  private isInheritanceComplete(): boolean {
    if (!this.inherited) return true;
    const { count, lastSequence, waitUntil } = this.inherited;
    const back = new Set(this.held.map(({ sequence }) => sequence).filter((sequence) => sequence <= lastSequence));
    if (back.size < count && Date.now() < waitUntil) return false;
    this.inherited = undefined;
    return true;
  }

  private takeAll(messages: StreamMessage[]): void {
    for (const message of messages) this.take(message);
    this.wake();
  }

  /** A message that is redelivered while it is still held replaces the earlier hand-out. */
  private take(message: StreamMessage): void {
    const last = this.held.at(-1);
    const isNewest = last === undefined || compare(last, message) < 0;
    const at = isNewest ? this.held.length : this.held.findIndex((held) => compare(held, message) >= 0);
    const earlier = this.held[at];
    this.held.splice(at, earlier && compare(earlier, message) === 0 ? 1 : 0, message);
  }

  private async work(): Promise<void> {
    const heartbeat = setInterval(() => this.reportWorking(), ACK_WAIT_MS / 3);
    let failures = 0;
    while (!this.stopped) {
      if (this.held.length === 0 || !this.isInheritanceComplete()) {
        await this.untilHeld();
        continue;
      }
      const batch = [...this.held];
      const failed = await this.handle(batch);
      const finished = new Set(batch.filter(({ isDone }) => isDone).map(placeOf));
      // Finished by this hand-out, or by an earlier one while its redelivery arrived.
      this.held = this.held.filter((message) => !message.isDone && !finished.has(placeOf(message)));
      failures = failed ? failures + 1 : 0;
      if (failed && !this.stopped) await sleep(Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** failures) * Math.random());
    }
    clearInterval(heartbeat);
  }

  /** Whether nothing came of it: then the next try waits longer. */
  private async handle(batch: StreamMessage[]): Promise<boolean> {
    try {
      await this.source.handle(batch);
    } catch (error) {
      this.source.log.warn(`${this.source.durable} will try again: ${(error as Error).message}`);
    }
    return batch.every(({ isDone }) => !isDone);
  }

  private untilHeld(): Promise<void> {
    return new Promise((done) => {
      this.wake = done;
    });
  }

  private reportWorking(): void {
    const reported = new Set<number>();
    for (const message of this.held) {
      if (message.isDone || reported.has(message.sequence)) continue;
      reported.add(message.sequence);
      message.working();
    }
  }
}

type Place = Pick<StreamMessage, 'sequence' | 'part'>;

/** In the order of the stream. */
const compare = (a: Place, b: Place) => a.sequence - b.sequence || a.part - b.part;
const placeOf = ({ sequence, part }: Place) => `${sequence}/${part}`;
