import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { COLLECT_BYTES } from '../limits.js';

/** The flag gives `gc` to every context that is made while it is set. User code must have none, so it is off again at once. */
setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
setFlagsFromString('--no-expose-gc');

let passed = 0;

/**
 * Collects garbage when enough text has passed. Events and results are texts outside the heap, which itself stays small. So V8
 * would let hundreds of MiB of them wait.
 */
export function collectAfter(bytes: number): void {
  passed += bytes;
  if (passed < COLLECT_BYTES) return;
  passed = 0;
  collect();
}
