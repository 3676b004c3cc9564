import { setFlagsFromString } from 'node:v8';
import ivm from 'isolated-vm';
import { TIERING_FLAGS } from '../limits.js';
import type { Source } from './import-order.js';

/** What the supervisor allows the heap. */
export const MEMORY_MB = Number(process.argv[2]);

for (const flag of TIERING_FLAGS) setFlagsFromString(flag);
/** All code that this process ever runs is of one workspace, so one isolate holds it. */
export const isolate = new ivm.Isolate({ memoryLimit: MEMORY_MB, onCatastrophicError: () => process.abort() });

/** Cheap for code that was compiled before: the isolate knows it by its text, with all that was compiled as it ran. */
export const compiled = ({ fileName, code }: Source): ivm.Module =>
  isolate.compileModuleSync(code, { filename: fileName });
