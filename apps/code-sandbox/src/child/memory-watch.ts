import { CHILD_BASE_MB, CHILD_MEMORY_FACTOR, MEMORY_WATCH_MS } from '../limits.js';

const MIB = 1_048_576;

/**
 * Watches the memory of the whole process during a run, because V8 does not count everything against the isolate's limit.
 * Isolates run on their own threads, so this one stays free. Returns a function that stops the watch.
 */
export function watchMemory(memoryMb: number): () => void {
  const mostBytes = (CHILD_BASE_MB + CHILD_MEMORY_FACTOR * memoryMb) * MIB;
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() > mostBytes) process.abort();
  }, MEMORY_WATCH_MS);
  return () => clearInterval(timer);
}
