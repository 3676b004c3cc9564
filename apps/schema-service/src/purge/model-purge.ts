import { Injectable, Logger } from '@nestjs/common';
import { chunksOf } from '@weir/contracts';
import { during, isNobodysFault, Slices, type Sql } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { holdsSampled, withoutSampled } from '../aggregation/sample.js';
import type { StoredStatistics } from '../aggregation/statistics.js';
import { holdsValue, withoutValues } from '../aggregation/stored-counters.js';
import { FoldService } from '../statistics/fold.js';
import { StatisticsRepository } from '../statistics/statistics.repository.js';
import { StoredBytesRepository } from '../statistics/stored-bytes.repository.js';
import type { UserTraces } from './traces.js';

/** The contents of one row, folded or not, and its model. */
export interface StoredRow extends StoredStatistics {
  eventId: string;
}

const ROWS_SQL = ['statistics', 'statistics_parts']
  .map(
    (table) =>
      `SELECT event_id AS "eventId", frequent_values AS values, samples FROM ${table} WHERE event_id = ANY($1::uuid[])`,
  )
  .join(' UNION ALL ');

@Injectable()
export class ModelPurgeRepository {
  /**
   * Up to `limit` models of the workspace after `after`, in order, with the bytes that each stores. Does not read the stored
   * texts.
   */
  async models(
    sql: Sql,
    { workspaceId, after, limit }: { workspaceId: string; after: string; limit: number },
  ): Promise<{ eventId: string; bytes: number }[]> {
    const size = `coalesce(sum(octet_length(frequent_values) + octet_length(samples)), 0)`;
    const { rows } = await sql.run<{ eventId: string; bytes: number }>(
      `SELECT event_id AS "eventId",
         ((SELECT ${size} FROM statistics WHERE statistics.event_id = page.event_id)
          + (SELECT ${size} FROM statistics_parts AS parts WHERE parts.event_id = page.event_id))::float8 AS bytes
       FROM (SELECT event_id FROM models WHERE workspace_id = $1 AND event_id > $2 ORDER BY event_id LIMIT $3) AS page
       ORDER BY event_id`,
      [workspaceId, after, limit],
    );
    return rows;
  }

  /** Everything that models and their versions store. */
  async rows(sql: Sql, eventIds: readonly string[]): Promise<StoredRow[]> {
    return (await sql.run<StoredRow>(ROWS_SQL, [eventIds])).rows;
  }

  /** Takes the lock that every flush takes before it writes to a model, in the same order as flushes. */
  async lock(sql: Sql, eventIds: readonly string[]): Promise<void> {
    await sql.run(`SELECT FROM models WHERE event_id = ANY($1::uuid[]) ORDER BY event_id FOR UPDATE`, [eventIds]);
  }
}

/** Models of one step, and the bytes that they may store together. A whole step is in memory, and one model may be that large. */
const MODELS_AT_ONCE = 200;
const BYTES_AT_ONCE = 8_388_608;

/** The last model of a step, and those that failed. */
export interface PurgedModels {
  last: string | undefined;
  failed: string[];
}

/** Removes users from samples and frequent values, some models at a time. */
@Injectable()
export class ModelPurge {
  private readonly logger = new Logger(ModelPurge.name);

  constructor(
    private readonly dataSource: Database,
    private readonly repository: ModelPurgeRepository,
    private readonly statistics: StatisticsRepository,
    private readonly folding: FoldService,
    private readonly storedBytes: StoredBytesRepository,
  ) {}

  /**
   * Purges the next models after `after` together, or those that can be tried until `endAt` one by one: a model that fails holds up no other.
   * `last` is undefined if there was none.
   */
  async purgeSome(workspaceId: string, traces: UserTraces, after: string, endAt: number): Promise<PurgedModels> {
    const page = await this.repository.models(this.dataSource, { workspaceId, after, limit: MODELS_AT_ONCE });
    const some = fitting(page);
    if (some.length === 0) return { last: undefined, failed: [] };
    try {
      await this.purgeTogether(some, traces);
      return { last: some.at(-1), failed: [] };
    } catch (error) {
      if (isNobodysFault(error)) throw error;
      const { purged, failed } = await this.purgeEach(some, traces, endAt);
      return { last: some[purged.length + failed.length - 1], failed };
    }
  }

