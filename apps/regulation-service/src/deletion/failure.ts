import { isAppError } from '@weir/contracts';
import type { DeletionOutcome } from '@weir/destinations';
import { isEgressError } from '@weir/egress';

/**
 * Outcome of an attempt that threw. An unusable configuration is a failure too, because another configuration heals it. Other
 * errors may quote anything, so their messages are not passed on.
 */
export function outcomeOfError(error: unknown): DeletionOutcome {
  if (isEgressError(error)) {
    return { status: error.code === 'too_large' ? 'aborted' : 'failed', reason: error.message };
  }
  if (!isAppError(error)) return { status: 'failed', reason: 'the deletion failed unexpectedly' };
  return { status: error.code === 'unsupported' ? 'aborted' : 'failed', reason: error.message };
}
