import type { AuditFact } from '../audit/audit.chain.js';
import type { EndedTask } from './task.repository.js';

/** Audit fact: a deletion ended, or the vendor accepted it. */
export const taskFact = (actor: string, task: EndedTask): AuditFact => ({
  actor,
  action: task.status === 'forwarded' ? 'deletion.forwarded' : 'deletion.ended',
  regulationId: task.regulationId,
  subjectHash: task.userKey,
  details: { destinationId: task.destinationId, status: task.status },
});
