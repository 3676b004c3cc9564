import { Injectable, Logger } from '@nestjs/common';
import { inTraceOf, type Lease, Slices } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import { LRUCache } from 'lru-cache';
import { Outcomes } from '../outcomes/outcomes.js';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import { DeliveryShares, type Stored } from '../queues/delivery-shares.js';
import { Overflow, unitsOf } from '../queues/overflow.js';
import { messagesOf, type PartText, type Queue, QueueWriter, textOf } from '../queues/queue-writer.js';
import type { DestinationPart } from '../units/delivery-unit.js';
import { DeliveryProgress } from './delivery-progress.js';
import type { AcceptedPart, FeedOptions, Landing } from './feed-options.js';
import { type EventRef, HeldBatch, type Hold, type Home, progressOf } from './held-batch.js';
import { type QueuedBatch, QueueReader } from './queue-reader.js';
import { tenancy } from './tenancy.js';

/** Unfinished batches. As many retries can wait in memory. */
const HELD_MAX = 1_024;
/** Parts with progress that are saved at once. */
const SAVED_AT_ONCE_MAX = 1_000;
/** Number of recent batch ids in which duplicates are recognised. Far more than a router ever hands over again. */
const SEEN_MAX = 4_096;

/** Positions of finished events, by batch. */
type DoneBefore = ReadonlyMap<string, readonly number[]>;

/** Begins feeds. */
@Injectable()
export class PartitionFeeds {
  constructor(
    readonly queues: DeliveryQueues,
    readonly writer: QueueWriter,
    readonly shares: DeliveryShares,
    readonly overflow: Overflow,
    readonly progress: DeliveryProgress,
    readonly outcomes: Outcomes,
  ) {}

  begin(options: FeedOptions): PartitionFeed {
    return new PartitionFeed(options, this);
  }
}

/**
 * Hands one destination the events of one partition, in order. Events go from the log straight into memory while the destination
 * keeps up. Those that cannot be delivered soon go to its queue, and what follows them goes there, too, until the queue is read.
 * So nothing in the queue is later than what only the log keeps, and the next owner finds both in order.
 */
export class PartitionFeed {
  readonly hold: Hold;
  /** The events under way. */
  readonly running = new Set<Promise<void>>();
  private readonly logger = new Logger(PartitionFeed.name);
  private readonly stopping = new AbortController();
  private readonly queue: Queue & { lease: Lease };
  private readonly reader: QueueReader;
  private readonly landing: Landing;
  private readonly held = new Set<HeldBatch>();
  /** Held batches that only the log keeps, in order. */
  private readonly inLog = new Set<HeldBatch>();
  /** Finished batches whose message is still there. Only their progress says that they are. */
  private readonly finished = new Set<HeldBatch>();
  /** Batches that memory does not have, and whose dead letters are being written. */
  private readonly doomed = new Set<string>();
  private readonly seen = new LRUCache<string, true>({ max: SEEN_MAX });
  /** Progress that the previous owner saved for batches that come again. */
  private doneBefore: Promise<DoneBefore> | undefined;
  /** Everything that decides about the order, one after the other. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    { owner, lease, landing }: FeedOptions,
    private readonly services: PartitionFeeds,
  ) {
    this.landing = landing;
    this.hold = { lease, signal: this.stopping.signal };
    this.queue = { ...owner, partition: lease.slot, lease };
    const { queues, shares } = services;
    this.reader = new QueueReader({
      ...{ queue: this.queue, hold: this.hold, queues, shares },
      hasRoom: () => !landing.isBehind,
      mayHold: () => this.held.size < HELD_MAX,
      reading: landing.reading,
      onBatch: (batch) => this.takeFromQueue(batch),
    });
  }

  /** Takes parts in order. Resolves when each is in memory or in the queue. */
  accept(parts: readonly AcceptedPart[]): Promise<void> {
    return this.inTurn(async () => {
      await this.reader.look();
      const doneBefore = await this.progressBefore();
      const waiting = parts.findIndex((part) => !this.takeNow(part, doneBefore));
      if (waiting !== -1) await this.enqueue(parts.slice(waiting));
    });
  }

