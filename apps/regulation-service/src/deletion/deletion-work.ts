import type { RegulatedUser } from '@weir/contracts';
import type { DeletionOutcome } from '@weir/destinations';
import type { ClaimedTask } from './task-claim.repository.js';

/** A claimed task with its user in clear; lives in memory only. */
export interface DeletionTask extends Omit<ClaimedTask, 'attributes' | 'progress'> {
  user: RegulatedUser;
  /** How far an earlier attempt came; undefined: it begins anew. */
  progress: string | undefined;
}

/** Where work reports to while it goes on. */
export interface WorkLog {
  /**
   * Writes what became of some of the tasks, as soon as it is known: what is written is never done again. `configMark`: the
   * configuration that was used. Rejects when it cannot be written.
   */
  tell(tasks: readonly DeletionTask[], outcome: DeletionOutcome, configMark?: string | null): Promise<void>;
  /** Keeps how far the tasks are, for an attempt after a kill. */
  keep(tasks: readonly DeletionTask[], progress: string): Promise<void>;
}

/** Deletes users at one kind of place. */
export interface DeletionWork {
  /** Tasks of a destination that are claimed together. */
  batchMax(destinationId: string): number;
  /** All tasks are of one workspace and destination. Settles when all are told; rejects when some were not tried. */
  run(tasks: readonly DeletionTask[], log: WorkLog): Promise<void>;
}
