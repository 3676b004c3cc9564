import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { CHILD_OLD_SPACE_MB } from '../limits.js';

/** node-gyp-build reads this file to detect musl before it picks a prebuilt binary. */
const ALPINE_MARK = '/etc/alpine-release';

/**
 * Node flags of a child. The permission model limits code that breaks out of the isolate. It can read the child's own code and
 * the packages, but write no file and start no program or worker.
 */
export function childFlags(script: string): string[] {
  const packages = dirname(dirname(createRequire(import.meta.url).resolve('isolated-vm')));
  const readable = [dirname(script), packages, ALPINE_MARK];
  return [
    '--no-node-snapshot', // isolated-vm requires it
    `--max-old-space-size=${CHILD_OLD_SPACE_MB}`,
    '--permission',
    '--allow-addons',
    '--disable-warning=PERM0001', // addons are the purpose of the child
    ...readable.map((path) => `--allow-fs-read=${path}`),
  ];
}