  /** Moves batches that are not done for a while to the queue, so that they can leave the log. */
  park(olderThanMs: number): Promise<void> {
    const before = performance.now() - olderThanMs;
    const old = () => [...this.inLog].filter(({ takenAt }) => takenAt <= before);
    return old().length === 0 ? Promise.resolve() : this.inTurn(() => this.move(old()));
  }

  /** Learns what the stream has of the queue. */
  notice(messages: number, lastSequence: number): void {
    this.reader.notice(messages, lastSequence);
  }

  /** Marks one event as done. */
  done(held: HeldBatch, ref: EventRef): void {
    held.done(ref);
    if (held.isDone) this.finish(held);
  }

  /** Ends a batch that left the stream before its events were done. */
  giveUp(held: HeldBatch): void {
    this.logger.error(`a message of ${held.home.subject} left the stream before its events were done`);
    this.finish(held);
  }

  get isIdle(): boolean {
    return this.held.size === 0 && this.reader.isIdle;
  }

  /** Saves progress, so that nothing that is done comes again after a restart. */
  async save(): Promise<void> {
    if (!this.hold.lease.isHeld) return; // the next owner saves its own progress
    const parts = [...this.held, ...this.finished].flatMap(({ unsaved }) => unsaved).slice(0, SAVED_AT_ONCE_MAX);
    const sizes = parts.map(({ done }) => done.size);
    await this.services.progress.save(this.queue.destinationId, parts.map(progressOf));
    for (const [index, part] of parts.entries()) part.saved = sizes[index] ?? 0;
  }

  /**
   * Ends the work. Events under way may end within `waitMs`. The next owner finds the others in the queue. The log would hand over
   * whole batches again, and repeat what other destinations have.
   */
  async release(waitMs: number): Promise<void> {
    if (this.hold.lease.isHeld)
      await this.park(0).catch((error: Error) => this.warn('cannot write to the queue', error));
    this.stopping.abort();
    const waited = new Promise<void>((resolve) => setTimeout(resolve, waitMs).unref());
    const ended = Promise.allSettled([...this.running, this.turn]).then(() => this.reader.removed());
    await Promise.race([ended, waited]);
    await this.save().catch((error: Error) => this.warn('cannot store the delivery progress', error));
    for (const held of this.held) this.landing.drop(held);
    this.held.clear();
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = async () => {
      this.hold.signal.throwIfAborted();
      return work();
    };
    const result = this.turn.then(run);
    this.turn = result.catch(() => undefined);
    return result;
  }

  /** Returns false if the part has to wait in the queue. */
  private takeNow(accepted: AcceptedPart, doneBefore: DoneBefore): boolean {
    const { part, bytes, taken, settled } = accepted;
    if (this.seen.has(part.batchId)) {
      taken();
      settled();
      return true;
    }
    if (this.doomed.has(part.batchId)) return false;
    if (this.reader.isBacklogged || this.held.size >= HELD_MAX) return false;
    if (!this.landing.take(bytes)) return false;
    const held = new HeldBatch(inLog(accepted), this.hold, bytes, [headOf(part, 0)], doneBefore);
    this.inLog.add(held);
    this.count([accepted]);
    taken();
    this.begin(held, [part]);
    return true;
  }

  private progressBefore(): Promise<DoneBefore> {
    this.doneBefore ??= this.services.progress.load(this.queue.destinationId).catch((error: unknown) => {
      this.doneBefore = undefined;
      throw error;
    });
    return this.doneBefore;
  }

  private async takeFromQueue(message: QueuedBatch): Promise<void> {
    const doneBefore = await this.progressBefore();
    const take = async () => this.take(message, doneBefore);
    // batches that came before may be in a message that is being written now
    await (message.parts.some(({ batchId }) => this.seen.has(batchId)) ? this.inTurn(take) : take());
  }

