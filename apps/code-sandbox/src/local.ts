import { fileURLToPath } from 'node:url';
import { OwnChildren } from './host/own-children.js';
import { RUN_LIMIT_MS } from './limits.js';
import { type LocalRequest, runLocally } from './local/run-locally.js';
import { ChildPool, type PoolOptions } from './pool/child-pool.js';

/**
 * Entry point of the sandbox on the machine of a developer, whom `weir dev` serves. It speaks with its parent process, and needs no
 * broker. Everything below is what a server runs: pool, children, limits and the words of errors. No program reaches the network.
 */
const CHILD_SCRIPT = fileURLToPath(new URL('./child.js', import.meta.url));
/** One workspace uses all but one of them. */
const CHILDREN = 3;

/** Tests pass other limits as JSON: a limit is wall-clock time, of which a busy machine needs more. */
const limits: Partial<PoolOptions> = JSON.parse(process.argv[2] ?? '{}');

const pool = new ChildPool({
  host: new OwnChildren(CHILD_SCRIPT),
  children: CHILDREN,
  limitMs: RUN_LIMIT_MS,
  ...limits,
  log: { warn: (message) => void process.stderr.write(`${message}\n`) },
});

process.on('message', async ({ id, request }: { id: number; request: LocalRequest }) => {
  const answer = await runLocally(pool, request).catch((error: Error) => ({ problem: error.message }));
  process.send?.({ id, ...answer });
});
// The parent is gone, or has what it wanted.
process.once('disconnect', () => {
  pool.close();
  process.exit(0);
});
