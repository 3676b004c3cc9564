import { isAppError } from '@weir/contracts';
import type { DeletionOutcome } from '@weir/destinations';
import { type EgressErrorCode, isEgressError } from '@weir/egress';

/** Nothing but another configuration changes these. */
const FINAL: readonly EgressErrorCode[] = ['blocked', 'invalid_url', 'invalid_method', 'invalid_header', 'too_large'];

/** What an attempt that threw means. A text that is not written for users may hold anything, so it is not passed on. */
export function outcomeOfError(error: unknown): DeletionOutcome {
  if (isEgressError(error)) return { status: FINAL.includes(error.code) ? 'aborted' : 'failed', reason: error.message };
  if (!isAppError(error)) return { status: 'failed', reason: 'the deletion failed unexpectedly' };
  return { status: error.code === 'invalid' ? 'aborted' : 'failed', reason: error.message };
}
