import type ivm from 'isolated-vm';
import { CACHED_BUNDLES_MAX } from '../limits.js';
import type { Bundle } from '../wire/protocol.js';
import { reachable, type Source } from './import-order.js';
import { isolate } from './isolate.js';
import { CODE_KEY } from './room.js';

interface Program {
  sources: readonly Source[];
  /** Keep the compiled code alive in the isolate. */
  modules: readonly ivm.Module[];
}
const programs = new Map<string, Program>();
const identities = new WeakMap<Bundle, string>();

/**
 * The code itself, so that reusing a key for other code never runs the old code. Made once per task, because a bundle may have
 * hundreds of kilobytes.
 */
export function identityOf(bundle: Bundle): string {
  const known = identities.get(bundle);
  if (known !== undefined) return known;
  const identity = JSON.stringify(bundle);
  identities.set(bundle, identity);
  return identity;
}

/** Whether the code was compiled for an earlier run. */
export const isCompiled = (bundle: Bundle): boolean => programs.has(identityOf(bundle));

/** The modules that a run loads. Throws compile errors and errors about imports that cannot be resolved. */
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
