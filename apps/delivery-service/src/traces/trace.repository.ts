import { Injectable } from '@nestjs/common';
import { TRACES_KEPT_DAYS } from '@weir/contracts';
import { inPieces, removeRows, SQL_STATE, sqlStateOf } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { type FencedEvent, PurgeFence } from '../checks/purge-fence.js';
import { TraceDays } from './trace-days.js';
import type { TraceRow } from './trace-row.js';

/** A write must end while a deletion still waits for it (12 s), counted from the step that it writes. */
const WRITE_TIMEOUT = '5s';

const COLUMNS = {
  workspace_id: 'text',
  source_id: 'text',
  destination_id: 'text',
  message_key: 'text',
  user_key: 'bigint',
  match_keys: 'text',
  share: 'real',
  step: 'json',
};
const names = Object.keys(COLUMNS);
const arrays = Object.values(COLUMNS).map((type, at) => `$${at + 1}::${type}[]`);

/** Nested arrays cannot vary in length, so match keys travel as array literals. */
const INSERT_SQL = `
  INSERT INTO traces (${names.join(', ')})
  SELECT workspace_id, source_id, destination_id, decode(message_key, 'hex'), user_key, match_keys::bigint[], share, step
  FROM unnest(${arrays.join(', ')}) AS row (${names.join(', ')})`;
/** In key order, so that two processes never deadlock. */
const SIZES_SQL = `
  INSERT INTO trace_day_sizes AS known (day, workspace_id, bytes)
  SELECT (now() AT TIME ZONE 'UTC')::date, workspace_id, bytes
  FROM unnest($1::text[], $2::bigint[]) AS size (workspace_id, bytes) ORDER BY workspace_id
  ON CONFLICT (day, workspace_id) DO UPDATE SET bytes = known.bytes + EXCLUDED.bytes
  RETURNING workspace_id AS "workspaceId", bytes::float8 AS bytes`;
/**
 * Finds the locked rows again by their place, because no index has their id. The same place in another partition may be a row of
 * the user too, or it is left.
 */
const PURGE_SQL = `
  DELETE FROM traces WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM traces WHERE workspace_id = $1 AND match_keys && $2::bigint[] LIMIT $3 FOR UPDATE
  )) AND workspace_id = $1 AND match_keys && $2::bigint[]`;

/** Bytes that a workspace has written today. */
export interface TracesSize {
  workspaceId: string;
  bytes: number;
}

/** A row with its step as JSON. */
export interface WrittenRow extends Omit<TraceRow, 'step'> {
  json: string;
}

/** Writes and purges the steps of traced events. */
@Injectable()
export class TraceRepository {
  constructor(
    private readonly database: Database,
    private readonly days: TraceDays,
    private readonly fence: PurgeFence,
  ) {}

  /**
   * Writes rows and returns what their workspaces have written today. Calls `rowsNow` when a connection is there. Rows of users who were
   * deleted after the event came in are left out.
   */
  async add(rowsNow: () => WrittenRow[]): Promise<TracesSize[]> {
    return this.insert(rowsNow).catch(async (error: unknown) => {
      if (sqlStateOf(error) !== SQL_STATE.NO_PARTITION) throw error;
      await this.days.prepare();
      return this.insert(rowsNow);
    });
  }

  /** Removes every step that holds something of a user with any of these keys. */
  async purge(workspaceId: string, matchKeys: string[]): Promise<void> {
    await inPieces(this.database, PURGE_SQL, [workspaceId, matchKeys]);
  }

  /** Which of these events are traced. */
  async known(workspaceId: string, messageKeys: string[]): Promise<Set<string>> {
    const { rows } = await this.database.run<{ key: string }>(
      `SELECT DISTINCT encode(message_key, 'hex') AS key FROM traces
       WHERE workspace_id = $1 AND message_key = ANY (SELECT decode(key, 'hex') FROM unnest($2::text[]) AS key)`,
      [workspaceId, messageKeys],
    );
    return new Set(rows.map(({ key }) => key));
  }

  /** Removes old partitions and sizes, also those of the release before (migration 0022). */
  async removeOld(): Promise<void> {
    await this.days.removeOld();
    for (const table of ['trace_day_sizes', 'trace_sizes'])
      await removeRows(this.database, table, `day < (now() AT TIME ZONE 'UTC')::date - $1::int`, [TRACES_KEPT_DAYS]);
  }

  /** A crash of the database may lose the last moment. The steps are evidence, so nothing waits for its disk. */
  private insert(rowsNow: () => WrittenRow[]): Promise<TracesSize[]> {
    return this.database.transaction(async (sql) => {
      await sql.run(`SET LOCAL statement_timeout = '${WRITE_TIMEOUT}'`);
      await sql.run('SET LOCAL synchronous_commit = off');
      const now = rowsNow();
      const purged = await this.fence.purged(sql, now.filter(isOfUser).map(fencedOf));
      const late = new Set([...purged].map(({ row }) => row));
      const rows = now.filter((row) => !late.has(row));
      if (rows.length === 0) return [];
      await sql.run(INSERT_SQL, columnsOf(rows));
      const sizes = new Map<string, number>();
      for (const { workspaceId, json } of rows) {
        sizes.set(workspaceId, (sizes.get(workspaceId) ?? 0) + Buffer.byteLength(json));
      }
      return (await sql.run<TracesSize>(SIZES_SQL, [[...sizes.keys()], [...sizes.values()]])).rows;
    });
  }
}

const isOfUser = ({ matchKeys }: WrittenRow): boolean => matchKeys !== undefined;

const fencedOf = (row: WrittenRow): FencedEvent & { row: WrittenRow } => ({
  row,
  workspaceId: row.workspaceId,
  receivedAt: row.receivedAt,
  matchKeys: () => row.matchKeys ?? [],
});

/** One array per column, in the order of COLUMNS. */
const columnsOf = (rows: WrittenRow[]): unknown[][] => [
  rows.map(({ workspaceId }) => workspaceId),
  rows.map(({ sourceId }) => sourceId),
  rows.map(({ destinationId }) => destinationId ?? null),
  rows.map(({ messageKey }) => messageKey),
  rows.map(({ userKey }) => userKey ?? null),
  rows.map(({ matchKeys }) => (matchKeys ? `{${matchKeys.join()}}` : null)),
  rows.map(({ share }) => share),
  rows.map(({ json }) => json),
];
