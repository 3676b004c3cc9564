import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { CHILD_OLD_SPACE_MB } from '../limits.js';

/** node-gyp-build looks whether the system is musl's before it picks a prebuilt binary. */
const ALPINE_MARK = '/etc/alpine-release';

/**
 * How a child is started. Node's permission model takes files, programs and workers from whoever should break out of
 * the isolate into the child's JavaScript: it may read its own code and the packages, and nothing else.
 */
export function childFlags(script: string): string[] {
  const packages = dirname(dirname(createRequire(import.meta.url).resolve('isolated-vm')));
  const readable = [dirname(script), packages, ALPINE_MARK];
  return [
    '--no-node-snapshot', // isolated-vm asks for it
    `--max-old-space-size=${CHILD_OLD_SPACE_MB}`,
    '--permission',
    '--allow-addons',
    '--disable-warning=PERM0001', // addons are what the child is for
    ...readable.map((path) => `--allow-fs-read=${path}`),
  ];
}
