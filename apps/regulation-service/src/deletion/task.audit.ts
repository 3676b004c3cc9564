import type { AuditFact } from '../audit/audit.chain.js';
import type { EndedTask } from './task.repository.js';

/** How a deletion ended, or that it is the vendor's now, for the audit trail. */
export const taskFact = (actor: string, task: EndedTask): AuditFact => ({
  actor,
  action: task.status === 'forwarded' ? 'deletion.forwarded' : 'deletion.ended',
  regulationId: task.regulationId,
  subjectHash: task.userKey,
  details: { destinationId: task.destinationId, status: task.status },
});
