import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { keepChildren } from './host/child-keeper.js';

/**
 * Entry point of the children's container, which has no credentials and no network. Serves one supervisor after another. On a
 * stop signal it leaves together with its supervisor, after the supervisor's runs end.
 */
const CHILD_SCRIPT = fileURLToPath(new URL('./child.js', import.meta.url));
/** Interval between attempts to find a supervisor. */
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
  // Fails while no supervisor is there.
  await keepChildren(socketPath, CHILD_SCRIPT).catch(() => undefined);
  isServing = false;
  if (!isStopping) await delay(PAUSE_MS);
}
process.exit(0);
