import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@weir/contracts';
import { DataSource } from 'typeorm';
import { Statistics } from '../aggregation/statistics.js';
import { type OwnedStatistics, PurgeRepository } from './purge.repository.js';
import { UserTraces } from './traces.js';

const MODELS_AT_ONCE = 100;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Removes what samples and frequent values keep of users; totals and schemas stay. May be repeated. */
@Injectable()
export class PurgeService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: PurgeRepository,
  ) {}

  async purge(workspaceId: string, users: readonly JsonObject[]): Promise<void> {
    const traces = new UserTraces(users);
    let after = FIRST_ID;
    for (;;) {
      const eventIds = await this.repository.models(workspaceId, this.dataSource, after, MODELS_AT_ONCE);
      for (const eventId of eventIds) await this.purgeModel(workspaceId, eventId, traces);
      const last = eventIds.at(-1);
      if (last === undefined) return;
      after = last;
    }
  }

  /** Looks before it locks: most models hold nothing of the users, and flushes need not wait for those. */
  private async purgeModel(workspaceId: string, eventId: string, traces: UserTraces): Promise<void> {
    const seen = await this.repository.statistics(workspaceId, this.dataSource, eventId);
    if (!seen.some((owned) => without(owned, traces))) return;
    await this.dataSource.transaction(async (sql) => {
      await this.repository.lock(workspaceId, sql, eventId);
      for (const owned of await this.repository.statistics(workspaceId, sql, eventId)) {
        const cleaned = without(owned, traces);
        if (cleaned) await this.repository.replace(workspaceId, sql, cleaned);
      }
    });
  }
}

/** The statistics without the users, or undefined when they hold nothing of them. */
function without(owned: OwnedStatistics, traces: UserTraces): OwnedStatistics | undefined {
  const statistics = Statistics.decode(owned.ownerId === owned.eventId ? 'model' : 'version', owned);
  const inSamples = statistics.samples.forget((event) => traces.isIn(event));
  const inValues = statistics.values.forget((value, path) => traces.isValue(value, path));
  return inSamples || inValues ? { ...owned, ...statistics.encode() } : undefined;
}
