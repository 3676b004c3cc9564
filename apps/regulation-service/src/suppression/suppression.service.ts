import { Injectable } from '@nestjs/common';
import { Slices } from '@weir/messaging';
import { DataSource } from 'typeorm';
import { Pepper } from '../secrets/pepper.js';
import { type IsSuppressed, type Passage, passageText } from './passage.js';
import { deletedIndexes, suppressedIndexes } from './suppression.repository.js';

/**
 * Queries the rows that the POST wrote, without a cache. A result therefore obeys every regulation that was answered before the
 * query.
 */
@Injectable()
export class SuppressionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pepper: Pepper,
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

  /** Maps each deleted user to the time (ISO 8601) up to which their earlier events count as deleted. */
  async deletedUntil({
    workspaceId,
    userIds,
  }: {
    workspaceId: string;
    userIds: string[];
  }): Promise<Map<string, string>> {
    const keys = userIds.map((userId) => this.pepper.matchKey(workspaceId, userId.trim()));
    const found = await deletedIndexes(this.dataSource, workspaceId, keys);
    return new Map(found.map(({ index, until }) => [userIds[index] ?? '', until.toISOString()]));
  }

  /** Works in slices, because it hashes every passage and a batch may have thousands of users. */
  private async askedOf(passages: readonly Passage[]): Promise<{ userKey: Buffer; sourceId: string }[]> {
    const slices = new Slices();
    const asked = [];
    for (const { workspaceId, sourceId, userId } of passages) {
      asked.push({ userKey: this.pepper.matchKey(workspaceId, userId), sourceId });
      if (slices.isOver) await slices.next();
    }
    return asked;
  }
}
