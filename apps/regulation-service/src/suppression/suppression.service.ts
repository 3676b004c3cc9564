import { Injectable } from '@nestjs/common';
import { Slices } from '@weir/messaging';
import { DataSource } from 'typeorm';
import { Pepper } from '../secrets/pepper.js';
import { type IsSuppressed, type Passage, passageText } from './passage.js';
import { deletedIndexes, suppressedIndexes } from './suppression.repository.js';

/** Asks the rows that the POST wrote, each time anew: what was answered before the question is obeyed by the answer. */
@Injectable()
export class SuppressionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pepper: Pepper,
  ) {}

  /** One query for all of them. Rejects when the state cannot be read: then nothing may pass. */
  async lookUp(passages: Iterable<Passage>): Promise<IsSuppressed> {
    const distinct = new Map<string, Passage>();
    for (const passage of passages) distinct.set(passageText(passage), passage);
    if (distinct.size === 0) return () => false;
    const texts = [...distinct.keys()];
    const found = await suppressedIndexes(this.dataSource, await this.askedOf([...distinct.values()]));
    const suppressed = new Set(found.map((index) => texts[index]));
    return (passage) => suppressed.has(passageText(passage));
  }

  /** Those of the users who were deleted, with the time (ISO 8601) until which what came in of them is gone. */
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

  /** In slices: each is hashed, and a batch may be of thousands of users. */
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
