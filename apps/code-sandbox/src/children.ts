import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { keepChildren } from './host/child-keeper.js';

/**
 * The container of the children, which has neither credentials nor a network of its own to lose. It serves one supervisor
 * after the other; when it is asked to stop it goes with its supervisor, whose runs come to an end first.
 */
const CHILD_SCRIPT = fileURLToPath(new URL('./child.js', import.meta.url));
/** Between two looks for a supervisor. */
const PAUSE_MS = 250;

const [, , socketPath] = process.argv;
if (!socketPath) throw new Error('children.js <path of the socket of the supervisor>');

let isServing = false;
let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    isStopping = true;
    if (!isServing) process.exit(0);
  });
}

while (!isStopping) {
  isServing = true;
  // No supervisor yet, or no longer.
  await keepChildren(socketPath, CHILD_SCRIPT).catch(() => undefined);
  isServing = false;
  if (!isStopping) await delay(PAUSE_MS);
}
process.exit(0);
