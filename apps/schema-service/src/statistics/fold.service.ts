import { Injectable } from '@nestjs/common';
import { Slices, type Sql } from '@weir/messaging';
import type { Vain } from '../aggregation/observed-statistics.js';
import { foldParts } from './fold.js';
import { type FoldedRow, StatisticsRepository } from './statistics.repository.js';

/** Merges parts into the folded rows of models and their versions. The transaction has locked the models. */
@Injectable()
export class FoldService {
  constructor(private readonly repository: StatisticsRepository) {}

  /** Returns what further parts of the versions can skip, once the transaction is committed. */
  async fold(sql: Sql, eventIds: readonly string[]): Promise<Map<string, Vain>> {
    const parts = await this.repository.takeParts(sql, eventIds);
    const known = new Map<string, Vain>();
    if (parts.length === 0) return known;
    const versionIds = parts.flatMap(({ versionId }) => versionId ?? []);
    const before = await this.repository.folded(sql, [...eventIds, ...new Set(versionIds)]);
    const slices = new Slices();
    const rows: FoldedRow[] = [];
    for (const [eventId, own] of Map.groupBy(parts, (part) => part.eventId)) {
      const { owners, vain } = await foldParts(eventId, own, before);
      for (const [ownerId, statistics] of owners) {
        rows.push({ ownerId, eventId, ...statistics.encode() });
        if (slices.isOver) await slices.next();
      }
      for (const [versionId, ofVersion] of vain) known.set(versionId, ofVersion);
    }
    await this.repository.store(sql, rows);
    return known;
  }
}