  private take({ sequence, bytes, parts, trace }: QueuedBatch, doneBefore: DoneBefore): void {
    const { reader } = this;
    if (reader.knows(sequence)) return;
    const heads = parts.map(headOf).filter(({ batchId }) => !this.seen.has(batchId));
    const inLog = this.inLogOf(parts);
    const tenants = inLog.length + Math.min(1, heads.length);
    const done = tenancy(tenants, () => reader.remove({ sequence, bytes }));
    // a write whose answer got lost: the batches live in this message from now on
    for (const { held, at } of inLog) this.rehome(held, { sequence, at, done });
    if (tenants === 0) void reader.remove({ sequence, bytes });
    if (heads.length === 0) return;
    const home = { subject: reader.subject, trace, read: () => reader.readAgain(sequence), done };
    const held = new HeldBatch(home, this.hold, bytes, heads, doneBefore);
    this.begin(held, this.landing.hasRoom(bytes) ? parts : undefined);
  }

  /** Batches in memory that only the log keeps, with their place in a message that has them, too. */
  private inLogOf(parts: readonly DestinationPart[]): { held: HeldBatch; at: number }[] {
    const places = new Map(parts.map(({ batchId }, at) => [batchId, at]));
    return [...this.inLog].flatMap((held) => {
      const at = places.get(held.parts[0]?.batchId ?? '');
      return at === undefined ? [] : [{ held, at }];
    });
  }

  private begin(held: HeldBatch, parts: DestinationPart[] | undefined): void {
    for (const { batchId } of held.parts) this.seen.set(batchId, true);
    this.held.add(held);
    this.landing.arrive(held, parts);
    if (held.isDone) this.finish(held);
  }

  private finish(held: HeldBatch): void {
    if (!this.held.delete(held)) return;
    this.inLog.delete(held);
    this.landing.drop(held);
    void this.endWith(held, held.home.done());
  }

  /** Keeps the progress of a finished batch until its message is gone. */
  private async endWith(held: HeldBatch, gone: Promise<boolean>): Promise<void> {
    this.finished.add(held);
    if (!(await gone)) return;
    this.finished.delete(held);
    this.forget(held);
  }

  /** Removes progress that no message can need any more. */
  private forget(held: HeldBatch): void {
    const ids = held.savedIds;
    if (ids.length === 0 || !this.hold.lease.isHeld) return;
    held.forgotten();
    this.services.progress
      .forget(this.queue.destinationId, ids)
      .catch((error: Error) => this.warn('cannot remove old delivery progress yet', error));
  }

  /** Writes parts to the queue, behind everything that is in memory. What has no room becomes dead letters. */
  private async enqueue(parts: readonly AcceptedPart[]): Promise<void> {
    await this.move([...this.inLog]);
    const chunks = messagesOf(parts);
    const isDoomed = (chunk: readonly AcceptedPart[]) => chunk.some(({ part }) => this.doomed.has(part.batchId));
    for (const [at, chunk] of chunks.entries()) {
      const isStored = !isDoomed(chunk) && (await this.store(chunk));
      // everything from the first chunk that does not fit is buried together, so nothing overtakes it
      const gone = isStored ? chunk : chunks.slice(at).flat();
      if (!isStored) await this.buryAll(gone);
      this.count(gone);
      for (const { taken, settled } of gone) {
        taken();
        settled();
      }
      if (!isStored) return;
      this.reader.toBeRead();
    }
  }

  private async store(chunk: readonly AcceptedPart[]): Promise<boolean> {
    const [first] = chunk;
    if (!first) return true;
    const texts = await new Slices(this.queue.workspaceId).map(chunk, ({ part }) => textOf(withoutOwner(part)));
    return inTraceOf(first.message, async () => (await this.services.writer.store(this.queue, texts)) !== undefined);
  }

  /** Writes batches that only the log keeps to the queue. Their events go on in memory meanwhile. */
  private async move(batches: readonly HeldBatch[]): Promise<void> {
    const begun = batches.filter(({ isBurying }) => isBurying); // some of their dead letters may be written
    if (begun.length > 0) await this.bury(await this.opened(begun));
    for (const chunk of messagesOf(batches.filter(({ isEnding }) => !isEnding))) {
      const open = await this.opened(chunk);
      const [first] = open;
      if (!first) continue;
      const texts = open.flatMap((one) => one.texts);
      const stored = await inTraceOf(first.held.home, () => this.storeOpen(texts));
      if (!stored) {
        await this.bury(open);
        continue;
      }
      this.reader.wroteFromMemory(stored);
      this.rehomeAll(
        open.map(({ held }) => held),
        stored,
      );
    }
  }

