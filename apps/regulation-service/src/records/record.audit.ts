import type { AuditFact } from '../audit/audit.chain.js';
import type { RecordRow } from './record.repository.js';

/** Audit fact: somebody changed a record. */
export const factOf = (
  action: AuditFact['action'],
  actor: string,
  { id, userKey }: Pick<RecordRow, 'id' | 'userKey'>,
  details: AuditFact['details'],
): AuditFact => ({ actor, action, regulationId: id, subjectHash: userKey, details });
