import { CheckSuppression, type JsonObject, matchIdsOf } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';

/** Where the messages of a test would come from. `isSent` says that the test sends them. */
interface Origin {
  workspaceId: string;
  /** A source, or another id for the suppressions that concern all sources. */
  sourceId: string;
  isSent: boolean;
}

/**
 * Returns the indexes of the messages whose user is suppressed. If the check fails, rejects when the test sends, and otherwise
 * returns undefined.
 */
export async function suppressedMessages(
  rpc: RpcClient,
  messages: readonly JsonObject[],
  { isSent, ...source }: Origin,
): Promise<number[] | undefined> {
  const ids = messages.map(matchIdsOf);
  const userIds = [...new Set(ids.flat())];
  if (userIds.length === 0) return undefined;
  const answer = await rpc.send(CheckSuppression, { ...source, userIds }).catch((error: unknown) => {
    if (isSent) throw error;
    return { suppressed: [] };
  });
  const known = new Set(answer.suppressed);
  const found = ids.flatMap((own, index) => (own.some((id) => known.has(id)) ? [index] : []));
  return found.length > 0 ? found : undefined;
}
