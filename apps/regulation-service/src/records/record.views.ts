import type { DeletionView, GetRegulation, RegulatedUser, RegulationRecord, ReplyOf } from '@weir/contracts';
import { overallStatus } from '../deletion/overall-status.js';
import type { TaskRow } from '../deletion/task.repository.js';
import type { RecordRow } from './record.repository.js';

/** A record as listed, with exactly the five fields of spec 2.4. */
export const recordView = (row: RecordRow, attributes: RegulatedUser): RegulationRecord => ({
  id: row.id,
  workspaceId: row.workspaceId,
  canceled: row.canceledAt !== null,
  regulationType: row.regulationType,
  attributes,
});

export const recordDetails = (
  row: RecordRow,
  attributes: RegulatedUser,
  tasks: TaskRow[],
): ReplyOf<typeof GetRegulation> => ({
  ...recordView(row, attributes),
  createdAt: row.createdAt.toISOString(),
  ...(row.canceledAt && { canceledAt: row.canceledAt.toISOString() }),
  ...(row.sourceIds && { sourceIds: row.sourceIds }),
  ...(row.destinationIds && { destinationIds: row.destinationIds }),
  ...(tasks.length > 0 && { deletion: { status: overallStatus(tasks), destinations: tasks.map(taskView) } }),
});

const taskView = (task: TaskRow): DeletionView => ({
  destinationId: task.destinationId,
  status: task.status,
  attempts: task.attempts,
  ...(task.checks > 0 && { checks: task.checks }),
  ...(task.reason !== null && { reason: task.reason }),
  ...(task.forwardedAt && { forwardedAt: task.forwardedAt.toISOString() }),
  ...(task.nextAt && { nextAt: task.nextAt.toISOString() }),
  ...(task.endedAt && { endedAt: task.endedAt.toISOString() }),
});
