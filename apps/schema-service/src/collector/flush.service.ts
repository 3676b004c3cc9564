import { Injectable } from '@nestjs/common';
import type { EventBatch } from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import { DataSource } from 'typeorm';
import { Aggregator, type Delta } from '../aggregation/aggregator.js';
import type { SkipReason } from '../aggregation/model-key.js';
import { AppliedBatchesRepository } from './applied-batches.repository.js';
import { ModelDeltaRepository } from './model-delta.repository.js';
import { StatisticsDeltaRepository } from './statistics-delta.repository.js';
import { VersionDeltaRepository } from './version-delta.repository.js';

/** What one flush did. */
export interface Flushed {
  events: number;
  /** Batches that were part of the totals before. */
  duplicates: number;
  skipped: ReadonlyMap<SkipReason, number>;
}

/**
 * Adds batches to what is stored, each exactly once: its id and what it adds are one transaction (architecture section 4).
 * Locks are taken in the order batch ids, models, each sorted; no two flushes can deadlock.
 */
@Injectable()
export class FlushService {
  private readonly aggregator = new Aggregator();

  constructor(
    private readonly dataSource: DataSource,
    private readonly applied: AppliedBatchesRepository,
    private readonly models: ModelDeltaRepository,
    private readonly versions: VersionDeltaRepository,
    private readonly statistics: StatisticsDeltaRepository,
  ) {}

  flush(batches: readonly EventBatch[]): Promise<Flushed> {
    return this.dataSource.transaction(async (sql) => {
      const byId = new Map(batches.map((batch) => [batch.batchId, batch]));
      const claimed = await this.applied.claim(sql, [...byId.keys()]);
      const fresh = [...byId.values()].filter(({ batchId }) => claimed.has(batchId));
      const delta = this.aggregator.aggregate(fresh);
      await this.add(sql, delta);
      return {
        events: fresh.reduce((sum, { events }) => sum + events.length, 0),
        duplicates: batches.length - fresh.length,
        skipped: delta.skipped,
      };
    });
  }

  private async add(sql: Sql, delta: Delta): Promise<void> {
    if (delta.models.length === 0) return;
    const models = await this.models.lock(sql, delta.models);
    countRefused(delta, models);
    await this.models.addTotals(sql, models);
    const fresh = await this.versions.addTotals(sql, models);
    await this.versions.extendSchemas(sql, fresh);
    await this.statistics.merge(sql, models);
    const evicted = await this.versions.evict(
      sql,
      [...fresh.keys()].map(({ eventId }) => eventId),
    );
    await this.statistics.remove(
      sql,
      evicted.map(({ versionId }) => versionId),
    );
  }
}

function countRefused({ models, skipped }: Delta, admitted: readonly { count: number }[]): void {
  const total = (some: readonly { count: number }[]) => some.reduce((sum, { count }) => sum + count, 0);
  const refused = total(models) - total(admitted);
  if (refused > 0) skipped.set('models', refused);
}
