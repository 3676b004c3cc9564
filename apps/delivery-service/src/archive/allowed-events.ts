import { Injectable } from '@nestjs/common';
import { CheckSuppression, chunksOf, type JsonObject, matchIdsOf, SUPPRESSION_CHECK_BOUNDS } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';

interface Owner {
  workspaceId: string;
  sourceId: string;
}

interface Accepted {
  receivedAt: string;
  event: JsonObject;
}

/**
 * Leaves out the events of users who are suppressed now, or were deleted after the intake. Asked right before events are stored, and
 * right before a replay queues them. A deletion waits for what was asked before (docs/decisions/0025-deletion-behind-a-barrier.md),
 * so nothing of a deleted user is stored after the archive is purged.
 */
@Injectable()
export class AllowedEvents {
  constructor(private readonly rpc: RpcClient) {}

  /** Rejects if the answer is not known. Then nothing may be stored or sent. */
  async of<T extends Accepted>({ workspaceId, sourceId }: Owner, events: readonly T[]): Promise<T[]> {
    const ids = [...new Set(events.flatMap(({ event }) => matchIdsOf(event)))];
    const suppressed = new Set<string>();
    const deletedUntil = new Map<string, string>();
    const ask = async (userIds: string[]) => {
      const answer = await this.rpc.send(CheckSuppression, { workspaceId, sourceId, userIds });
      for (const id of answer.suppressed) suppressed.add(id);
      for (const { userId, until } of answer.deleted) deletedUntil.set(userId, until);
    };
    await Promise.all(chunksOf(ids, SUPPRESSION_CHECK_BOUNDS).map(ask));
    const isGone = (id: string, receivedAt: string) => suppressed.has(id) || receivedAt <= (deletedUntil.get(id) ?? '');
    return events.filter(({ event, receivedAt }) => !matchIdsOf(event).some((id) => isGone(id, receivedAt)));
  }
}
