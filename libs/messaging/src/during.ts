/** A synchronous stretch longer than this holds up everybody who shares the process. */
export const STALL_MS = 50;

/** Told of a stretch: the name of the work, its length, and when it ended (`performance.now()`). */
export type StallListener = (work: string, ms: number, endedAt: number) => void;

const listeners = new Set<StallListener>();
/** Milliseconds that were told already: what contains a stretch does not count it again. */
let toldMs = 0;

/** Until the answered function is called. */
export function onStall(listener: StallListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Runs `work` and tells when it, without what it marks itself, held the event loop for too long. Of an asynchronous function this is
 * what it does until it first waits. Names are few: of kinds, subjects and steps, and never of what a customer sent.
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
