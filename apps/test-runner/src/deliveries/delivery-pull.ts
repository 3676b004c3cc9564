import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { Logger } from '@nestjs/common';
import { DeliveryBatch } from '@weir/contracts';
import { type StreamMessage, streamMessage } from '@weir/messaging';
import { sleep } from './backoff.js';
import { DELIVERY_ACK_WAIT_MS, type DeliveryQueues, HELD_MAX } from './delivery-queues.js';
import type { HeldBytes } from './held-bytes.js';

/** Messages of one pull; at most as many times 1 MiB come on top of what memory may hold. */
const PULL_MAX = 32;
const PULL_EXPIRES_MS = 10_000;
const RETRY_MS = 500;
const ROOM_POLL_MS = 50;

/** A batch in hand: acknowledged once all its events are done. */
export interface HeldBatch {
  message: StreamMessage;
  readonly batch: DeliveryBatch;
  readonly bytes: number;
  /** Events that are not done yet. */
  left: number;
}

export interface DeliveryPullParts {
  queues: DeliveryQueues;
  heldBytes: HeldBytes;
}

/** Takes what waits for one destination, in order and without a gap, as far as memory allows. */
export class DeliveryPull {
  private readonly logger = new Logger(DeliveryPull.name);
  private readonly held = new Map<number, HeldBatch>();
  /** Hand-outs of this consumer so far; one that is missing was lost on its way. */
  private handedOut = 0;
  private hasConsumer = false;
  private pulling: ConsumerMessages | undefined;

  constructor(
    private readonly destinationId: string,
    private readonly parts: DeliveryPullParts,
    private readonly line: { signal: AbortSignal; onBatch: (held: HeldBatch) => void },
  ) {}

  /** Runs until the signal stops it. */
  async run(): Promise<void> {
    const heartbeat = setInterval(() => this.reportWorking(), DELIVERY_ACK_WAIT_MS / 3);
    this.line.signal.addEventListener('abort', () => this.pulling?.stop());
    while (!this.isStopped) {
      try {
        const consumer = await this.open();
        while (!this.isStopped && this.hasConsumer) await this.pullOnce(consumer);
      } catch (error) {
        if (this.isStopped) break;
        this.logger.warn(`deliveries of ${this.destinationId} cannot be pulled: ${(error as Error).message}`);
        await sleep(RETRY_MS, this.line.signal).catch(() => undefined);
      }
    }
    clearInterval(heartbeat);
  }

  /** The broker was away: it has forgotten the pull that is open, and what was on its way is lost. */
  again(): void {
    this.hasConsumer = false;
    this.pulling?.stop();
  }

  /** One event of the batch is done. */
  done(held: HeldBatch): void {
    held.left -= 1;
    if (held.left > 0 || !this.held.delete(held.message.sequence)) return;
    this.parts.heldBytes.remove(held.bytes);
    held.message.ack();
  }

  /** Leaves what is not done to the next owner. */
  release(): void {
    for (const { bytes } of this.held.values()) this.parts.heldBytes.remove(bytes);
    this.held.clear();
  }

  private get isStopped(): boolean {
    return this.line.signal.aborted;
  }

  private async open(): Promise<Consumer> {
    const consumer = await this.parts.queues.open(this.destinationId, { fresh: !this.hasConsumer });
    if (!this.hasConsumer) this.handedOut = 0;
    this.hasConsumer = true;
    return consumer;
  }

  private async pullOnce(consumer: Consumer): Promise<void> {
    while (!this.hasRoom()) await sleep(ROOM_POLL_MS, this.line.signal);
    this.pulling = await consumer.fetch({ max_messages: PULL_MAX, expires: PULL_EXPIRES_MS });
    if (this.isStopped) this.pulling.stop();
    for await (const message of this.pulling) {
      if (this.isStopped || !this.isNext(message)) return;
      this.take(message);
    }
  }

  /** A destination that holds nothing may always take something: others' backlogs do not starve it. */
  private hasRoom(): boolean {
    return this.held.size === 0 || (this.held.size < HELD_MAX - PULL_MAX && this.parts.heldBytes.hasRoom());
  }

  /** After a gap everything that is not acknowledged has to come again in order: nothing may overtake what was lost. */
  private isNext({ info }: JsMsg): boolean {
    this.handedOut += 1;
    if (info.deliverySequence !== this.handedOut) this.hasConsumer = false;
    return this.hasConsumer;
  }

  private take(message: JsMsg): void {
    const known = this.held.get(message.seq);
    if (known) {
      known.message = streamMessage(message);
      return;
    }
    const parsed = DeliveryBatch.safeParse(parsedJson(message));
    if (!parsed.success) {
      this.logger.error(`message ${message.seq} of ${message.subject} is no delivery and is removed`);
      message.term();
      return;
    }
    const batch = parsed.data;
    const held = { message: streamMessage(message), batch, bytes: message.data.length, left: batch.events.length };
    this.held.set(message.seq, held);
    this.parts.heldBytes.add(held.bytes);
    this.line.onBatch(held);
  }

  private reportWorking(): void {
    for (const { message } of this.held.values()) message.working();
  }
}

function parsedJson(message: JsMsg): unknown {
  try {
    return message.json();
  } catch {
    return undefined;
  }
}
