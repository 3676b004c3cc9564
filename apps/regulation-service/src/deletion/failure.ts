import { isAppError } from '@weir/contracts';
import type { DeletionOutcome } from '@weir/destinations';
import { isEgressError } from '@weir/egress';

/**
 * What an attempt that threw means. A configuration that cannot be used counts as a failure too: another one heals it. A text
 * that is not written for users may hold anything, so it is not passed on.
 */
export function outcomeOfError(error: unknown): DeletionOutcome {
  if (isEgressError(error)) {
    return { status: error.code === 'too_large' ? 'aborted' : 'failed', reason: error.message };
  }
  if (!isAppError(error)) return { status: 'failed', reason: 'the deletion failed unexpectedly' };
  return { status: error.code === 'unsupported' ? 'aborted' : 'failed', reason: error.message };
}
