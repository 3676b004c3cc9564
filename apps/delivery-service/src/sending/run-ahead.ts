import type { HeldBatch } from './held-batch.js';
import type { Turns } from './lanes.js';

/**
 * Bytes of messages with events near their turn, above which the worker reads no further message. Every destination may always
 * hold this much in memory (`MessageMemory`). The contents of more would have to leave memory, and would be read and run again.
 */
const NEAR_BYTES_MAX = 1_048_576;

/** Says how far a worker may read ahead of what it sends. Events that wait for a retry, or behind one, hold it back no longer. */
export class RunAhead implements Turns<HeldBatch> {
  private readonly nearEvents = new Map<HeldBatch, number>();
  private bytes = 0;

  /** @param onLess called when a message has no event near its turn any more */
  constructor(private readonly onLess: () => void) {}

  get isFull(): boolean {
    return this.bytes >= NEAR_BYTES_MAX;
  }

  near(held: HeldBatch): void {
    const events = this.nearEvents.get(held) ?? 0;
    this.nearEvents.set(held, events + 1);
    if (events === 0) this.bytes += held.bytes;
  }

  noLongerNear(held: HeldBatch): void {
    const events = (this.nearEvents.get(held) ?? 0) - 1;
    if (events > 0) {
      this.nearEvents.set(held, events);
      return;
    }
    this.nearEvents.delete(held);
    this.bytes -= held.bytes;
    this.onLess();
  }
}
