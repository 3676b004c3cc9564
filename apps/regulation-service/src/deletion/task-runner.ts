import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { DeletionOutcome } from '@weir/destinations';
import { DataSource } from 'typeorm';
import { appendToTrail, lockTrail } from '../audit/audit.repository.js';
import { Attributes } from '../records/attributes.js';
import type { DeletionTask, DeletionWork, WorkLog } from './deletion-work.js';
import { DestinationDeletion } from './destination-deletion.js';
import { EraserMetrics } from './eraser.metrics.js';
import { outcomeOfError } from './failure.js';
import { isInternal } from './internal.js';
import { InternalPurge } from './internal-purge.js';
import { ProgressSeal } from './progress-seal.js';
import { taskFact } from './task.audit.js';
import { afterAttempt, afterCheck, type TaskState } from './task.rules.js';
import { type ClaimedTask, claimTasks, finishTasks, keepProgress, renewTasks } from './task-claim.repository.js';

/** How long tasks of a killed eraser wait. */
const LEASE_MS = 60_000;
/** A scan of an object store may take hours: its tasks are held for as long as it goes on. */
const RENEW_MS = LEASE_MS / 3;
/** Who stands in the audit trail. */
const ACTOR = 'weir';

/** Takes due tasks of one destination, carries them out and notes what became of each as soon as it is known. */
@Injectable()
export class TaskRunner {
  /** Of this process; a former life's claims are not its own. */
  private readonly owner = randomUUID();

  constructor(
    private readonly dataSource: DataSource,
    private readonly attributes: Attributes,
    private readonly seal: ProgressSeal,
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
    await Promise.all(groups.map((group) => this.attempt(work, group)));
    return tasks.length;
  }

  /** Holds the tasks while it lasts. A renewal that fails is tried again; if none succeeds, what is repeated is idempotent. */
  private async attempt(work: DeletionWork, tasks: DeletionTask[]): Promise<void> {
    const open = new Map(tasks.map((task) => [task.id, task]));
    const log: WorkLog = {
      tell: async (told, outcome, configMark) => {
        await this.finish(told, outcome, configMark);
        for (const { id } of told) open.delete(id);
      },
      keep: (kept, progress) => keepProgress(this.dataSource, this.owner, idsOf(kept), this.seal.seal(progress)),
    };
    let renewal = Promise.resolve();
    const timer = setInterval(() => {
      const ids = [...open.keys()];
      renewal = renewTasks(this.dataSource, this.owner, ids, LEASE_MS).catch(() => undefined);
    }, RENEW_MS);
    try {
      await work.run(tasks, log);
    } catch (error) {
      if (open.size > 0) await this.finish([...open.values()], outcomeOfError(error));
    } finally {
      clearInterval(timer);
      await renewal;
    }
  }

  /** A task that was aborted meanwhile stays so. */
  private async finish(tasks: readonly DeletionTask[], outcome: DeletionOutcome, configMark?: string): Promise<void> {
    const finished = tasks.map((task) => ({ task, id: task.id, state: stateOf(task, outcome) }));
    const workspaceId = tasks[0]?.workspaceId ?? '';
    await this.dataSource.transaction(async (sql) => {
      await lockTrail(sql, workspaceId);
      const results = finished.map(({ id, state }) => ({ id, state, configMark: configMark ?? null }));
      const written = await finishTasks(sql, this.owner, results);
      const news = finished.filter(({ id, task, state }) => written.has(id) && isNews(task, state));
      const facts = news.map(({ task, state }) => taskFact(ACTOR, { ...task, status: state.status }));
      await appendToTrail(sql, workspaceId, facts);
    });
    for (const { state } of finished) this.metrics.count(state.status);
  }

  private opened({ attributes, progress, ...task }: ClaimedTask): DeletionTask {
    const owner = { workspaceId: task.workspaceId, id: task.regulationId };
    const user = this.attributes.open(attributes, owner);
    return { ...task, user, progress: progress === null ? undefined : this.seal.open(progress) };
  }
}

const idsOf = (tasks: readonly DeletionTask[]) => tasks.map(({ id }) => id);

const stateOf = (task: DeletionTask, outcome: DeletionOutcome): TaskState =>
  task.receipt === null ? afterAttempt(outcome, task) : afterCheck(outcome, { ...task, receipt: task.receipt });

/** What the audit trail tells: that a task ended, or became the vendor's; not each attempt. */
const isNews = ({ receipt }: DeletionTask, { status }: TaskState) =>
  status !== 'failed' && (status !== 'forwarded' || receipt === null);
