import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that a customer sizes gives way to everything else of the process after so long. */
export const SLICE_MS = 10;

/** Pieces of work that wait for their turn: one a turn of the event loop, whoever they are of. */
let line: Promise<void> = Promise.resolve();

/** Settles in a turn of the event loop in which nobody else who asked for one begins: for work that takes many milliseconds. */
export function ownTurn(): Promise<void> {
  line = line.then(() => nextTurn());
  return line;
}

/** Cuts long work into slices: `if (slices.isOver) await slices.next()` after each piece lets the event loop turn in between. */
export class Slices {
  private endAt = performance.now() + SLICE_MS;

  get isOver(): boolean {
    return performance.now() >= this.endAt;
  }

  /** Settles when everybody else has had their turn. */
  async next(): Promise<void> {
    await ownTurn();
    this.endAt = performance.now() + SLICE_MS;
  }
}
