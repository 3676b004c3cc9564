import type { DeletionOutcome, Outbound } from '../kind.js';
import { type ApiCall, sendCall } from './api-call.js';
import { type ApiDeletion, deleteByCalls, noIdentifier, outcomeOfAnswer } from './api-deletion.js';
import { foundIds } from './found-ids.js';

export interface Search {
  calls: ApiCall[];
  /** Undefined if the body is not a search response. */
  idsOf?: (body: Buffer) => string[] | undefined;
  /** The vendor reports an empty search with 404. */
  isEmptyAt404?: boolean;
}

/**
 * For vendors that delete by their own ids. Looks the users up first. A deletion by our id would give 404, which looks like
 * success. A user whom the vendor does not know counts as deleted.
 */
export async function deleteFound(
  outbound: Outbound,
  { calls, idsOf = foundIds, isEmptyAt404 = false }: Search,
  removals: (vendorIds: string[]) => ApiCall[],
  deletion: ApiDeletion,
): Promise<DeletionOutcome> {
  if (calls.length === 0) throw noIdentifier(deletion.vendor);
  const ids = new Set<string>();
  for (const call of calls) {
    const answer = await sendCall(outbound, call);
    if (answer.status === 404 && isEmptyAt404) continue;
    const asked = outcomeOfAnswer(answer, { vendor: deletion.vendor, success: 'complete' }, 1, Date.now());
    if (asked.status !== 'complete') return asked;
    const found = idsOf(answer.body);
    if (!found) return { status: 'failed', reason: `${deletion.vendor} gave an answer that cannot be read` };
    for (const id of found) ids.add(id);
  }
  return ids.size === 0 ? { status: 'complete' } : deleteByCalls(outbound, removals([...ids]), deletion, [{}]);
}
