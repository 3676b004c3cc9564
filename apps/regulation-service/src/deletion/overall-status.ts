import type { DeletionStatus } from '@weir/contracts';
import { isInternal } from './internal.js';

export interface TaskStatus {
  destinationId: string;
  status: DeletionStatus;
}

/**
 * A single status for all tasks of a regulation. A destination that cannot delete never fails the rest. `partial` means that all
 * tasks ended, some with a deletion and some without.
 */
export function overallStatus(tasks: readonly TaskStatus[]): DeletionStatus | 'partial' {
  const asked = tasks.filter(({ status }) => status !== 'not_supported');
  const has = (...statuses: DeletionStatus[]) => asked.some(({ status }) => statuses.includes(status));
  const [first] = asked;
  if (!first) return 'not_supported';
  if (has('running') || (has('pending') && has('failed', 'forwarded', 'complete', 'aborted'))) return 'running';
  if (has('pending')) return 'pending';
  if (has('failed')) return 'failed';
  const isUndone = has('aborted', 'canceled');
  if (isUndone) return has('complete', 'forwarded') ? 'partial' : has('aborted') ? 'aborted' : 'canceled';
  const noneSupported = tasks.length > asked.length && asked.every(({ destinationId }) => isInternal(destinationId));
  return noneSupported ? 'not_supported' : has('forwarded') ? 'forwarded' : 'complete';
}
