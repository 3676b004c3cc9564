import { DeliveryBatch } from '@weir/contracts';
import { during, jsonOf, ownTurn, Slices } from '@weir/messaging';
import type { DeliveryQueues } from '../queues/delivery-queues.js';
import type { FairPool, Spare } from '../queues/fair-pool.js';
import type { DestinationPart, DestinationRef } from '../units/delivery-unit.js';
import type { BatchContent, HeldBatch } from './held-batch.js';

/** Reading or sending a larger message takes so long that each gets its own turn of the event loop. */
export const LARGE_BYTES = 65_536;

/** How long the content of a message stays after its last use, although others want its memory. */
const LINGER_MS = 20;

export interface BatchContentsOptions {
  owner: DestinationRef;
  queues: DeliveryQueues;
  memory: FairPool;
  signal: AbortSignal;
  /** Whether an event of the message is near its turn. Such a content is the last to leave memory. */
  isNeeded: (held: HeldBatch) => boolean;
}

/**
 * Keeps the contents of one destination's messages in memory while memory lasts. Content in use, or used just now, stays.
 * Messages that wait for a retry, or for a destination that is down, give up their memory when others need it. The stream
 * supplies them again when their turn comes.
 */
export class BatchContents {
  private readonly users = new Map<HeldBatch, number>();
  private readonly loading = new Map<HeldBatch, Promise<BatchContent | undefined>>();
  private readonly lingering = new Map<HeldBatch, NodeJS.Timeout>();
  private readonly spares = new Map<HeldBatch, Spare>();
  private readonly slices: Slices;

  constructor(private readonly options: BatchContentsOptions) {
    this.slices = new Slices(options.owner.workspaceId);
  }

  /** Keeps the data of a new message if there is room. Messages whose turn comes sooner give up nothing for it. */
  keep(held: HeldBatch, data: Uint8Array): void {
    if (!this.options.memory.takeFree(this.options.owner, held.bytes)) return;
    held.data = data;
    this.offer(held);
  }

  /**
   * Returns the content of a message. The caller must release it with `close`. Returns undefined if the stream no longer has the
   * message, or if it is not a delivery. Rejects when stopped or when the broker is away.
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
      if (held.content ?? held.data) this.offerLater(held);
    }
  }

  /** Frees the memory of a message that this owner no longer needs. */
  drop(held: HeldBatch): void {
    this.reclaim(held);
    const isHere = held.content !== undefined || held.data !== undefined;
    held.content = undefined;
    held.data = undefined;
    if (isHere) this.options.memory.give(this.options.owner, held.bytes);
  }

  private use(held: HeldBatch): void {
    this.users.set(held, (this.users.get(held) ?? 0) + 1);
    this.reclaim(held);
  }

  /** From now on nobody else may take the memory of the message. */
  private reclaim(held: HeldBatch): void {
    clearTimeout(this.lingering.get(held));
    this.lingering.delete(held);
    const spare = this.spares.get(held);
    this.spares.delete(held);
    if (spare) this.options.memory.withdraw(spare);
  }

  /** The next event of a message follows soon. Until then its content stays, and is not read and run again. */
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
      held.data = undefined;
      held.content = undefined;
    };
    const spare = { owner, amount: held.bytes, isNeeded: () => isNeeded(held), giveUp };
    this.spares.set(held, spare);
    memory.offer(spare);
  }

  private async load(held: HeldBatch): Promise<BatchContent | undefined> {
    if (!held.data) {
      await this.options.memory.take(this.options.owner, held.bytes, this.options.signal);
      held.data = await this.fetch(held);
    }
    const { data } = held;
    if (!data) return undefined;
    if (held.bytes > LARGE_BYTES) await ownTurn(this.options.owner.workspaceId);
    else if (this.slices.isOver) await this.slices.next();
    held.data = undefined;
    const parts = during('deliverer.read', () => partsOf(data));
    if (parts) held.content = { parts, outcomes: new Map() };
    else this.options.memory.give(this.options.owner, held.bytes);
    return held.content;
  }

  /** Reads the message from the stream, and frees the reserved memory if that fails. */
  private async fetch(held: HeldBatch): Promise<Uint8Array | undefined> {
    let data: Uint8Array | undefined;
    try {
      data = await this.options.queues.message(held.sequence);
      return data;
    } finally {
      if (!data) this.options.memory.give(this.options.owner, held.bytes);
    }
  }
}

/** Returns undefined if the data is not a delivery. */
function partsOf(data: Uint8Array): DestinationPart[] | undefined {
  try {
    const { parts, ...owner } = DeliveryBatch.parse(jsonOf(data));
    return parts.map((part) => ({ ...part, ...owner }));
  } catch {
    return undefined;
  }
}
