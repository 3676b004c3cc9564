import { Injectable } from '@nestjs/common';
import { isJsonObject, type JsonObject } from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import { DataSource } from 'typeorm';
import { Statistics, type StoredStatistics } from '../aggregation/statistics.js';
import { FoldService } from '../statistics/fold.service.js';
import { StatisticsRepository } from '../statistics/statistics.repository.js';
import { PurgeRepository } from './purge.repository.js';
import { UserTraces } from './traces.js';

const MODELS_AT_ONCE = 100;
const LETTERS_AT_ONCE = 100;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Removes what samples, frequent values and dead letters keep of users; totals and schemas stay. May be repeated. */
@Injectable()
export class PurgeService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: PurgeRepository,
    private readonly statistics: StatisticsRepository,
    private readonly folding: FoldService,
  ) {}

  async purge(workspaceId: string, users: readonly JsonObject[]): Promise<void> {
    const traces = new UserTraces(users);
    let after: string | undefined = FIRST_ID;
    while (after !== undefined) {
      const eventIds: string[] = await this.repository.models(workspaceId, this.dataSource, after, MODELS_AT_ONCE);
      for (const eventId of eventIds) await this.purgeModel(workspaceId, eventId, traces);
      after = eventIds.at(-1);
    }
    await this.purgeLetters(workspaceId, traces);
  }

  /** Looks before it locks: most models hold nothing of the users, and flushes need not wait for those. */
  private async purgeModel(workspaceId: string, eventId: string, traces: UserTraces): Promise<void> {
    if (!(await this.isSuspect(eventId, traces))) return;
    await this.dataSource.transaction(async (sql) => {
      await this.repository.lock(workspaceId, sql, eventId);
      await this.folding.fold(sql, eventId);
      await this.clean(sql, eventId, traces);
    });
  }

  /** A version's samples and values need not be among its model's: both are looked at. */
  private async isSuspect(eventId: string, traces: UserTraces): Promise<boolean> {
    const model = await this.statistics.ofModel(this.dataSource, eventId);
    if (model?.parts.some((stored) => without(stored, 'model', traces))) return true;
    const owners = await this.statistics.ownersOf(this.dataSource, eventId);
    const folded = await this.statistics.folded(this.dataSource, owners);
    return [...folded.values()].some((stored) => without(stored, 'version', traces));
  }

  private async clean(sql: Sql, eventId: string, traces: UserTraces): Promise<void> {
    const folded = await this.statistics.folded(sql, await this.statistics.ownersOf(sql, eventId));
    const cleaned = [...folded].flatMap(([id, stored]): [string, StoredStatistics][] => {
      const left = without(stored, id === eventId ? 'model' : 'version', traces);
      return left ? [[id, left]] : [];
    });
    if (cleaned.length > 0) await this.statistics.store(sql, eventId, new Map(cleaned));
  }

  /** A message that could not be counted is kept as it came, for a look at what is wrong with it. */
  private async purgeLetters(workspaceId: string, traces: UserTraces): Promise<void> {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const letters = await this.repository.deadLetters(workspaceId, this.dataSource, after, LETTERS_AT_ONCE);
      const found = letters
        .filter(({ body }) => eventsOf(body).some((event) => traces.isIn(event)))
        .map(({ id }) => id);
      if (found.length > 0) await this.repository.blank(this.dataSource, found);
      after = letters.at(-1)?.id;
    }
  }
}

/** Of a batch, or of whatever else it is. */
function eventsOf(body: string): JsonObject[] {
  const json: unknown = JSON.parse(body);
  const events = isJsonObject(json) && Array.isArray(json['events']) ? json['events'] : [];
  return [{ json }, ...events.filter(isJsonObject)];
}

/** The statistics without the users, or undefined when they hold nothing of them. */
function without(
  stored: StoredStatistics,
  owner: 'model' | 'version',
  traces: UserTraces,
): StoredStatistics | undefined {
  const statistics = Statistics.decode(owner, stored);
  const inSamples = statistics.samples.forget((event) => traces.isIn(event));
  const inValues = statistics.values.forget((value, path) => traces.isValue(value, path));
  return inSamples || inValues ? statistics.encode() : undefined;
}
