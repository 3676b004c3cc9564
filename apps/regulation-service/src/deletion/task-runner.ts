import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { DeletionOutcome } from '@weir/destinations';
import { DataSource } from 'typeorm';
import { appendToTrail, lockTrail } from '../audit/audit.repository.js';
import { Attributes } from '../records/attributes.js';
import type { DeletionTask, DeletionWork } from './deletion-work.js';
import { DestinationDeletion } from './destination-deletion.js';
import { EraserMetrics } from './eraser.metrics.js';
import { outcomeOfError } from './failure.js';
import { isInternal } from './internal.js';
import { InternalPurge } from './internal-purge.js';
import { deletionEnded } from './task.audit.js';
import { type ClaimedTask, claimTasks, finishTasks, renewTasks } from './task.repository.js';
import { afterAttempt, type TaskState } from './task.rules.js';

/** How long tasks of a killed eraser wait. */
const LEASE_MS = 60_000;
/** A scan of an object store may take hours: its tasks are held for as long as it goes on. */
const RENEW_MS = LEASE_MS / 3;
/** Who stands in the audit trail. */
const ACTOR = 'weir';

type Finished = { task: DeletionTask; state: TaskState };

/** Takes due tasks of one destination, carries them out and notes what became of them. */
@Injectable()
export class TaskRunner {
  /** Of this process; a former life's claims are not its own. */
  private readonly owner = randomUUID();

  constructor(
    private readonly dataSource: DataSource,
    private readonly attributes: Attributes,
    private readonly purge: InternalPurge,
    private readonly deletion: DestinationDeletion,
    private readonly metrics: EraserMetrics,
  ) {}

  /** Answers how many tasks it took: none means that nothing is due. */
  async runDue(destinationId: string): Promise<number> {
    const work: DeletionWork = isInternal(destinationId) ? this.purge : this.deletion;
    const claim = { destinationId, owner: this.owner, leaseMs: LEASE_MS, limit: work.batchMax(destinationId) };
    const tasks = (await claimTasks(this.dataSource, claim)).map((task) => this.opened(task));
    const groups = [...Map.groupBy(tasks, ({ workspaceId }) => workspaceId).values()];
    // Side by side, because all of them share one lease.
    await Promise.all(groups.map(async (group) => this.finish(group, await this.attempt(work, group))));
    return tasks.length;
  }

  /** Holds the tasks while it lasts. A renewal that fails is tried again; if none succeeds, what is repeated is idempotent. */
  private async attempt(work: DeletionWork, tasks: DeletionTask[]): Promise<DeletionOutcome[]> {
    const ids = tasks.map(({ id }) => id);
    let renewal = Promise.resolve();
    const timer = setInterval(() => {
      renewal = renewTasks(this.dataSource, this.owner, ids, LEASE_MS).catch(() => undefined);
    }, RENEW_MS);
    try {
      return await work.run(tasks);
    } catch (error) {
      return tasks.map(() => outcomeOfError(error));
    } finally {
      clearInterval(timer);
      await renewal;
    }
  }

  /** A task that was aborted meanwhile stays so. */
  private async finish(tasks: DeletionTask[], outcomes: DeletionOutcome[]): Promise<void> {
    const finished = tasks.flatMap((task, index): Finished[] => {
      const outcome = outcomes[index];
      return outcome ? [{ task, state: afterAttempt(outcome, task) }] : [];
    });
    const workspaceId = tasks[0]?.workspaceId ?? '';
    await this.dataSource.transaction(async (sql) => {
      await lockTrail(sql, workspaceId);
      const results = finished.map(({ task, state }) => ({ id: task.id, state }));
      const written = await finishTasks(sql, this.owner, results);
      const ended = finished.filter(({ task, state }) => written.has(task.id) && state.dueInMs === null);
      const facts = ended.map(({ task, state }) => deletionEnded(ACTOR, { ...task, status: state.status }));
      await appendToTrail(sql, workspaceId, facts);
    });
    for (const { state } of finished) this.metrics.count(state.status);
  }

  private opened({ attributes, ...task }: ClaimedTask): DeletionTask {
    const owner = { workspaceId: task.workspaceId, id: task.regulationId };
    return { ...task, user: this.attributes.open(attributes, owner) };
  }
}
