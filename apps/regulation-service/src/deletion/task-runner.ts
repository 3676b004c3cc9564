import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { DeletionOutcome } from '@weir/destinations';
import { SingleFlight } from '@weir/messaging';
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
import {
  type ClaimedTask,
  claimTasks,
  finishTasks,
  keepProgress,
  renewTasks,
  type TaskResult,
} from './task-claim.repository.js';

/** How long tasks of a killed eraser wait. */
const LEASE_MS = 60_000;
/** A scan of an object store may take hours: its tasks are held for as long as it goes on. */
const RENEW_MS = LEASE_MS / 3;
/** Who stands in the audit trail. */
const ACTOR = 'weir';

/** What became of a task. */
type Told = { task: DeletionTask } & Pick<TaskResult, 'state' | 'configMark'>;

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
    /** Not written yet: their lease is renewed. */
    const open = new Map(tasks.map((task) => [task.id, task]));
    const untold = new Map(open);
    let told: Told[] = [];
    // What is told while a write is under way shares the next one; what could not be written is not lost.
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
    let renewal = Promise.resolve();
    const timer = setInterval(() => {
      const ids = [...open.keys()];
      renewal = renewTasks(this.dataSource, this.owner, ids, LEASE_MS).catch(() => undefined);
    }, RENEW_MS);
    try {
      await work.run(tasks, log);
    } catch (error) {
      // Also when it was a write that failed: what is known is written once more, and never as something else.
      await log.tell([...untold.values()], outcomeOfError(error));
    } finally {
      clearInterval(timer);
      await renewal;
    }
  }

  /** A task that was aborted meanwhile stays so. */
  private async finish(results: readonly Told[]): Promise<void> {
    const [first] = results;
    if (!first) return;
    const { workspaceId } = first.task;
    await this.dataSource.transaction(async (sql) => {
      await lockTrail(sql, workspaceId);
      const written = await finishTasks(
        sql,
        this.owner,
        results.map(({ task, ...rest }) => ({ id: task.id, ...rest })),
      );
      const news = results.filter(({ task, state }) => written.has(task.id) && isNews(task, state));
      const facts = news.map(({ task, state }) => taskFact(ACTOR, { ...task, status: state.status }));
      await appendToTrail(sql, workspaceId, facts);
    });
    for (const { state } of results) this.metrics.count(state.status);
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
