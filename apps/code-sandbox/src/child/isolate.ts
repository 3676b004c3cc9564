import { setFlagsFromString } from 'node:v8';
import ivm from 'isolated-vm';
import { TIERING_FLAGS } from '../limits.js';
import type { Source } from './import-order.js';

/** Heap limit that the supervisor passes. */
export const MEMORY_MB = Number(process.argv[2]);

for (const flag of TIERING_FLAGS) setFlagsFromString(flag);
/** One isolate suffices because this process runs code of only one workspace. */
export const isolate = new ivm.Isolate({ memoryLimit: MEMORY_MB, onCatastrophicError: () => process.abort() });

/** Cheap for code that was compiled before. The isolate finds it by its text, including functions that compiled lazily. */
export const compiled = ({ fileName, code }: Source): ivm.Module =>
  isolate.compileModuleSync(code, { filename: fileName });
