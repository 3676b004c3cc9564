import type { AuditFact } from '../audit/audit.chain.js';
import type { EndedTask } from './task.repository.js';

/** How a deletion ended, for the audit trail. */
export const deletionEnded = (actor: string, task: EndedTask): AuditFact => ({
  actor,
  action: 'deletion.ended',
  regulationId: task.regulationId,
  subjectHash: task.userKey,
  details: { destinationId: task.destinationId, status: task.status },
});
