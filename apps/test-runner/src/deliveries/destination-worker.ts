import { setMaxListeners } from 'node:events';
import { Logger } from '@nestjs/common';
import { destinationKind } from '@weir/destinations';
import type { Egress } from '@weir/egress';
import { inTraceOf, type Lease } from '@weir/messaging';
import type { CodeRunner } from '../code/code-runner.js';
import { eventMetadata } from '../code/event-metadata.js';
import { type UserOutcome, userStage } from '../stages/user-stage.js';
import { untilItWorks } from './backoff.js';
import { BatchContents, LARGE_BYTES } from './batch-contents.js';
import { Breaker } from './breaker.js';
import { DeliveryPull, type DeliveryPullParts } from './delivery-pull.js';
import { type DeliveryOwnerIds, laneOf } from './delivery-unit.js';
import { DestinationSender } from './destination-sender.js';
import type { FairBudget } from './fair-budget.js';
import type { HeldBatch, HeldPlace } from './held-batch.js';
import { Lanes } from './lanes.js';
import type { ReleaseTable } from './release-table.js';
import { Slots } from './slots.js';
import type { TrialReports } from './trial-reports.js';
import { type OpenEvent, UnitDelivery, type UnitDeliveryParts } from './unit-delivery.js';
import type { UsedVersions } from './used-versions.js';

export interface DestinationWorkerParts extends UnitDeliveryParts, DeliveryPullParts {
  releases: ReleaseTable;
  code: CodeRunner;
  usedVersions: UsedVersions;
  trials: TrialReports;
  /** Memory budget in bytes for messages, shared by all destinations of the process. */
  memory: FairBudget;
  /** Budget for events in lanes, shared by all destinations of the process. A waiting event takes about a kilobyte. */
  lanes: FairBudget;
  /** Creates the HTTP client of one destination, so that one that hangs cannot use up another's connections to the same host. */
  newEgress: (workspaceId: string) => Egress;
}

/** Concurrent deliveries per destination. A kind that sends batches gets `payloadsMax` more. */
const CONCURRENCY_MAX = 16;
/** Events per run of user code. The results of one run are sent during the next, and survive its failure. */
const TRANSFORMED_AT_ONCE_MAX = 100;
/** Unread messages above which the worker stops pulling. */
const UNREAD_MAX = 32;
/** Bytes of small messages that are read together. */
const READ_BYTES_MAX = 524_288;
/** Grace period for attempts under way. After that, the next owner gets their events. */
const STOP_WAIT_MS = 3_000;

interface HeldEventPlace {
  held: HeldBatch;
  place: HeldPlace;
}

/**
 * Delivers the messages of one destination. Keeps events of one user in order, sends others concurrently, and leaves other
 * destinations unaffected.
 */
export class DestinationWorker {
  private readonly logger = new Logger(DestinationWorker.name);
  private readonly lanes = new Lanes();
  private readonly stopping = new AbortController();
  private readonly egress: Egress;
  private readonly sender: DestinationSender;
  private readonly owner: DeliveryOwnerIds;
  private readonly contents: BatchContents;
  private readonly pull: DeliveryPull;
  private readonly delivery: UnitDelivery;
  private readonly running = new Set<Promise<void>>();
  private readonly finished: Promise<unknown>;
  private readonly arrived: HeldBatch[] = [];
  private wake: () => void = () => undefined;

