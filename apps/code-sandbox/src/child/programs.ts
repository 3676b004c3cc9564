import type ivm from 'isolated-vm';
import { CACHED_BUNDLES_MAX } from '../limits.js';
import type { Bundle, FullTask } from '../wire/protocol.js';
import { reachable, type Source } from './import-order.js';
import { isolate } from './isolate.js';
import { CODE_KEY } from './room.js';

interface Program {
  sources: readonly Source[];
  /** Keep the compiled code alive in the isolate. */
  modules: readonly ivm.Module[];
}
/** Compiled code by the digest of its bundle. */
const programs = new Map<string, Program>();

/** Whether the code was compiled for an earlier run. */
export const isCompiled = ({ digest }: FullTask): boolean => programs.has(digest);

/** The modules that a run loads. Throws compile errors and errors about imports that cannot be resolved. */
export async function sourcesOf({ digest, bundle }: FullTask): Promise<readonly Source[]> {
  const known = programs.get(digest);
  const program = known ?? (await newProgram(bundle));
  programs.delete(digest);
  programs.set(digest, program);
  const [oldest] = programs;
  if (oldest && programs.size > CACHED_BUNDLES_MAX) {
    programs.delete(oldest[0]);
    for (const module of oldest[1].modules) module.release();
  }
  return program.sources;
}

/** Compiles asynchronously, so that the memory watch keeps running. */
async function newProgram({ name, code, libraries }: Bundle): Promise<Program> {
  const modules: ivm.Module[] = [];
  const sources = await reachable({ key: CODE_KEY, fileName: name, code }, libraries, async (source) => {
    const module = await isolate.compileModule(source.code, { filename: source.fileName });
    modules.push(module);
    return module.dependencySpecifiers;
  });
  return { sources, modules };
}
