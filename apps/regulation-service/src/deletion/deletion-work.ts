import type { RegulatedUser } from '@weir/contracts';
import type { DeletionOutcome } from '@weir/destinations';
import type { ClaimedTask } from './task-claim.repository.js';

/** A claimed task with its user in plain text. It exists in memory only. */
export interface DeletionTask extends Omit<ClaimedTask, 'attributes' | 'progress'> {
  user: RegulatedUser;
  /** Progress of an earlier attempt. Undefined if the task starts from the beginning. */
  progress: string | undefined;
}

/** Records results and progress while work goes on. */
export interface WorkLog {
  /**
   * Records the outcome of some tasks as soon as it is known, so that they are never done again. Rejects if it cannot be written.
   * @param configMark The mark of the configuration that was used
   */
  tell(tasks: readonly DeletionTask[], outcome: DeletionOutcome, configMark?: string | null): Promise<void>;
  /** Stores the progress of the tasks, for an attempt after a kill. */
  keep(tasks: readonly DeletionTask[], progress: string): Promise<void>;
}

/** Deletes users at one kind of target. */
export interface DeletionWork {
  /** Maximum number of a destination's tasks that are claimed together. */
  batchMax(destinationId: string): number;
  /**
   * All tasks belong to one workspace and destination. Resolves when all outcomes are recorded, or when the turn aborts and the
   * work has come further. Rejects if some tasks were not tried.
   */
  run(tasks: readonly DeletionTask[], log: WorkLog, turn: AbortSignal): Promise<void>;
}
