import { setMaxListeners } from 'node:events';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { matchIdsOf } from '@weir/contracts';
import { destinationKind } from '@weir/destinations';
import { Egress } from '@weir/egress';
import { InventoryMirror } from '@weir/inventory';
import { inTraceOf, type Lease } from '@weir/messaging';
import { CONFIG } from '@weir/service-kit';
import { userStage } from '@weir/stages';
import { type Passage, SuppressionCheck } from '../checks/suppression-check.js';
import { LiveCode } from '../code/live-code.js';
import type { DelivererConfig } from '../config.js';
import { Outcomes } from '../outcomes/outcomes.js';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import { DeliveryShares } from '../queues/delivery-shares.js';
import { DeliverySlots, MessageMemory, QueuedEvents } from '../queues/fair-pool.js';
import { type DestinationRef, laneOf } from '../units/delivery-unit.js';
import { AdaptiveLimit } from './adaptive-limit.js';
import { untilItWorks } from './backoff.js';
import { BatchContents, LARGE_BYTES } from './batch-contents.js';
import { Breaker } from './breaker.js';
import { DeliveryProgress } from './delivery-progress.js';
import { DeliveryPull } from './delivery-pull.js';
import { DestinationSender } from './destination-sender.js';
import { type DeliveryContext, EventDelivery, type OpenEvent } from './event-delivery.js';
import { type BatchContent, type EventRef, type HeldBatch, type HeldEventRef, outcomeOf } from './held-batch.js';
import { Lanes, type Rest } from './lanes.js';
import { RunAhead } from './run-ahead.js';

/** Events per run of user code. The results of one run are sent during the next, and survive its failure. */
const TRANSFORMED_AT_ONCE_MAX = 100;
/** Unread messages above which the worker stops pulling. */
const UNREAD_MAX = 32;
/** Bytes of small messages that are read together. */
const READ_BYTES_MAX = 524_288;
/** Grace period for attempts under way. After that, the next owner gets their events. */
const STOP_WAIT_MS = 3_000;

/**
 * Delivers the messages of one destination. Keeps events of one user in order, sends others concurrently, and leaves other
 * destinations unaffected.
 */
@Injectable()
export class DestinationWorker {
  private readonly logger = new Logger(DestinationWorker.name);
  private readonly ahead = new RunAhead(() => this.wake());
  private readonly lanes = new Lanes(this.ahead);
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();
  private readonly arrived: HeldBatch[] = [];
  private wake: () => void = () => undefined;
  private owner: DestinationRef;
  /** The HTTP client of this destination. One that hangs cannot use up another's connections to the same host. */
  private egress: Egress;
  private context: DeliveryContext;
  private contents: BatchContents;
  private pull: DeliveryPull;
  private finished: Promise<unknown>;

  constructor(
    @Inject(CONFIG) private readonly config: DelivererConfig,
    private readonly inventory: InventoryMirror,
    private readonly queues: DeliveryQueues,
    private readonly shares: DeliveryShares,
    private readonly progress: DeliveryProgress,
    private readonly memory: MessageMemory,
    private readonly queuedEvents: QueuedEvents,
    private readonly slots: DeliverySlots,
    private readonly code: LiveCode,
    private readonly suppression: SuppressionCheck,
    private readonly delivery: EventDelivery,
    private readonly outcomes: Outcomes,
  ) {}

  /** Works for one destination until it is stopped. Call it once. */
  start(owner: DestinationRef, lease: Lease): void {
    const { signal } = this.stopping;
    setMaxListeners(0, signal);
    this.owner = owner;
    const { egress, deliveryConcurrencyMax: slotsMax } = this.config;
    this.egress = new Egress({ ...egress, owner: owner.workspaceId, socketsMax: slotsMax });
    const sender = new DestinationSender(this.egress, lease);
    const limit = new AdaptiveLimit({ owner, pool: this.slots, slotsMax, gathered: this.gathered });
    this.context = { sender, breaker: new Breaker(), limit, lease, signal };
    const isNeeded = (held: HeldBatch) => this.ahead.needs(held);
    this.contents = new BatchContents({ owner, queues: this.queues, memory: this.memory, signal, isNeeded });
    const landing = {
      arrive: (held: HeldBatch, data: Uint8Array) => this.arrive(held, data),
      isBehind: () => this.arrived.length >= UNREAD_MAX,
      drop: (held: HeldBatch) => this.contents.drop(held),
    };
    this.pull = new DeliveryPull(this.queues, this.shares, this.progress, { owner, lease, signal, landing });
    this.finished = Promise.all([this.pull.run(), this.transform()]);
    void this.outcomes.began(owner.destinationId);
  }

