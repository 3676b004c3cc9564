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
