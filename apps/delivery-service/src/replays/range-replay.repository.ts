import { Injectable } from '@nestjs/common';
import {
  AppError,
  notFound,
  RANGE_REPLAYS_LISTED_MAX,
  RANGE_REPLAYS_OPEN_MAX,
  type RangeReplay,
  type RangeReplaySelection,
  type RequestOf,
  type SteerRangeReplay,
} from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import { Database, newKsuid, recordAct } from '@weir/service-kit';
import { startOfHour } from '../archive/segment-name.js';
import type { ArchivePlace } from '../archive/segment-reader.js';

/** Events may be accepted this much later than they came in. Whoever reads the range waits for the archive after that. */
const ACCEPTED_WITHIN = '2 minutes';

/** Replays of time ranges, as people see them. */
@Injectable()
export class RangeReplayRepository {
  constructor(private readonly database: Database) {}

  start(workspaceId: string, selection: RangeReplaySelection, by: string | undefined): Promise<RangeReplay> {
    const { sourceId, destinationId, from, to, dryRun, eventsPerSecond, types, events } = selection;
    const id = newKsuid();
    return this.database.transaction(async (sql) => {
      await refuseWhenFull(sql, workspaceId);
      await sql.run(INSERT_SQL, [
        ...[id, workspaceId, sourceId, destinationId, from, to, dryRun, eventsPerSecond],
        ...[types ?? null, events ?? null],
      ]);
      const details = { id, sourceId, destinationId, from, to, dryRun };
      await recordAct({ sql, workspaceId }, by, { action: 'range_replay.started', details });
      return this.find(sql, workspaceId, id);
    });
  }

  async list(workspaceId: string): Promise<RangeReplay[]> {
    const sql = `${SELECT_SQL} WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${RANGE_REPLAYS_LISTED_MAX}`;
    return (await this.database.run<Row>(sql, [workspaceId])).rows.map(replayOf);
  }

  get(workspaceId: string, id: string): Promise<RangeReplay> {
    return this.find(this.database, workspaceId, id);
  }

  /** The process that works on it notices with its next progress. Throws `conflict` if it has ended. */
  steer({ workspaceId, id, state, by }: RequestOf<typeof SteerRangeReplay>): Promise<RangeReplay> {
    return this.database.transaction(async (sql) => {
      const { count } = await sql.run(
        `UPDATE range_replays SET state = $3, problem = NULL,
           next_at = greatest(now(), to_time + interval '${ACCEPTED_WITHIN}'),
           ended_at = CASE WHEN $3 = 'cancelled' THEN now() END
         WHERE workspace_id = $1 AND id = $2 AND state IN ('running', 'paused')`,
        [workspaceId, id, state],
      );
      const replay = await this.find(sql, workspaceId, id);
      if (count === 0) throw new AppError('conflict', `The replay has ended: it is ${replay.state}`);
      await recordAct({ sql, workspaceId }, by, { action: `range_replay.${state}`, details: { id } });
      return replay;
    });
  }

  private async find(sql: Sql, workspaceId: string, id: string): Promise<RangeReplay> {
    const { rows } = await sql.run<Row>(`${SELECT_SQL} WHERE workspace_id = $1 AND id = $2`, [workspaceId, id]);
    if (!rows[0]) throw notFound('replay');
    return replayOf(rows[0]);
  }
}

async function refuseWhenFull(sql: Sql, workspaceId: string): Promise<void> {
  await sql.run(`SELECT pg_advisory_xact_lock(hashtext('delivery.range_replays'), hashtext($1))`, [workspaceId]);
  const { rows } = await sql.run<{ open: number }>(
    `SELECT count(*)::int AS open FROM range_replays WHERE workspace_id = $1 AND ended_at IS NULL`,
    [workspaceId],
  );
  if ((rows[0]?.open ?? 0) < RANGE_REPLAYS_OPEN_MAX) return;
  throw new AppError('conflict', `A workspace has at most ${RANGE_REPLAYS_OPEN_MAX} open replays: cancel one first`);
}

const INSERT_SQL = `
  INSERT INTO range_replays
    (id, workspace_id, source_id, destination_id, from_time, to_time, dry_run, events_per_second, types, event_names, state, next_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'running',
    greatest(now(), $6::timestamptz + interval '${ACCEPTED_WITHIN}'))`;

const SELECT_SQL = `
  SELECT id, source_id, destination_id, from_time, to_time, dry_run, events_per_second, types, event_names, state, problem,
    place, events::float8 AS events, bytes::float8 AS bytes, suppressed::float8 AS suppressed, unreadable, created_at, ended_at
  FROM range_replays`;

interface Row {
  id: string;
  source_id: string;
  destination_id: string;
  from_time: Date;
  to_time: Date;
  dry_run: boolean;
  events_per_second: number;
  types: RangeReplay['types'] | null;
  event_names: string[] | null;
  state: RangeReplay['state'];
  problem: string | null;
  place: ArchivePlace | null;
  events: number;
  bytes: number;
  suppressed: number;
  unreadable: number;
  created_at: Date;
  ended_at: Date | null;
}

const replayOf = (row: Row): RangeReplay => ({
  id: row.id,
  ...{ sourceId: row.source_id, destinationId: row.destination_id, dryRun: row.dry_run },
  ...{ from: row.from_time.toISOString(), to: row.to_time.toISOString(), eventsPerSecond: row.events_per_second },
  ...(row.types && { types: row.types }),
  ...(row.event_names && { events: row.event_names }),
  state: row.state,
  ...(row.problem !== null && { problem: row.problem }),
  ...{ eventCount: row.events, byteCount: row.bytes, suppressedCount: row.suppressed },
  ...(row.unreadable > 0 && { unreadableSegments: row.unreadable }),
  ...(row.place && { reachedAt: startOfHour(row.place.hour).toISOString() }),
  createdAt: row.created_at.toISOString(),
  ...(row.ended_at && { endedAt: row.ended_at.toISOString() }),
});
