import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work whose size a customer controls yields to the rest of the process after this time. */
export const SLICE_MS = 10;

/** Small pieces of work of one owner that share a turn. */
const SHARING_MAX = 16;

/** Work that begins in the same turn. */
type Group = { begins: (() => void)[]; isShared: boolean };
/** Work that waits for a turn of the event loop, by owner. An owner that had a turn goes to the end. */
const turns = new Map<unknown, Group[]>();
let isServing = false;

/**
 * Resolves in a turn of the event loop that no other caller shares. For work that takes many milliseconds. Owners take turns, so
 * an owner with a hundred pieces delays another by one piece.
 */
export const ownTurn = (owner: unknown): Promise<void> => turnOf(owner, false);

/**
 * Returns undefined while this turn of the event loop has time left. Otherwise resolves in a later turn, which a few small pieces of the
 * same owner share: `await timeInTurn(owner)`. For work that takes less than a millisecond, but may come by the hundred.
 */
export const timeInTurn = (owner: unknown): Promise<void> | undefined =>
  performance.now() < endOfTurn() ? undefined : turnOf(owner, true);

function turnOf(owner: unknown, isShared: boolean): Promise<void> {
  return new Promise((begin) => {
    const waiting = turns.get(owner) ?? [];
    turns.set(owner, waiting);
    const last = waiting.at(-1);
    if (isShared && last?.isShared && last.begins.length < SHARING_MAX) last.begins.push(begin);
    else waiting.push({ begins: [begin], isShared });
    if (!isServing) void serve();
  });
}

async function serve(): Promise<void> {
  isServing = true;
  // The loop also visits entries that are added meanwhile, after the others.
  for (const [owner, waiting] of turns) {
    await nextTurn();
    turns.delete(owner);
    for (const begin of waiting.shift()?.begins ?? []) begin();
    if (waiting.length > 0) turns.set(owner, waiting);
  }
  isServing = false;
}

/** End of the time that all work of this turn of the event loop shares. Undefined until some of it asks. */
let turnEndAt: number | undefined;

/** Twenty requests that arrive together would each take a whole slice of one turn, so they share one. */
function endOfTurn(): number {
  if (turnEndAt === undefined) {
    turnEndAt = performance.now() + SLICE_MS;
    setImmediate(() => {
      turnEndAt = undefined;
    });
  }
  return turnEndAt;
}

/** Cuts long work into slices. After each piece, `if (slices.isOver) await slices.next()` lets the event loop turn. */
export class Slices {
  private endAt = endOfTurn();

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

  /** Maps the items in order, in slices. */
  async map<T, R>(items: Iterable<T>, make: (item: T) => R): Promise<R[]> {
    const made: R[] = [];
    for (const item of items) {
      if (this.isOver) await this.next();
      made.push(make(item));
    }
    return made;
  }
}

/** A synchronous stretch longer than this delays everything else in the process. */
export const STALL_MS = 50;

/** Receives a stretch: the name of the work, its length, and when it ended (`performance.now()`). */
export type StallListener = (work: string, ms: number, endedAt: number) => void;

const listeners = new Set<StallListener>();
/** Milliseconds already reported. An enclosing stretch subtracts them. */
let toldMs = 0;

/** Returns a function that removes the listener. */
export function onStall(listener: StallListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Runs `work` and reports it if it blocked the event loop for too long. Nested `during` calls that were reported do not count.
 * For an asynchronous function, only the part before its first `await` counts. Use a small set of names, such as kinds, subjects
 * and steps, and never customer data.
 */
export function during<T>(name: string, work: () => T): T {
  const startedAt = performance.now();
  const toldBefore = toldMs;
  try {
    return work();
  } finally {
    const endedAt = performance.now();
    if (endedAt - startedAt > STALL_MS) tell(name, endedAt - startedAt - (toldMs - toldBefore), endedAt);
  }
}

function tell(name: string, ms: number, endedAt: number): void {
  if (ms <= STALL_MS) return;
  toldMs += ms;
  for (const listener of listeners) listener(name, ms, endedAt);
}