  /** Stops without acknowledging unfinished messages, so the next owner continues with them. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    const waited = new Promise<void>((resolve) => setTimeout(resolve, STOP_WAIT_MS).unref());
    await Promise.race([Promise.all([this.finished, ...this.running]), waited]);
    await this.pull.release();
    this.context.limit.release();
    void this.context.sender.close().then(() => this.egress.close());
  }

  /** Starts a new pull after a reconnect to the broker. */
  pullAgain(): void {
    this.pull.again();
  }

  /** Whether the destination counts as down. */
  get isDown(): boolean {
    return this.context.breaker.open;
  }

  /** Payloads that wait until a batch is full, for kinds that send batches. */
  private get gathered(): number {
    const type = this.inventory.destination(this.owner.destinationId)?.type ?? '';
    return destinationKind(type)?.batching?.payloadsMax ?? 0;
  }

  private get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private arrive(held: HeldBatch, data: Uint8Array): void {
    this.contents.keep(held, data);
    this.arrived.push(held);
    this.wake();
  }

  /** Resolves when a message arrived, or when less waits to be sent. */
  private untilWoken(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
      if (this.isStopped) resolve();
    });
  }

  /** Runs user code over arrived messages, in order, while earlier events are being sent. */
  private async transform(): Promise<void> {
    const { signal } = this.stopping;
    const onFailure = (error: Error) =>
      this.logger.warn(`events for ${this.owner.destinationId} wait: ${error.message}`);
    while (!this.isStopped) {
      if (this.arrived.length === 0 || this.ahead.isFull) await this.untilWoken();
      else await untilItWorks(() => this.transformNext(), { signal, onFailure }).catch((error) => this.leave(error));
    }
  }

  /**
   * Transforms the next events, up to one run of code. Takes its share of the lanes before it opens a message, because nobody may
   * wait for a share while holding another.
   */
  private async transformNext(): Promise<void> {
    await this.queuedEvents.take(this.owner, TRANSFORMED_AT_ONCE_MAX, this.stopping.signal);
    const opened: HeldBatch[] = [];
    let queued = 0;
    try {
      const events = await this.readNext(opened);
      await this.runCode(events);
      await this.suppression.learn(events.flatMap(passagesOf));
      for (const { held, ref } of events) {
        held.unqueued.shift();
        this.enqueue(held, ref);
        queued += 1;
      }
      while (this.arrived[0]?.isRead && this.arrived[0].unqueued.length === 0) this.arrived.shift();
    } finally {
      for (const held of opened) this.contents.close(held);
      this.queuedEvents.give(this.owner, TRANSFORMED_AT_ONCE_MAX - queued);
    }
  }

  /** Reads the first message and those behind it that are still in memory. */
  private async readNext(opened: HeldBatch[]): Promise<HeldEventRef[]> {
    const events: HeldEventRef[] = [];
    let bytes = 0;
    for (const held of [...this.arrived]) {
      const isEnough = events.length >= TRANSFORMED_AT_ONCE_MAX || bytes >= READ_BYTES_MAX;
      if (opened.length > 0 && (isEnough || !held.data)) break;
      const content = await this.contents.open(held);
      if (content) opened.push(held);
      if (content && !held.isRead) this.pull.begin(held, content.parts);
      if (!content) this.giveUp(held);
      const refs = held.unqueued.slice(0, TRANSFORMED_AT_ONCE_MAX - events.length);
      events.push(...refs.map((ref) => ({ held, ref })));
      bytes += held.bytes;
    }
    return events;
  }

  /** Removes a message that cannot be read. Either it is not a delivery, or it left the stream. */
  private giveUp(held: HeldBatch): void {
    this.logger.error(`message ${held.sequence} of ${held.hand.subject} is not a delivery and is removed`);
    held.begin([]);
    this.pull.finish(held);
  }

  /** Runs user code for events without an outcome in memory. `isAgain` marks events that statistics already include. */
  private async runCode(open: HeldEventRef[], isAgain = false): Promise<void> {
    const refs = open.filter(({ held, ref }) => outcomeOf(held, ref) === undefined);
    if (refs.length === 0) return;
    const events = refs.map(({ held, ref: { part, index } }) => ({ part: held.content?.parts[part.at], index }));
    const outcomes = await this.code.run(this.owner.destinationId, events, { isAgain });
    for (const [n, { held, ref }] of refs.entries()) {
      const ofPart = held.content?.outcomes.get(ref.part) ?? [];
      held.content?.outcomes.set(ref.part, ofPart);
      ofPart[ref.index] = outcomes[n] ?? { status: 'unlinked' };
    }
  }

  /**
   * Runs user code again after the outcomes left memory: for the event, and for those of its message that follow soon. Events that
   * wait for the same message share one run, which may leave some of them out.
   */
  private runAgain(content: BatchContent, held: HeldBatch, ref: EventRef): Promise<void> {
    const refs = new Set(this.ahead.nearIn(held)).add(ref);
    const events = [...refs].map((one) => ({ held, ref: one }));
    content.running ??= this.runCode(events, true).finally(() => {
      content.running = undefined;
    });
    return content.running;
  }

  private enqueue(held: HeldBatch, ref: EventRef): void {
    const part = held.content?.parts[ref.part.at];
    if (!part) return;
    const { receivedAt } = part;
    const isLarge = held.bytes > LARGE_BYTES;
    const event = { ...this.owner, receivedAt, isLarge, open: () => this.openEvent(held, ref) };
    const deliver = (rest: Rest) => this.delivery.deliver({ ...event, rest }, this.context);
    const work = this.lanes
      .add(laneOf(part, ref.index), { held, ref }, (rest) => inTraceOf(held.hand, () => deliver(rest)))
      .then(() => this.pull.done(held, ref))
      .catch((error: Error) => this.leave(error))
      .finally(() => this.queuedEvents.give(this.owner, 1));
    this.running.add(work);
    void work.finally(() => this.running.delete(work));
  }

  /** Waits while the broker or the sandbox is away. */
  private openEvent(held: HeldBatch, ref: EventRef): Promise<OpenEvent | undefined> {
    return untilItWorks(() => this.tryToOpen(held, ref), {
      signal: this.stopping.signal,
      onFailure: (error) => this.logger.warn(`an event for ${this.owner.destinationId} waits: ${error.message}`),
    });
  }

  private async tryToOpen(held: HeldBatch, ref: EventRef): Promise<OpenEvent | undefined> {
    const content = await this.contents.open(held);
    const part = content?.parts[ref.part.at];
    if (!content || !part) return undefined;
    const close = () => this.contents.close(held);
    try {
      while (!outcomeOf(held, ref)) await this.runAgain(content, held, ref);
      const outcome = outcomeOf(held, ref);
      if (outcome?.status === 'unwanted') return { part, index: ref.index, after: outcome, close };
      const after = userStage(part.events[ref.index] ?? {}, outcome ?? { status: 'unlinked' });
      return { part, index: ref.index, after, versionId: outcome?.versionId, close };
    } catch (error) {
      close();
      throw error;
    }
  }

  /** Leaves an event to the next owner. The only expected reason is a stop. */
  private leave(error: Error): void {
    if (!this.isStopped) this.logger.error(`an event waits for the next owner: ${error.stack ?? error.message}`);
  }
}

function passagesOf({ held, ref }: HeldEventRef): Passage[] {
  const part = held.content?.parts[ref.part.at];
  return part ? [{ ...part, userIds: matchIdsOf(part.events[ref.index] ?? {}) }] : [];
}
