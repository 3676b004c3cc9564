import { Injectable } from '@nestjs/common';
import {
  type CancelRegulation,
  type DeletionView,
  type GetRegulation,
  type ListedRegulation,
  type ListRegulations,
  notFound,
  type Regulation,
  type RegulationFilter,
  type ReplyOf,
  type RequestOf,
} from '@weir/contracts';
import { Database } from '@weir/service-kit';
import { appendToTrail, writeTrail } from '../audit/audit.repository.js';
import { SEND_DEADLINE_MS } from '../deletion/barrier.service.js';
import { cancelPendingTasks, listTasks, type TaskRow } from '../deletion/task.repository.js';
import { INTERNAL_NAMES, isInternal, overallStatus } from '../deletion/task.rules.js';
import { Attributes, MatchKeys } from '../secrets/match-keys.js';
import { liftSuppressions } from '../suppression/suppression.repository.js';
import {
  factOf,
  findRegulation,
  type ListedRow,
  markCanceled,
  type RegulationEntity,
} from './regulation.repository.js';
import { Cursors, detailsOf, type Listing, pageOf, startOf } from './regulation-list.js';

/** Reads and cancels regulations. `CreationService` creates them. */
@Injectable()
export class RegulationService {
  private readonly cursors: Cursors;

  constructor(
    private readonly dataSource: Database,
    private readonly keys: MatchKeys,
    private readonly attributes: Attributes,
  ) {
    this.cursors = new Cursors(keys.derivedKey('cursor'));
  }

  async list(request: RequestOf<typeof ListRegulations>): Promise<ReplyOf<typeof ListRegulations>> {
    const { workspaceId, cursor, filter = {}, details = false } = request;
    const filterKey = filterText(filter);
    const after = cursor === undefined ? startOf(filter.order) : this.cursors.read(workspaceId, cursor, filterKey);
    const { rows, next } = await pageOf(this.dataSource, this.listingOf(workspaceId, filter), after);
    const seen = details ? await detailsOf(this.dataSource, workspaceId, rows) : undefined;
    return {
      records: rows.map((row) => ({
        ...this.viewOf(row),
        ...seen?.get(row.id),
      })),
      ...(next !== undefined && { next: this.cursors.make(workspaceId, next, filterKey) }),
    };
  }

  async get({ workspaceId, id }: RequestOf<typeof GetRegulation>): Promise<ReplyOf<typeof GetRegulation>> {
    const row = await findRegulation(this.dataSource, workspaceId, id);
    if (!row) throw notFound('regulation');
    const tasks = await listTasks(this.dataSource, workspaceId, id);
    return { ...this.viewOf(row), ...detailsOfOne(row, tasks) };
  }

  /** Lifts only this regulation. Idempotent. A repetition changes nothing, so it does not wait for writers of the trail. */
  async cancel({ workspaceId, id, canceledBy, askedAt }: RequestOf<typeof CancelRegulation>): Promise<void> {
    const known = await findRegulation(this.dataSource, workspaceId, id);
    if (!known) throw notFound('regulation');
    if (known.canceledAt) return;
    const liftedAt = askedAt ? new Date(askedAt) : new Date();
    await writeTrail(this.dataSource, workspaceId, async (sql) => {
      const row = await findRegulation(sql, workspaceId, id);
      if (!row || row.canceledAt) return;
      await markCanceled(sql, workspaceId, id);
      await liftSuppressions(sql, row.userKey, id, liftedAt);
      const canceledTasks = await cancelPendingTasks(sql, workspaceId, id);
      await appendToTrail(sql, workspaceId, [factOf('regulation.canceled', canceledBy, row, { canceledTasks })]);
    });
  }

  /** One row that cannot be opened must not hide the others. No user has an empty id, so it cannot be taken for one. */
  private viewOf(row: ListedRow): Pick<ListedRegulation, keyof Regulation | 'unreadable'> {
    const user = this.attributes.openIfPossible(row.attributes, row);
    return {
      ...{ id: row.id, workspaceId: row.workspaceId, canceled: row.canceledAt !== null },
      ...{ regulationType: row.regulationType, attributes: user ?? { userId: '' } },
      ...(!user && { unreadable: true }),
    };
  }

  private listingOf(workspaceId: string, filter: RegulationFilter): Listing {
    const { userId, regulationType, canceled, status, order } = filter;
    const userKeys = userId === undefined ? undefined : this.keys.matchKeys(workspaceId, userId.trim());
    // Only this type has deletions, and an index finds it.
    const type = regulationType ?? (status && 'suppress_with_delete');
    return { workspaceId, userKeys, regulationType: type, canceled, order, ...(status && { status }) };
  }
}

/** Equal for equal filters and orders. Empty without a filter in the usual order. */
function filterText({ userId, regulationType, canceled, status, order }: RegulationFilter): string {
  const back = order === 'desc' ? [order] : [];
  if ([userId, regulationType, canceled, status, ...back].every((value) => value === undefined)) return '';
  return JSON.stringify([userId?.trim() ?? null, regulationType ?? null, canceled ?? null, status ?? null, ...back]);
}

const detailsOfOne = (row: RegulationEntity, tasks: TaskRow[]) => ({
  createdAt: row.createdAt.toISOString(),
  ...(row.canceledAt && { canceledAt: row.canceledAt.toISOString() }),
  ...(row.sourceIds && { sourceIds: row.sourceIds }),
  ...(row.destinationIds && { destinationIds: row.destinationIds }),
  ...(tasks.length > 0 && { deletion: { status: overallStatus(tasks), destinations: tasks.map(taskView) } }),
});

/** The barrier waits for the longest send that may have begun before the regulation. */
const WAITS = `waits until events that were already on their way have ended, at least ${SEND_DEADLINE_MS / 1_000} s`;

/** A task without an attempt stands behind the barrier. */
function reasonOf({ reason, status, attempts }: TaskRow): Pick<DeletionView, 'reason'> {
  if (reason !== null) return { reason };
  return status === 'pending' && attempts === 0 ? { reason: WAITS } : {};
}

const taskView = (task: TaskRow): DeletionView => ({
  destinationId: task.destinationId,
  ...(isInternal(task.destinationId) && { name: INTERNAL_NAMES[task.destinationId] }),
  status: task.status,
  attempts: task.attempts,
  ...(task.checks > 0 && { checks: task.checks }),
  ...reasonOf(task),
  ...(task.forwardedAt && { forwardedAt: task.forwardedAt.toISOString() }),
  ...(task.nextAt && { nextAt: task.nextAt.toISOString() }),
  ...(task.endedAt && { endedAt: task.endedAt.toISOString() }),
});
