import type { FairPool, Spare } from '../queues/fair-pool.js';
import type { DestinationPart, DestinationRef } from '../units/delivery-unit.js';
import type { BatchContent, HeldBatch } from './held-batch.js';

/** Sending a larger batch takes so long that each gets its own turn of the event loop. */
export const LARGE_BYTES = 65_536;

/** How long the content of a batch stays after its last use, although others want its memory. */
const LINGER_MS = 20;

export interface BatchContentsOptions {
  owner: DestinationRef;
  memory: FairPool;
  signal: AbortSignal;
  /** Whether an event of the batch is near its turn. Such a content is the last to leave memory. */
  isNeeded: (held: HeldBatch) => boolean;
}

/**
 * Keeps the contents of one destination's batches in memory while memory lasts. Content in use, or used just now, stays.
 * Batches that wait for a retry, or for a destination that is down, give up their memory when others need it. Their home supplies
 * them again when their turn comes.
 */
export class BatchContents {
  private readonly users = new Map<HeldBatch, number>();
  private readonly loading = new Map<HeldBatch, Promise<BatchContent | undefined>>();
  private readonly lingering = new Map<HeldBatch, NodeJS.Timeout>();
  private readonly spares = new Map<HeldBatch, Spare>();

  constructor(private readonly options: BatchContentsOptions) {}

  /** Takes memory for a batch that arrives, or returns false. Batches whose turn comes sooner give up nothing for it. */
  takeIfFree(bytes: number): boolean {
    return this.options.memory.takeUnneeded(this.options.owner, bytes);
  }

  /** Keeps the content of a new batch, for which `takeIfFree` has taken the memory. */
  keep(held: HeldBatch, parts: DestinationPart[]): void {
    held.content = { parts, outcomes: new Map() };
    this.offer(held);
  }

  /**
   * Returns the content of a batch. The caller must release it with `close`. Returns undefined if the stream no longer has the
   * batch. Rejects when stopped or when the broker is away.
   */
  async open(held: HeldBatch): Promise<BatchContent | undefined> {
    this.use(held);
    try {
      if (held.content) return held.content;
      const loading = this.loading.get(held) ?? this.load(held).finally(() => this.loading.delete(held));
      this.loading.set(held, loading);
      return await loading;
    } catch (error) {
      this.close(held);
      throw error;
    }
  }

  close(held: HeldBatch): void {
    const users = (this.users.get(held) ?? 1) - 1;
    if (users > 0) this.users.set(held, users);
    else {
      this.users.delete(held);
      if (held.content) this.offerLater(held);
    }
  }

  /** Frees the memory of a batch that this owner no longer needs. */
  drop(held: HeldBatch): void {
    this.reclaim(held);
    const isHere = held.content !== undefined;
    held.content = undefined;
    if (isHere) this.options.memory.give(this.options.owner, held.bytes);
  }

  private use(held: HeldBatch): void {
    this.users.set(held, (this.users.get(held) ?? 0) + 1);
    this.reclaim(held);
  }

  /** From now on nobody else may take the memory of the batch. */
  private reclaim(held: HeldBatch): void {
    clearTimeout(this.lingering.get(held));
    this.lingering.delete(held);
    const spare = this.spares.get(held);
    this.spares.delete(held);
    if (spare) this.options.memory.withdraw(spare);
  }

  /** The next event of a batch follows soon. Until then its content stays, and is not read and run again. */
  private offerLater(held: HeldBatch): void {
    const offer = () => {
      this.lingering.delete(held);
      this.offer(held);
    };
    this.lingering.set(held, setTimeout(offer, LINGER_MS).unref());
  }

  private offer(held: HeldBatch): void {
    const { owner, memory, isNeeded } = this.options;
    const giveUp = () => {
      this.spares.delete(held);
      held.content = undefined;
    };
    const spare = { owner, amount: held.bytes, isNeeded: () => isNeeded(held), giveUp };
    this.spares.set(held, spare);
    memory.offer(spare);
  }

  private async load(held: HeldBatch): Promise<BatchContent | undefined> {
    const { owner, memory, signal } = this.options;
    await memory.take(owner, held.bytes, signal);
    let parts: DestinationPart[] | undefined;
    try {
      parts = await held.home.read();
    } finally {
      if (!parts) memory.give(owner, held.bytes);
    }
    held.content = parts && { parts, outcomes: new Map() };
    return held.content;
  }
}
