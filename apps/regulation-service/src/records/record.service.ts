import { Injectable } from '@nestjs/common';
import {
  type CancelRegulation,
  type GetRegulation,
  type ListRegulations,
  notFound,
  type RegulationFilter,
  type ReplyOf,
  type RequestOf,
} from '@weir/contracts';
import { DataSource } from 'typeorm';
import { appendToTrail, lockTrail } from '../audit/audit.repository.js';
import { cancelPendingTasks, listTasks } from '../deletion/task.repository.js';
import { Pepper } from '../secrets/pepper.js';
import { deleteSuppressions } from '../suppression/suppression.repository.js';
import { Attributes } from './attributes.js';
import { Cursors } from './cursor.js';
import { factOf } from './record.audit.js';
import { findRecord, markCanceled } from './record.repository.js';
import { recordDetails, recordView } from './record.views.js';
import { type Listing, pageOf } from './record-list.js';

/** Reads and cancels regulations. `CreationService` creates them. */
@Injectable()
export class RecordService {
  private readonly cursors: Cursors;

  constructor(
    private readonly dataSource: DataSource,
    private readonly pepper: Pepper,
    private readonly attributes: Attributes,
  ) {
    this.cursors = new Cursors(pepper.derivedKey('cursor'));
  }

  async list(request: RequestOf<typeof ListRegulations>): Promise<ReplyOf<typeof ListRegulations>> {
    const { workspaceId, cursor, filter = {} } = request;
    const filterKey = filterText(filter);
    const after = cursor === undefined ? 0n : this.cursors.read(workspaceId, cursor, filterKey);
    const { rows, next } = await pageOf(this.dataSource, this.listingOf(workspaceId, filter), after);
    return {
      records: rows.map((row) => recordView(row, this.attributes.open(row.attributes, row))),
      ...(next !== undefined && { next: this.cursors.make(workspaceId, next, filterKey) }),
    };
  }

  async get({ workspaceId, id }: RequestOf<typeof GetRegulation>): Promise<ReplyOf<typeof GetRegulation>> {
    const row = await findRecord(this.dataSource, workspaceId, id);
    if (!row) throw notFound('regulation');
    const tasks = await listTasks(this.dataSource, workspaceId, id);
    return recordDetails(row, this.attributes.open(row.attributes, row), tasks);
  }

  /** Lifts only this regulation. Idempotent. */
  async cancel({ workspaceId, id, canceledBy }: RequestOf<typeof CancelRegulation>): Promise<void> {
    await this.dataSource.transaction(async (sql) => {
      await lockTrail(sql, workspaceId);
      const row = await findRecord(sql, workspaceId, id);
      if (!row) throw notFound('regulation');
      if (row.canceledAt) return;
      await markCanceled(sql, workspaceId, id);
      await deleteSuppressions(sql, row.userKey, id);
      const canceledTasks = await cancelPendingTasks(sql, workspaceId, id);
      await appendToTrail(sql, workspaceId, [factOf('regulation.canceled', canceledBy, row, { canceledTasks })]);
    });
  }

  private listingOf(workspaceId: string, { userId, regulationType, canceled, status }: RegulationFilter): Listing {
    const userKey = userId === undefined ? undefined : this.pepper.matchKey(workspaceId, userId.trim());
    // Only this type has deletions, and an index finds it.
    const type = regulationType ?? (status && 'suppress_with_delete');
    return { workspaceId, userKey, regulationType: type, canceled, ...(status && { status }) };
  }
}

/** Equal for equal filters. Empty without a filter. */
const filterText = ({ userId, regulationType, canceled, status }: RegulationFilter): string =>
  [userId, regulationType, canceled, status].every((value) => value === undefined)
    ? ''
    : JSON.stringify([userId?.trim() ?? null, regulationType ?? null, canceled ?? null, status ?? null]);
