import { Injectable } from '@nestjs/common';
import type { CheckSuppression, ReplyOf, RequestOf } from '@weir/contracts';
import { Slices } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { MatchKeys } from '../secrets/match-keys.js';
import { deletedIndexes, regulatedIndexes, suppressedIndexes } from './suppression.repository.js';

/** One user's events from one source, which regulations stop or let pass. */
export interface Passage {
  workspaceId: string;
  sourceId: string;
  /** Trimmed, as returned by `matchIdsOf`. */
  userId: string;
}

/** Whether an active regulation stops the passage. */
export type IsSuppressed = (passage: Passage) => boolean;

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
    const found = await suppressedIndexes(this.dataSource, await this.askedOf([...distinct.values()]));
    const suppressed = new Set(found.map((index) => texts[index]));
    return (passage) => suppressed.has(passageText(passage));
  }

  /**
   * Which users of a source are suppressed, and up to which time (ISO 8601) events of deleted users count as deleted. Most users
   * have never had a regulation, which one query finds out.
   */
  async check({ userIds, ...source }: RequestOf<typeof CheckSuppression>): Promise<ReplyOf<typeof CheckSuppression>> {
    const all = await this.askedOf(userIds.map((userId) => ({ ...source, userId: userId.trim() })));
    const keysOf = (asked: readonly { userKey: Buffer }[]) => asked.map(({ userKey }) => userKey);
    const known = await regulatedIndexes(this.dataSource, source.workspaceId, keysOf(all));
    const regulated = known.map((index) => userIds[index] ?? '');
    const asked = known.flatMap((index) => all[index] ?? []);
    if (asked.length === 0) return { suppressed: [], deleted: [], regulated };
    const suppressed = new Set(await suppressedIndexes(this.dataSource, asked));
    // The deletions come second: if a regulation is lifted between the two queries, its deletion has already been stored.
    const deleted = await deletedIndexes(this.dataSource, source.workspaceId, keysOf(asked));
    return {
      suppressed: regulated.filter((_, index) => suppressed.has(index)),
      deleted: deleted.map(({ index, until }) => ({ userId: regulated[index] ?? '', until: until.toISOString() })),
      regulated,
    };
  }

  /** Works in slices, because it hashes every passage and a batch may have thousands of users. */
  private askedOf(passages: readonly Passage[]): Promise<{ userKey: Buffer; sourceId: string }[]> {
    return new Slices().map(passages, ({ workspaceId, sourceId, userId }) => ({
      userKey: this.keys.matchKey(workspaceId, userId),
      sourceId,
    }));
  }
}
