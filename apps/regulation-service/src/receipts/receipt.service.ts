import { Injectable } from '@nestjs/common';
import {
  AppError,
  type DeletionReceipt,
  type GetRegulationReceipt,
  type ListReceiptKeys,
  notFound,
  type ReplyOf,
  type RequestOf,
} from '@weir/contracts';
import { Database } from '@weir/service-kit';
import type { AuditEntry } from '../audit/audit.chain.js';
import { lastEntryOf } from '../audit/audit.repository.js';
import { listTasks, type TaskRow } from '../deletion/task.repository.js';
import { overallStatus } from '../deletion/task.rules.js';
import { findRegulation, type RegulationEntity } from '../regulations/regulation.repository.js';
import { ReceiptKeys } from './receipt-keys.js';

/** Proves to outsiders that a deletion was completed. */
@Injectable()
export class ReceiptService {
  constructor(
    private readonly dataSource: Database,
    private readonly keys: ReceiptKeys,
  ) {}

  /** Returns the same receipt each time, because all its contents were settled when the last deletion ended. */
  async issue({
    workspaceId,
    id,
  }: RequestOf<typeof GetRegulationReceipt>): Promise<ReplyOf<typeof GetRegulationReceipt>> {
    const regulation = await findRegulation(this.dataSource, workspaceId, id);
    if (!regulation) throw notFound('regulation');
    const tasks = await listTasks(this.dataSource, workspaceId, id);
    checkComplete(tasks);
    if (!this.keys.canSign) {
      throw new AppError('unsupported', 'Receipts are not set up here: the operator has to set REGULATION_RECEIPT_KEY');
    }
    const end = await lastEntryOf(this.dataSource, workspaceId, id, 'deletion.ended');
    if (!end) throw new AppError('internal', 'The audit trail has no entry for this deletion');
    return this.keys.sign(receiptOf(regulation, tasks, end));
  }

  listKeys(): ReplyOf<typeof ListReceiptKeys> {
    return { keys: [...this.keys.published] };
  }
}

function checkComplete(tasks: readonly TaskRow[]): void {
  if (tasks.length === 0) throw new AppError('conflict', 'This regulation deletes nothing, so there is no receipt');
  const status = overallStatus(tasks);
  if (status === 'complete') return;
  throw new AppError('conflict', `There is a receipt once the deletion is complete: it is ${status}`);
}

/** Contains no identifiers. The user appears as the match key, as in the audit trail. */
const receiptOf = (regulation: RegulationEntity, tasks: readonly TaskRow[], end: AuditEntry): DeletionReceipt => ({
  version: 1,
  workspaceId: regulation.workspaceId,
  regulationId: regulation.id,
  subject: regulation.userKey.toString('hex'),
  requestedAt: regulation.createdAt.toISOString(),
  completedAt: end.at.toISOString(),
  destinations: tasks.map(destinationOf),
  audit: { position: end.position, hash: end.hash.toString('hex') },
});

const destinationOf = (task: TaskRow): DeletionReceipt['destinations'][number] => ({
  destinationId: task.destinationId,
  type: task.destinationType,
  status: task.status,
  attempts: task.attempts,
  ...(task.reason !== null && { reason: task.reason }),
  ...(task.forwardedAt && { forwardedAt: task.forwardedAt.toISOString() }),
  ...(task.endedAt && { endedAt: task.endedAt.toISOString() }),
});
