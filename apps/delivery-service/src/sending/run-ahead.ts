import type { EventRef, HeldBatch, HeldEventRef } from './held-batch.js';
import type { Turns } from './lanes.js';

/**
 * Bytes of messages with events near their turn, above which the worker reads no further message. Every destination may always
 * hold this much in memory (`MessageMemory`). The contents of more would have to leave memory, and would be read and run again.
 */
const NEAR_BYTES_MAX = 1_048_576;

/**
 * Says how far a worker may read ahead of what it sends, and which contents it needs soon. Events that wait for a retry, or behind
 * one, hold nothing back.
 */
export class RunAhead implements Turns<HeldEventRef> {
  private readonly events = new Map<HeldBatch, Set<EventRef>>();
  private bytes = 0;

  /** @param onLess called when a message has no event near its turn any more */
  constructor(private readonly onLess: () => void) {}

  get isFull(): boolean {
    return this.bytes >= NEAR_BYTES_MAX;
  }

  /** Whether the content of the message is needed soon. */
  needs(held: HeldBatch): boolean {
    return this.events.has(held);
  }

  /** The events of the message that are near their turn. */
  nearIn(held: HeldBatch): ReadonlySet<EventRef> {
    return this.events.get(held) ?? new Set();
  }

  near({ held, ref }: HeldEventRef): void {
    const events = this.events.get(held) ?? new Set();
    if (events.size === 0) this.bytes += held.bytes;
    this.events.set(held, events.add(ref));
  }

  noLongerNear({ held, ref }: HeldEventRef): void {
    const events = this.events.get(held);
    if (!events?.delete(ref) || events.size > 0) return;
    this.events.delete(held);
    this.bytes -= held.bytes;
    this.onLess();
  }
}
