import { setFlagsFromString } from 'node:v8';
import ivm from 'isolated-vm';
import { CHILD_BASE_MB, CHILD_MEMORY_FACTOR, MEMORY_WATCH_MS, TIERING_OF_FRESH, TIERING_OF_KEPT } from '../limits.js';
import type { Source } from './import-order.js';

/** Heap limit that the supervisor passes. */
export const MEMORY_MB = Number(process.argv[2]);

let tiering: readonly string[] = [];
/** Sets how soon V8 optimises. It reads these flags at each step, so they can change between runs. */
export function optimiseFor(context: 'fresh' | 'kept'): void {
  const wanted = context === 'kept' ? TIERING_OF_KEPT : TIERING_OF_FRESH;
  if (tiering === wanted) return;
  tiering = wanted;
  for (const flag of wanted) setFlagsFromString(flag);
}
optimiseFor('fresh');
/** Node.js switches `import source x from` on. isolated-vm does not know it, and V8 then calls a function that is not there. */
setFlagsFromString('--no-js-source-phase-imports');
/** One isolate suffices because this process runs code of only one workspace. */
export const isolate = new ivm.Isolate({ memoryLimit: MEMORY_MB, onCatastrophicError: () => process.abort() });

/** Cheap for code that was compiled before. The isolate finds it by its text, including functions that compiled lazily. */
export const compiled = ({ fileName, code }: Source): ivm.Module =>
  isolate.compileModuleSync(code, { filename: fileName });

const MIB = 1_048_576;

/**
 * Watches the memory of the whole process during a run, because V8 does not count everything against the isolate's limit.
 * Isolates run on their own threads, so this one stays free. Returns a function that stops the watch.
 */
export function watchMemory(memoryMb: number): () => void {
  const mostBytes = (CHILD_BASE_MB + CHILD_MEMORY_FACTOR * memoryMb) * MIB;
  // biome-ignore lint/style/noRestrictedGlobals: a child has no packages of Weir, and an abort cannot fail
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() > mostBytes) process.abort();
  }, MEMORY_WATCH_MS);
  return () => clearInterval(timer);
}