  /** Reads batches that are not done, in slices: what moves to a queue at once may be megabytes. */
  private async opened(batches: readonly HeldBatch[]) {
    const slices = new Slices(this.queue.workspaceId);
    const opened: { held: HeldBatch; parts: DestinationPart[]; texts: PartText[] }[] = [];
    for (const held of batches) {
      if (slices.isOver) await slices.next();
      const parts = await partsIn(held);
      if (parts.length > 0) opened.push({ held, parts, texts: parts.map((part) => textOf(withoutOwner(part))) });
    }
    return opened.filter(({ held }) => !held.isDone);
  }

  /** Stores events that are not done. A message that an earlier write had stored, and that is gone, is written anew. */
  private async storeOpen(texts: readonly PartText[]): Promise<Stored | undefined> {
    const { writer } = this.services;
    const stored = await writer.store(this.queue, texts);
    if (!stored?.isOld || (await this.reader.has(stored))) return stored;
    return writer.store(this.queue, texts, newKsuid());
  }

  /** From now on a message of the queue keeps the batches. It is removed when all of them are done. */
  private rehomeAll(batches: readonly HeldBatch[], stored: Stored): void {
    const done = tenancy(batches.length, () => this.reader.remove(stored));
    for (const [at, held] of batches.entries())
      if (held.isDone) void this.endWith(held, done());
      else this.rehome(held, { sequence: stored.sequence, at, done });
  }

  /** Ends batches that memory does not have. A repetition, after some dead letters were written, must end them, too. */
  private async buryAll(parts: readonly AcceptedPart[]): Promise<void> {
    for (const { part } of parts) this.doomed.add(part.batchId);
    await this.services.overflow.bury(this.queue, parts.map(partIn), this.hold.lease);
    for (const { part } of parts) this.doomed.delete(part.batchId);
  }

  /** Ends what the queue has no room for. Its events must not keep the log from going on. */
  private async bury(batches: readonly { held: HeldBatch; parts: DestinationPart[] }[]): Promise<void> {
    for (const { held } of batches) held.isBurying = held.isEnding = true;
    const waiting = batches.flatMap(({ held, parts }) => {
      const [of] = held.parts;
      const units = parts.flatMap(unitsOf).filter(({ index }) => of && !of.done.has(index) && !of.busy.has(index));
      return of ? units.map((unit) => ({ held, unit, ref: { part: of, index: unit.index } })) : [];
    });
    const units = waiting.map(({ unit }) => unit);
    await this.services.overflow.buryEach(units, this.queue, this.hold.lease);
    for (const { held, ref } of waiting) held.done(ref);
    for (const { held } of batches) {
      held.isBurying = false;
      this.inLog.delete(held); // what is under way ends with its attempt
      if (held.isDone) this.finish(held);
    }
  }

  private rehome(held: HeldBatch, { sequence, at, done }: { sequence: number; at: number } & Pick<Home, 'done'>): void {
    const { home } = held;
    const read = async () => (await this.reader.readAgain(sequence))?.slice(at, at + 1);
    held.home = { subject: this.reader.subject, trace: home.trace, read, done };
    this.inLog.delete(held);
    void home.done();
  }

  private count(parts: readonly AcceptedPart[]): void {
    const events = parts.reduce((sum, { part }) => sum + part.events.length, 0);
    this.services.outcomes.count(this.queue, 'accepted', events);
  }

  private warn(what: string, error: Error): void {
    this.logger.warn(`${what} of ${this.queue.destinationId}: ${error.message}`);
  }
}

const headOf = ({ batchId, events }: DestinationPart, at: number) => ({ batchId, at, events: events.length });

const partIn = ({ part }: AcceptedPart): DestinationPart => part;

const withoutOwner = ({ workspaceId: _, destinationId: __, ...part }: DestinationPart) => part;

/** The accepted message keeps the batch. */
const inLog = ({ message, read, settled }: AcceptedPart): Home => ({
  subject: message.subject,
  trace: message.trace,
  read: async () => [read()],
  done: async () => {
    settled();
    return true;
  },
});

const partsIn = async (held: HeldBatch): Promise<DestinationPart[]> =>
  held.content?.parts ?? (await held.home.read()) ?? [];
