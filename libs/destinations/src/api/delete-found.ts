import type { DeletionOutcome, Outbound } from '../kind.js';
import { type ApiCall, type ApiDeletion, deleteByCall, outcomeOfAnswer, sendCall } from './api-deletion.js';
import { foundIds } from './found-ids.js';

/**
 * For vendors who delete by ids of their own: looks the user up first. A deletion by our id would be answered with 404,
 * which looks like success. Whom the vendor does not know is deleted.
 */
export async function deleteFound(
  outbound: Outbound,
  search: ApiCall,
  removal: (vendorId: string) => ApiCall,
  deletion: ApiDeletion,
): Promise<DeletionOutcome> {
  const answer = await sendCall(outbound, search);
  const found = outcomeOfAnswer(answer, { vendor: deletion.vendor, success: 'complete' }, 1, Date.now());
  if (found.status !== 'complete') return found;
  const ids = foundIds(answer.body);
  if (!ids) return { status: 'failed', reason: `${deletion.vendor} gave an answer that cannot be read` };
  let outcome: DeletionOutcome = { status: 'complete' };
  for (const id of ids) {
    outcome = await deleteByCall(outbound, removal(id), deletion, [{}]);
    if (outcome.status !== deletion.success && outcome.status !== 'complete') return outcome;
  }
  return outcome;
}
