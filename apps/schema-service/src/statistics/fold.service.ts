import { Injectable } from '@nestjs/common';
import type { Sql } from '@weir/messaging';
import type { Vain } from '../aggregation/observed-statistics.js';
import { foldParts } from './fold.js';
import { StatisticsRepository } from './statistics.repository.js';

/** Merges the parts of one model, which the transaction has locked, into the folded rows of the model and its versions. */
@Injectable()
export class FoldService {
  constructor(private readonly repository: StatisticsRepository) {}

  /** Answers what further parts of its versions can leave out, once the transaction is committed. */
  async fold(sql: Sql, eventId: string): Promise<Map<string, Vain>> {
    const parts = await this.repository.takeParts(sql, eventId);
    if (parts.length === 0) return new Map();
    const versionIds = parts.flatMap(({ versionId }) => versionId ?? []);
    const before = await this.repository.folded(sql, [eventId, ...new Set(versionIds)]);
    const { owners, vain } = foldParts(eventId, parts, before);
    const after = [...owners].map(([id, statistics]): [string, ReturnType<typeof statistics.encode>] => [
      id,
      statistics.encode(),
    ]);
    await this.repository.store(sql, eventId, new Map(after));
    return vain;
  }
}
