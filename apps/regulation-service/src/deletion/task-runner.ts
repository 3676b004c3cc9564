import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { DeletionOutcome } from '@weir/destinations';
import { Periodic, SingleFlight } from '@weir/messaging';
import { Database, Metrics } from '@weir/service-kit';
import { appendToTrail, writeTrail } from '../audit/audit.repository.js';
import { Attributes, ProgressSeal } from '../secrets/match-keys.js';
import type { DeletionTask, DeletionWork, WorkLog } from './deletion-work.js';
import { DestinationDeletion } from './destination-deletion.js';
import { InternalPurge } from './internal-purge.js';
import { taskFact } from './task.repository.js';
import { afterAttempt, afterCheck, isInternal, outcomeOfError, type TaskState } from './task.rules.js';
import {
  type ClaimedTask,
  claimTasks,
  finishTasks,
  giveBackTasks,
  keepProgress,
  renewTasks,
  type Target,
  type TaskResult,
} from './task-claim.repository.js';

/** How long the tasks of a killed eraser wait. */
const LEASE_MS = 60_000;
/** Renewal interval of leases. A scan of an object store may take hours, and its tasks are held all that time. */
const RENEW_MS = LEASE_MS / 3;
/** Actor in the audit trail. */
const ACTOR = 'weir';

/** Outcome for a user whose stored identifiers are damaged, or were sealed with a lost pepper. */
const UNREADABLE: DeletionOutcome = { status: 'failed', reason: 'the identifiers of the user cannot be opened' };

/** A task, whether its user is known or not. */
type AnyTask = Omit<ClaimedTask, 'attributes' | 'progress'>;
/** A task with its result. */
type Told = { task: AnyTask } & Pick<TaskResult, 'state' | 'configMark'>;

/** Claims due tasks of one target, carries them out, and records each result as soon as it is known. */
@Injectable()
export class TaskRunner {
  /** Identifies this process. Claims from before a restart are not its own. */
  private readonly owner = randomUUID();
  private readonly attempts;

  private readonly logger = new Logger(TaskRunner.name);

  constructor(
    private readonly dataSource: Database,
    private readonly attributes: Attributes,
    private readonly seal: ProgressSeal,
    private readonly purge: InternalPurge,
    private readonly deletion: DestinationDeletion,
    metrics: Metrics,
  ) {
    this.attempts = metrics.counter({
      name: 'regulation_deletion_attempts_total',
      help: 'Attempts at deletion tasks, by the status of the task afterwards',
      labelNames: ['status'],
      zeros: [{ status: 'failed' }],
    });
  }

  /**
   * Returns the number of claimed tasks. Zero means that nothing is due.
   * @param turn Aborts when other targets wait for the slot. What is not done by then is given back.
   */
  async runDue(target: Target, turn: AbortSignal): Promise<number> {
    const work: DeletionWork = isInternal(target.destinationId) ? this.purge : this.deletion;
    const limit = work.batchMax(target.destinationId);
    const claimed = await claimTasks(this.dataSource, { ...target, owner: this.owner, leaseMs: LEASE_MS, limit });
    const { tasks, unreadable } = this.openAll(claimed);
    await this.finish(unreadable.map((task) => ({ task, state: stateOf(task, UNREADABLE), configMark: null })));
    if (tasks.length > 0) await this.attempt(work, tasks, turn);
    return claimed.length;
  }

  /**
   * Holds the tasks while it runs. A failed renewal is retried. If none succeeds, another eraser may repeat the calls, which are
   * idempotent.
   */
  private async attempt(work: DeletionWork, tasks: DeletionTask[], turn: AbortSignal): Promise<void> {
    /** Tasks whose result is not written yet. Their lease is renewed. */
    const open = new Map(tasks.map((task) => [task.id, task]));
    const untold = new Map(open);
    let told: Told[] = [];
    // Results that arrive during a write share the next one. Results that could not be written are not lost.
    const writes = new SingleFlight(async () => {
      const results = told;
      told = [];
      await this.finish(results).catch((error: unknown) => {
        told = [...results, ...told];
        throw error;
      });
      for (const { task } of results) open.delete(task.id);
    });
    const log: WorkLog = {
      tell: (some, outcome, configMark = null) => {
        for (const { id } of some) untold.delete(id);
        told.push(...some.map((task) => ({ task, state: stateOf(task, outcome), configMark })));
        return writes.run();
      },
      keep: (kept, progress) => keepProgress(this.dataSource, this.owner, idsOf(kept), this.seal.seal(progress)),
    };
    const renewals = new Periodic({
      task: 'renew deletion tasks',
      everyMs: RENEW_MS,
      run: () => renewTasks(this.dataSource, this.owner, [...open.keys()], LEASE_MS),
      log: this.logger,
    });
    renewals.start();
    try {
      await work.run(tasks, log, turn);
      if (untold.size > 0) await giveBackTasks(this.dataSource, this.owner, [...untold.keys()]);
    } catch (error) {
      // Also runs if a write failed. Known results are then written again, unchanged.
      await log.tell([...untold.values()], outcomeOfError(error));
    } finally {
      await renewals.stop();
    }
  }

  /** A task that was aborted in the meantime keeps that status. */
  private async finish(results: readonly Told[]): Promise<void> {
    const [first] = results;
    if (!first) return;
    const { workspaceId } = first.task;
    await writeTrail(this.dataSource, workspaceId, async (sql) => {
      const written = await finishTasks(
        sql,
        this.owner,
        results.map(({ task, ...rest }) => ({ id: task.id, ...rest })),
      );
      const news = results.filter(({ task, state }) => written.has(task.id) && isNews(task, state));
      const facts = news.map(({ task, state }) => taskFact(ACTOR, { ...task, status: state.status }));
      await appendToTrail(sql, workspaceId, facts);
    });
    for (const { state } of results) this.attempts.inc({ status: state.status });
  }

  /** Opens each on its own. One that cannot be opened is tried again later, and holds up no other. */
  private openAll(claimed: readonly ClaimedTask[]): { tasks: DeletionTask[]; unreadable: ClaimedTask[] } {
    const tasks: DeletionTask[] = [];
    const unreadable: ClaimedTask[] = [];
    for (const task of claimed) {
      try {
        tasks.push(this.opened(task));
      } catch {
        unreadable.push(task);
        // Without the error, which may quote what was sealed.
        this.logger.warn(`the regulation ${task.regulationId} cannot be opened`);
      }
    }
    return { tasks, unreadable };
  }

  private opened({ attributes, progress, ...task }: ClaimedTask): DeletionTask {
    const owner = { workspaceId: task.workspaceId, id: task.regulationId };
    const user = this.attributes.open(attributes, owner);
    return { ...task, user, progress: progress === null ? undefined : this.seal.open(progress) };
  }
}

const idsOf = (tasks: readonly DeletionTask[]) => tasks.map(({ id }) => id);

const stateOf = (task: AnyTask, outcome: DeletionOutcome): TaskState =>
  task.jobReference === null
    ? afterAttempt(outcome, task)
    : afterCheck(outcome, { ...task, jobReference: task.jobReference });

/** The audit trail records that a task ended or that the vendor accepted it, but not each attempt. */
const isNews = ({ jobReference }: AnyTask, { status }: TaskState) =>
  status !== 'failed' && (status !== 'forwarded' || jobReference === null);
