import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work whose size a customer controls yields to the rest of the process after this time. */
export const SLICE_MS = 10;

/** Work that waits for a turn of the event loop, by owner. An owner that had a turn goes to the end. */
const lines = new Map<unknown, (() => void)[]>();
let isServing = false;

/**
 * Resolves in a turn of the event loop that no other caller shares. For work that takes many milliseconds. Owners take turns, so
 * an owner with a hundred pieces delays another by one piece.
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
  // The loop also visits entries that are added meanwhile, after the others.
  for (const [owner, line] of lines) {
    await nextTurn();
    lines.delete(owner);
    line.shift()?.();
    if (line.length > 0) lines.set(owner, line);
  }
  isServing = false;
}

/** Cuts long work into slices. After each piece, `if (slices.isOver) await slices.next()` lets the event loop turn. */
export class Slices {
  private endAt = performance.now() + SLICE_MS;

  /** `owner` groups work for fair turns. Without it, this object is its own owner. */
  constructor(private readonly owner?: string) {}

  get isOver(): boolean {
    return performance.now() >= this.endAt;
  }

  /** Resolves after all others have had their turn. */
  async next(): Promise<void> {
    await ownTurn(this.owner ?? this);
    this.endAt = performance.now() + SLICE_MS;
  }
}
