import { Injectable } from '@nestjs/common';
import type { CheckSuppression, ReplyOf, RequestOf } from '@weir/contracts';
import { Slices } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { MatchKeys } from '../secrets/match-keys.js';
import { coveredIndexes, deletedIndexes, regulatedIndexes, suppressedIndexes } from './suppression.repository.js';

/** One user's events from one source, which regulations stop or let pass. */
export interface Passage {
  workspaceId: string;
  sourceId: string;
  /** Trimmed, as returned by `matchIdsOf`. */
  userId: string;
}

/** Whether a regulation stops the passage of an event that came in at this time (ISO 8601). */
export type IsSuppressed = (passage: Passage, receivedAt: string) => boolean;

/** Ids of workspaces and sources have a fixed length, so different passages have different texts. */
export const passageText = ({ workspaceId, sourceId, userId }: Passage): string => workspaceId + sourceId + userId;

/**
 * Queries the rows that the POST wrote, without a cache. A result therefore obeys every regulation that was answered before the
 * query.
 */
@Injectable()
export class SuppressionService {
  constructor(
    private readonly dataSource: Database,
    private readonly keys: MatchKeys,
  ) {}

  /** Uses one query for all passages. Rejects if the state cannot be read, and then nothing may pass. */
  async lookUp(passages: Iterable<Passage>): Promise<IsSuppressed> {
    const distinct = new Map<string, Passage>();
    for (const passage of passages) distinct.set(passageText(passage), passage);
    if (distinct.size === 0) return () => false;
    const texts = [...distinct.keys()];
    const asked = await this.askedOf([...distinct.values()]);
    const found = await coveredIndexes(this.dataSource, asked);
    const until = new Map<string, number>();
    for (const { index, until: liftedAt } of found) {
      const text = texts[asked[index]?.place ?? -1] ?? '';
      until.set(text, Math.max(until.get(text) ?? 0, liftedAt?.getTime() ?? Number.POSITIVE_INFINITY));
    }
    return (passage, receivedAt) => {
      const end = until.get(passageText(passage));
      return end !== undefined && Date.parse(receivedAt) <= end;
    };
  }

  /**
   * Which users of a source are suppressed, and up to which time (ISO 8601) events of deleted users count as deleted. Most users
   * have never had a regulation, which one query finds out.
   */
  async check({ userIds, ...source }: RequestOf<typeof CheckSuppression>): Promise<ReplyOf<typeof CheckSuppression>> {
    const all = await this.askedOf(userIds.map((userId) => ({ ...source, userId: userId.trim() })));
    const keysOf = (asked: readonly Asked[]) => asked.map(({ userKey }) => userKey);
    const known = new Set(
      (await regulatedIndexes(this.dataSource, source.workspaceId, keysOf(all))).map((index) => all[index]?.place),
    );
    // With every key: a rotation of the pepper may give a user another one between two queries.
    const asked = all.filter(({ place }) => known.has(place));
    if (asked.length === 0) return { suppressed: [], deleted: [], regulated: [] };
    const placeAt = (index: number) => asked[index]?.place ?? -1;
    const suppressed = new Set((await suppressedIndexes(this.dataSource, asked)).map(placeAt));
    // The deletions come second: if a regulation is lifted between the two queries, its deletion has already been stored.
    const deleted = await deletedIndexes(this.dataSource, source.workspaceId, keysOf(asked));
    return {
      suppressed: userIds.filter((_, place) => suppressed.has(place)),
      deleted: latestOf(
        deleted.map(({ index, until }) => ({ userId: userIds[placeAt(index)] ?? '', until: until.toISOString() })),
      ),
      regulated: userIds.filter((_, place) => known.has(place)),
    };
  }

  /** Works in slices, because it hashes every passage and a batch may have thousands of users. */
  private async askedOf(passages: readonly Passage[]): Promise<Asked[]> {
    const keys = await new Slices().map(passages, ({ workspaceId, userId }) =>
      this.keys.matchKeys(workspaceId, userId),
    );
    return passages.flatMap(({ sourceId }, place) =>
      (keys[place] ?? []).map((userKey) => ({ userKey, sourceId, place })),
    );
  }
}

/** One key of a passage, and its place among the passages. */
interface Asked {
  userKey: Buffer;
  sourceId: string;
  place: number;
}

/** Each user once, with the latest time limit. */
const latestOf = <User extends { userId: string; until: string }>(users: readonly User[]): User[] => {
  const sorted = [...users].sort((left, right) => (left.until < right.until ? -1 : 1));
  return [...new Map(sorted.map((user) => [user.userId, user])).values()];
};