  constructor(
    private readonly destinationId: string,
    private readonly parts: DestinationWorkerParts,
    lease: Lease,
  ) {
    const { signal } = this.stopping;
    setMaxListeners(0, signal);
    this.owner = { workspaceId: parts.inventory.destination(destinationId)?.workspaceId ?? '', destinationId };
    this.egress = parts.newEgress(this.owner.workspaceId);
    this.sender = new DestinationSender(this.egress, lease);
    const line = { sender: this.sender, breaker: new Breaker(), slots: new Slots(this.concurrency), lease, signal };
    this.delivery = new UnitDelivery(parts, line);
    this.contents = new BatchContents(this.owner, parts, signal);
    const landing = {
      arrive: (held: HeldBatch, data: Uint8Array) => this.arrive(held, data),
      isBehind: () => this.arrived.length >= UNREAD_MAX,
      drop: (held: HeldBatch) => this.contents.drop(held),
    };
    this.pull = new DeliveryPull(this.owner, parts, { lease, signal, landing });
    this.finished = Promise.all([this.pull.run(), this.transform()]);
    void parts.outcomes.began(destinationId);
  }

  /** Stops without acknowledging unfinished messages, so the next owner continues with them. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    const waited = new Promise<void>((resolve) => setTimeout(resolve, STOP_WAIT_MS).unref());
    await Promise.race([Promise.all([this.finished, ...this.running]), waited]);
    await this.pull.release();
    void this.sender.close().then(() => this.egress.close());
  }

  /** Starts a new pull after a reconnect to the broker. */
  pullAgain(): void {
    this.pull.again();
  }

  private get concurrency(): number {
    const type = this.parts.inventory.destination(this.destinationId)?.type ?? '';
    return CONCURRENCY_MAX + (destinationKind(type)?.batching?.payloadsMax ?? 0);
  }

  private get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private arrive(held: HeldBatch, data: Uint8Array): void {
    this.contents.keep(held, data);
    this.arrived.push(held);
    this.wake();
  }