  /** Purges models one by one until this time, because each may take as long as a statement. */
  async purgeEach(
    eventIds: readonly string[],
    traces: UserTraces,
    endAt: number,
  ): Promise<{ purged: string[]; failed: string[] }> {
    const [purged, failed]: [string[], string[]] = [[], []];
    for (const eventId of eventIds) {
      try {
        await this.purgeTogether([eventId], traces);
        purged.push(eventId);
      } catch (error) {
        if (isNobodysFault(error)) throw error;
        this.logger.warn(`the model ${eventId} cannot be purged yet: ${(error as Error).name}`);
        failed.push(eventId);
      }
      if (performance.now() >= endAt) break;
    }
    return { purged, failed };
  }

  /** Looks before it locks. Most models hold nothing of these users, and their flushes need not wait. */
  private async purgeTogether(eventIds: readonly string[], traces: UserTraces): Promise<void> {
    const suspects = await suspectsAmong(await this.repository.rows(this.dataSource, eventIds), traces);
    if (suspects.size > 0) await this.clean([...suspects], traces);
  }

  /** Folds first, because only the folded total shows whether one user alone had a value. */
  private async clean(eventIds: string[], traces: UserTraces): Promise<void> {
    await this.dataSource.transaction(async (sql) => {
      await this.repository.lock(sql, eventIds);
      await this.folding.fold(sql, eventIds);
      await this.statistics.store(sql, await cleaned(await this.statistics.foldedOf(sql, eventIds), traces));
      await this.storedBytes.count(sql, eventIds);
    });
  }
}

/** Takes at least one model. */
function fitting(page: readonly { eventId: string; bytes: number }[]): string[] {
  const [first = []] = chunksOf(page, { bytesMax: BYTES_AT_ONCE, bytesOf: ({ bytes }) => bytes });
  return first.map(({ eventId }) => eventId);
}

/** Models that hold something of the users. */
async function suspectsAmong(rows: readonly StoredRow[], traces: UserTraces): Promise<Set<string>> {
  const slices = new Slices();
  const suspects = new Set<string>();
  for (const { eventId, values, samples } of rows) {
    if (suspects.has(eventId)) continue;
    const isSuspect = during('purge.look', () => isValueOf(traces, values) || isSampleOf(traces, samples));
    if (isSuspect) suspects.add(eventId);
    if (slices.isOver) await slices.next();
  }
  return suspects;
}

const isValueOf = (traces: UserTraces, values: string) =>
  holdsValue(values, (value, path, userKey) => traces.isValue(value, path, userKey));
const isSampleOf = (traces: UserTraces, samples: string) => holdsSampled(samples, (event) => traces.isIn(event));

/** Only the rows that held something of the users, without it. */
async function cleaned<Row extends StoredStatistics>(rows: readonly Row[], traces: UserTraces): Promise<Row[]> {
  const slices = new Slices();
  const changed: Row[] = [];
  for (const row of rows) {
    const left = during('purge.clean', () => without(row, traces));
    if (left) changed.push(left);
    if (slices.isOver) await slices.next();
  }
  return changed;
}

function without<Row extends StoredStatistics>(row: Row, traces: UserTraces): Row | undefined {
  const samples = withoutSampled(row.samples, (event) => traces.isIn(event));
  const values = withoutValues(row.values, (value, path, userKey) => traces.isValue(value, path, userKey));
  if (samples === undefined && values === undefined) return undefined;
  return { ...row, samples: samples ?? row.samples, values: values ?? row.values };
}
