import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that a customer sizes gives way to everything else of the process after so long. */
export const SLICE_MS = 10;

/** What waits for a turn of the event loop, by whose it is; whoever had one is last from then on. */
const lines = new Map<unknown, (() => void)[]>();
let isServing = false;

/**
 * Settles in a turn of the event loop in which nobody else who asked for one begins: for work that takes many milliseconds. Owners
 * are served in turn, so that one with a hundred pieces holds up another by one of them.
 */
export function ownTurn(owner: unknown = ''): Promise<void> {
  return new Promise((begin) => {
    const line = lines.get(owner);
    if (line) line.push(begin);
    else lines.set(owner, [begin]);
    if (!isServing) void serve();
  });
}

async function serve(): Promise<void> {
  isServing = true;
  // What is added meanwhile is met behind the others.
  for (const [owner, line] of lines) {
    await nextTurn();
    lines.delete(owner);
    line.shift()?.();
    if (line.length > 0) lines.set(owner, line);
  }
  isServing = false;
}

/** Cuts long work into slices: `if (slices.isOver) await slices.next()` after each piece lets the event loop turn in between. */
export class Slices {
  private endAt = performance.now() + SLICE_MS;

  /** `owner`: whose work it is; without one it is its own. */
  constructor(private readonly owner?: string) {}

  get isOver(): boolean {
    return performance.now() >= this.endAt;
  }

  /** Settles when everybody else has had their turn. */
  async next(): Promise<void> {
    await ownTurn(this.owner ?? this);
    this.endAt = performance.now() + SLICE_MS;
  }
}
