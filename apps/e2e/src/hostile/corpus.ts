import type { Attack } from './attack.js';
import { calls } from './calls.js';
import { events } from './events.js';
import { programs } from './programs.js';

/** Attacks that a workspace can run on its neighbours with a write key, with tokens, or with code. */
export const CORPUS: readonly Attack[] = [...events, ...calls, ...programs];