  private untilArrived(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
      if (this.isStopped) resolve();
    });
  }

  /** Runs user code over arrived messages, in order, while earlier events are being sent. */
  private async transform(): Promise<void> {
    const { signal } = this.stopping;
    const onFailure = (error: Error) => this.logger.warn(`events for ${this.destinationId} wait: ${error.message}`);
    while (!this.isStopped) {
      if (this.arrived.length === 0) await this.untilArrived();
      else await untilItWorks(() => this.transformNext(), { signal, onFailure }).catch((error) => this.leave(error));
    }
  }

  /**
   * Transforms the next events, up to one run of code. Takes its share of the lanes before it opens a message, because nobody may
   * wait for a share while holding another.
   */
  private async transformNext(): Promise<void> {
    await this.parts.lanes.take(this.owner, TRANSFORMED_AT_ONCE_MAX, this.stopping.signal);
    const opened: HeldBatch[] = [];
    let queued = 0;
    try {
      const events = await this.readNext(opened);
      await this.runCode(events);
      for (const { held, place } of events) {
        held.unqueued.shift();
        this.enqueue(held, place);
        queued += 1;
      }
      while (this.arrived[0]?.isRead && this.arrived[0].unqueued.length === 0) this.arrived.shift();
    } finally {
      for (const held of opened) this.contents.close(held);
      this.parts.lanes.give(this.owner, TRANSFORMED_AT_ONCE_MAX - queued);
    }
  }

  /** Reads the first message and those behind it that are still in memory. */
  private async readNext(opened: HeldBatch[]): Promise<HeldEventPlace[]> {
    const events: HeldEventPlace[] = [];
    let bytes = 0;
    for (const held of [...this.arrived]) {
      const isEnough = events.length >= TRANSFORMED_AT_ONCE_MAX || bytes >= READ_BYTES_MAX;
      if (opened.length > 0 && (isEnough || !held.data)) break;
      const content = await this.contents.open(held);
      if (content) opened.push(held);
      if (content && !held.isRead) this.pull.begin(held, content.parts);
      if (!content) this.giveUp(held);
      const places = held.unqueued.slice(0, TRANSFORMED_AT_ONCE_MAX - events.length);
      events.push(...places.map((place) => ({ held, place })));
      bytes += held.bytes;
    }
    return events;
  }

  /** Removes a message that cannot be read. Either it is not a delivery, or it left the stream. */
  private giveUp(held: HeldBatch): void {
    this.logger.error(`message ${held.sequence} of ${held.hand.subject} is no delivery and is removed`);
    held.begin([]);
    this.pull.finish(held);
  }

  /** Runs user code for events without an outcome in memory. `isAgain` marks events that statistics already include. */
  private async runCode(open: HeldEventPlace[], isAgain = false): Promise<void> {
    const places = open.filter(({ held, place }) => outcomeOf(held, place) === undefined);
    if (places.length === 0) return;
    const outcomes = await this.outcomesOf(places, isAgain);
    for (const [n, { held, place }] of places.entries()) {
      const ofPart = held.content?.outcomes.get(place.part) ?? [];
      held.content?.outcomes.set(place.part, ofPart);
      ofPart[place.index] = outcomes[n] ?? { status: 'unlinked' };
    }
  }

  private async outcomesOf(open: HeldEventPlace[], isAgain: boolean): Promise<UserOutcome[]> {
    await this.parts.releases.loaded;
    const { inventory, releases, code, usedVersions, trials } = this.parts;
    const destination = inventory.destination(this.destinationId);
    const inputs = open.map(({ held, place: { part, index } }) => {
      const whole = held.content?.parts[part.at];
      const message = whole?.events[index] ?? {};
      return { message, metadata: destination && whole ? eventMetadata(message, { ...whole, destination }) : {} };
    });
    // skip the code of a disabled destination, because its events are dropped when their turn comes
    const release = destination?.enabled ? releases.get(this.destinationId) : undefined;
    const allowFetch = inventory.allowsFetch(destination?.workspaceId ?? '');
    const outcomes = await code.run(release, inputs, { mode: 'live', allowFetch });
    if (release && !isAgain) usedVersions.note(release);
    if (release?.onTrial && !isAgain) trials.count(release, outcomes);
    return outcomes;
  }

  private enqueue(held: HeldBatch, place: HeldPlace): void {
    const part = held.content?.parts[place.part.at];
    if (!part) return;
    const { receivedAt } = part;
    const isLarge = held.bytes > LARGE_BYTES;
    const event = { ...this.owner, receivedAt, isLarge, open: () => this.openEvent(held, place) };
    const work = this.lanes
      .add(laneOf(part, place.index), () => inTraceOf(held.hand, () => this.delivery.deliver(event)))
      .then(() => this.pull.done(held, place))
      .catch((error: Error) => this.leave(error))
      .finally(() => this.parts.lanes.give(this.owner, 1));
    this.running.add(work);
    void work.finally(() => this.running.delete(work));
  }

  /** Waits while the broker or the sandbox is away. */
  private openEvent(held: HeldBatch, place: HeldPlace): Promise<OpenEvent | undefined> {
    return untilItWorks(() => this.tryToOpen(held, place), {
      signal: this.stopping.signal,
      onFailure: (error) => this.logger.warn(`an event for ${this.destinationId} waits: ${error.message}`),
    });
  }

  private async tryToOpen(held: HeldBatch, place: HeldPlace): Promise<OpenEvent | undefined> {
    const part = (await this.contents.open(held))?.parts[place.part.at];
    if (!part) return undefined;
    const close = () => this.contents.close(held);
    try {
      if (!outcomeOf(held, place)) await this.runCode(queuedEvents(held), true);
      const after = userStage(part.events[place.index] ?? {}, outcomeOf(held, place) ?? { status: 'unlinked' });
      return { part, index: place.index, after, close };
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

/** The events that are in lanes. Later ones have not had their first run, and that run must count. */
function queuedEvents(held: HeldBatch): HeldEventPlace[] {
  const { open, unqueued } = held;
  return open.slice(0, open.length - unqueued.length).map((place) => ({ held, place }));
}

const outcomeOf = ({ content }: HeldBatch, { part, index }: HeldPlace): UserOutcome | undefined =>
  content?.outcomes.get(part)?.[index];
