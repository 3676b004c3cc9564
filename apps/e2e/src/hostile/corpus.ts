import type { Attack } from './attack.js';
import { calls } from './calls.js';
import { events } from './events.js';
import { programs } from './programs.js';

/** What a workspace can do to its neighbours: with a write key, with tokens, with code. */
export const CORPUS: readonly Attack[] = [...events, ...calls, ...programs];
