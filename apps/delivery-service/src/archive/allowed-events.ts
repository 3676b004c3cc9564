import { Injectable } from '@nestjs/common';
import { CheckSuppression, chunksOf, type JsonObject, matchIdsOf, SUPPRESSION_CHECK_BOUNDS } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';

interface Source {
  workspaceId: string;
  sourceId: string;
}

/** About the users whom events of one source name. */
interface Answer {
  suppressed: Set<string>;
  deletedUntil: Map<string, string>;
  /** Users with any regulation. */
  regulated: Set<string>;
}

interface Accepted {
  sourceId: string;
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
  async of<T extends Accepted>(workspaceId: string, events: readonly T[]): Promise<T[]> {
    const [first, ...others] = Map.groupBy(events, ({ sourceId }) => sourceId);
    if (!first) return [];
    const ofFirst = await this.ask({ workspaceId, sourceId: first[0] }, idsOf(events));
    const answers = new Map([[first[0], ofFirst]]);
    // about a user without a regulation, the answer is the same for every source
    const ask = async ([sourceId, own]: [string, T[]]) => {
      const ids = idsOf(own).filter((id) => ofFirst.regulated.has(id));
      answers.set(sourceId, await this.ask({ workspaceId, sourceId }, ids));
    };
    await Promise.all(others.map(ask));
    return events.filter(({ sourceId, event, receivedAt }) => {
      const answer = answers.get(sourceId);
      return answer && !matchIdsOf(event).some((id) => isGone(answer, id, receivedAt));
    });
  }

  private async ask(source: Source, ids: readonly string[]): Promise<Answer> {
    const answer: Answer = { suppressed: new Set(), deletedUntil: new Map(), regulated: new Set() };
    const askSome = async (userIds: string[]) => {
      const {
        suppressed,
        deleted,
        regulated = userIds,
      } = await this.rpc.send(CheckSuppression, { ...source, userIds });
      for (const id of suppressed) answer.suppressed.add(id);
      for (const { userId, until } of deleted) answer.deletedUntil.set(userId, until);
      for (const id of regulated) answer.regulated.add(id);
    };
    await Promise.all(chunksOf(ids, SUPPRESSION_CHECK_BOUNDS).map(askSome));
    return answer;
  }
}

const idsOf = (events: readonly Accepted[]): string[] => [...new Set(events.flatMap(({ event }) => matchIdsOf(event)))];

const isGone = ({ suppressed, deletedUntil }: Answer, id: string, receivedAt: string): boolean =>
  suppressed.has(id) || receivedAt <= (deletedUntil.get(id) ?? '');
