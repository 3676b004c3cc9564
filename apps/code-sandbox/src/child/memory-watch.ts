import { CHILD_BASE_MB, CHILD_MEMORY_FACTOR, MEMORY_WATCH_MS } from '../limits.js';

const MIB = 1_048_576;

/**
 * Looks at the whole process while a run is on: V8 counts not everything that user code can make against the limit of
 * its isolate. Isolates run on threads of their own, so this one is free to look. Answers how to stop.
 */
export function watchMemory(memoryMb: number): () => void {
  const mostBytes = (CHILD_BASE_MB + CHILD_MEMORY_FACTOR * memoryMb) * MIB;
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() > mostBytes) process.abort();
  }, MEMORY_WATCH_MS);
  return () => clearInterval(timer);
}
