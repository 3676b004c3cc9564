import type ivm from 'isolated-vm';
import { CACHED_BUNDLES_MAX } from '../limits.js';
import type { Bundle } from '../protocol.js';
import { reachable, type Source } from './import-order.js';
import { isolate } from './isolate.js';
import { CODE_KEY } from './room.js';

interface Program {
  sources: readonly Source[];
  /** Hold what was compiled, so that the isolate still knows it. */
  modules: readonly ivm.Module[];
}
const programs = new Map<string, Program>();
/** By the code itself: a key that were ever given to other code must not run the old one. */
const identityOf = (bundle: Bundle) => JSON.stringify(bundle);

/** Whether its code was compiled for an earlier run. */
export const isWarm = (bundle: Bundle): boolean => programs.has(identityOf(bundle));

/** The modules that a run of it loads. Throws what compilers say of code, and for imports that lead nowhere. */
export async function sourcesOf(bundle: Bundle): Promise<readonly Source[]> {
  const identity = identityOf(bundle);
  const known = programs.get(identity);
  const program = known ?? (await newProgram(bundle));
  programs.delete(identity);
  programs.set(identity, program);
  const [oldest] = programs;
  if (oldest && programs.size > CACHED_BUNDLES_MAX) {
    programs.delete(oldest[0]);
    for (const module of oldest[1].modules) module.release();
  }
  return program.sources;
}

/** Where a compiler may take its time, the memory watch has to go on: so this is not done at once. */
async function newProgram({ name, code, libraries }: Bundle): Promise<Program> {
  const modules: ivm.Module[] = [];
  const sources = await reachable({ key: CODE_KEY, fileName: name, code }, libraries, async (source) => {
    const module = await isolate.compileModule(source.code, { filename: source.fileName });
    modules.push(module);
    return module.dependencySpecifiers;
  });
  return { sources, modules };
}
