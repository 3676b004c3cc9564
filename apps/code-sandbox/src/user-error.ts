import type { UserError } from '@weir/contracts';
import type { Failure } from './protocol.js';

export const TIMED_OUT = 'Error: Script execution timed out.';
export const OUT_OF_MEMORY = 'Error: Isolate was disposed during execution due to memory limit';
export const CRASHED = 'Error: The sandbox process ended while it ran this code';

/** Words a failure for the user. Limits have fixed texts, and a thrown error keeps its own. */
export function userErrorOf({ kind, error }: Failure): UserError {
  const message = { thrown: error?.message, timeout: TIMED_OUT, memory: OUT_OF_MEMORY }[kind];
  return { message: message || 'Error', ...(error?.frame && { frame: error.frame }) };
}
