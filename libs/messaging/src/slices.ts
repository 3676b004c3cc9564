import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that a customer sizes gives way to everything else of the process after so long. */
export const SLICE_MS = 10;

/** Cuts long work into slices: `if (slices.isOver) await slices.next()` after each piece lets the event loop turn in between. */
export class Slices {
  private endAt = performance.now() + SLICE_MS;

  get isOver(): boolean {
    return performance.now() >= this.endAt;
  }

  /** Settles when everybody else has had their turn. */
  async next(): Promise<void> {
    await nextTurn();
    this.endAt = performance.now() + SLICE_MS;
  }
}
