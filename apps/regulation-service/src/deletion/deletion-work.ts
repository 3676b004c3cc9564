import type { RegulatedUser } from '@weir/contracts';
import type { DeletionOutcome } from '@weir/destinations';
import type { ClaimedTask } from './task.repository.js';

/** A claimed task with its user in clear; lives in memory only. */
export interface DeletionTask extends Omit<ClaimedTask, 'attributes'> {
  user: RegulatedUser;
}

/** Deletes users at one kind of place. */
export interface DeletionWork {
  /** Tasks of a destination that are claimed together. */
  batchMax(destinationId: string): number;
  /** All tasks are of one workspace and destination. One outcome for each, in order; throws when none was tried. */
  run(tasks: DeletionTask[]): Promise<DeletionOutcome[]>;
}
