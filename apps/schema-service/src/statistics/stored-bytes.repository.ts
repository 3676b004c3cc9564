import { Injectable } from '@nestjs/common';
import { failedOf, type Sql, type SqlDatabase, throwFirst } from '@weir/messaging';
import type { StoredStatistics } from '../aggregation/statistics.js';

/** Stands for the header of a row and its entries in indexes. */
const ROW_BYTES = 256;
/** Models counted in one transaction, which locks them briefly. */
const MODELS_AT_ONCE = 100;
/** Models without events for this long are not counted again. Only a collector of another release writes without counting. */
const RECOUNTED_DAYS = 1;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Bytes that an increment takes until it is folded. Increments are stored as they are. */
export const bytesOfIncrement = ({ values, samples }: StoredStatistics): number =>
  ROW_BYTES + Buffer.byteLength(values) + Buffer.byteLength(samples);

const rowsOf = (table: string, ...columns: string[]) => `
  (SELECT coalesce(sum(${ROW_BYTES} + ${columns.map((column) => `pg_column_size(${column})`).join(' + ')}), 0)
   FROM ${table} AS own WHERE own.event_id = models.event_id)`;

/** Compressed sizes, as they are on disk. Reads no long value. */
const BYTES = [
  `${ROW_BYTES} + pg_column_size(schema) + pg_column_size(evicted_key_facts)`,
  rowsOf('versions', 'own.schema'),
  rowsOf('key_fact_parts', 'facts'),
  rowsOf('statistics', 'frequent_values', 'samples'),
  rowsOf('statistics_parts', 'frequent_values', 'samples'),
].join(' + ');

export interface WorkspaceBytes {
  workspaceId: string;
  bytes: number;
}

/**
 * Knows what models and workspaces store: statistics, versions and schemas, in `models.stored_bytes`. Increments are added as they are
 * written. Everything else counts the model anew, so a mistake lasts until then at most.
 */
@Injectable()
export class StoredBytesRepository {
  /** Counts models anew. The transaction has locked them. */
  async count(sql: Sql, eventIds: readonly string[]): Promise<void> {
    if (eventIds.length === 0) return;
    await sql.run(
      `UPDATE models SET stored_bytes = counted.bytes
       FROM (SELECT event_id, ${BYTES} AS bytes FROM models WHERE event_id = ANY($1::uuid[])) AS counted
       WHERE models.event_id = counted.event_id AND stored_bytes IS DISTINCT FROM counted.bytes`,
      [eventIds],
    );
  }

  /** Counts all models anew to which a collector of another release may have written. A model that fails holds up no other. Ends early once stopped. */
  async recount(database: SqlDatabase, isStopped = () => false): Promise<void> {
    const failures: unknown[] = [];
    for (let after: string | undefined = FIRST_ID; after !== undefined && !isStopped(); ) {
      const eventIds: string[] = await this.uncounted(database, after);
      failures.push(...(await failedOf(eventIds, (some) => this.countAlone(database, some))).values());
      after = eventIds.length < MODELS_AT_ONCE ? undefined : eventIds.at(-1);
    }
    throwFirst(failures);
  }

  /** Sums up the models of each workspace. A model that nobody has counted yet counts as nothing. */
  async ofWorkspaces(sql: Sql, workspaceIds: readonly string[]): Promise<WorkspaceBytes[]> {
    const { rows } = await sql.run<WorkspaceBytes>(
      `SELECT workspace_id AS "workspaceId", coalesce(sum(stored_bytes), 0)::float8 AS bytes
       FROM models WHERE workspace_id = ANY($1) GROUP BY workspace_id`,
      [workspaceIds],
    );
    return rows;
  }

  /** Workspaces that store more than `bytesMax`, the largest first. Reads all models. */
  async above(sql: Sql, bytesMax: number): Promise<WorkspaceBytes[]> {
    const { rows } = await sql.run<WorkspaceBytes>(
      `SELECT workspace_id AS "workspaceId", sum(stored_bytes)::float8 AS bytes
       FROM models GROUP BY workspace_id HAVING sum(stored_bytes) > $1 ORDER BY bytes DESC`,
      [bytesMax],
    );
    return rows;
  }

  private async uncounted(sql: Sql, after: string): Promise<string[]> {
    const { rows } = await sql.run<{ event_id: string }>(
      `SELECT event_id FROM models
       WHERE event_id > $1 AND (stored_bytes IS NULL OR last_seen > now() - $2 * interval '1 day')
       ORDER BY event_id LIMIT $3`,
      [after, RECOUNTED_DAYS, MODELS_AT_ONCE],
    );
    return rows.map(({ event_id }) => event_id);
  }

  /** Locks before it counts, because it would otherwise not see what a flush under way writes. */
  private countAlone(database: SqlDatabase, eventIds: readonly string[]): Promise<void> {
    return database.transaction(async (sql) => {
      await sql.run(`SELECT FROM models WHERE event_id = ANY($1::uuid[]) ORDER BY event_id FOR UPDATE`, [eventIds]);
      await this.count(sql, eventIds);
    });
  }
}
