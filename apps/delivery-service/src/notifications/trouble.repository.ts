import { Injectable } from '@nestjs/common';
import { TROUBLES_SHOWN_MAX, type Trouble, type TroubleKind } from '@weir/contracts';
import { removeRows, type Sql } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { type FoundTrouble, isLasting, LASTING } from './trouble.js';

/** How long a trouble that lasts has to be gone before it counts as resolved. A breaker that flaps is one trouble. */
const SETTLED = '2 minutes';
/** How long nothing new may happen before a trouble of a moment ends. What happens meanwhile joins it. */
const QUIET = '1 hour';
/** Messages that may wait for one channel. Beyond that, nobody would read them. */
const WAITING_MAX = 500;
/** Days for which ended troubles and messages are kept. Longer than any answer looks back. */
const KEPT_DAYS = 7;

/** The right to look, which one process has at a time. */
export interface Lead {
  /** Ends a look early. Another process may be about to lead. */
  goOn(): boolean;
  /** Throws in a transaction that another process may have overtaken. */
  confirm(sql: Sql): Promise<void>;
}

interface Look {
  answered: readonly TroubleKind[];
  lead: Pick<Lead, 'confirm'>;
}

/** Troubles by workspace, kind and resource, and who has to hear of them. Every statement may be repeated. */
@Injectable()
export class TroubleRepository {
  constructor(private readonly database: Database) {}

  /** Thresholds of enabled channels, by workspace. A workspace without channels is not there. */
  async thresholds(): Promise<Map<string, number[]>> {
    const { rows } = await this.database.run<{ workspace_id: string; thresholds: number[] }>(
      `SELECT workspace_id, array_agg(DISTINCT failing_percent) AS thresholds FROM channels WHERE enabled
       GROUP BY workspace_id ORDER BY workspace_id`,
    );
    return new Map(rows.map((row) => [row.workspace_id, row.thresholds]));
  }

  /**
   * Compares what was found with what is known, and queues the messages. A kind that is not `answered` stays as it is, because
   * its service is away. Throws and writes nothing if another process leads by now, which may have seen a trouble end.
   */
  async note(workspaceIds: string[], found: FoundTrouble[], { answered, lead }: Look): Promise<void> {
    await this.database.transaction(async (sql) => {
      await lead.confirm(sql);
      await sql.run(OPEN_SQL, [JSON.stringify(found)]);
      const [lasting, moments] = [answered.filter(isLasting), answered.filter((kind) => !isLasting(kind))];
      await sql.run(RESOLVE_SQL, [workspaceIds, lasting, moments]);
      await this.queue(sql, workspaceIds);
    });
  }

  async list(workspaceId: string): Promise<Trouble[]> {
    const { rows } = await this.database.run<TroubleRow>(
      `SELECT id, kind, resource_id, count, percent, opened_at, last_at, resolved_at FROM (
         SELECT *, row_number() OVER (PARTITION BY kind, resource_id, opened_at, resolved_at ORDER BY threshold) AS place
         FROM troubles WHERE workspace_id = $1
       ) AS ranked
       WHERE place = 1 ORDER BY resolved_at IS NOT NULL, id DESC LIMIT $2`,
      [workspaceId, TROUBLES_SHOWN_MAX],
    );
    return rows.map(troubleOf);
  }

  async removeOld(): Promise<void> {
    const old = `now() - interval '${KEPT_DAYS} days'`;
    await removeRows(this.database, 'notifications', `ended_at < ${old} AND trouble_id IS NULL`);
    await removeRows(this.database, 'troubles', `resolved_at < ${old}`);
    await removeRows(this.database, 'source_silences', `last_seen < now() - interval '90 days'`);
  }

  private async queue(sql: Sql, workspaceIds: string[]): Promise<void> {
    await sql.run(QUEUE_OPENED_SQL, [workspaceIds, LASTING]);
    // Do not report the end of a trouble whose start was never reported.
    await sql.run(DROP_UNTOLD_SQL, [workspaceIds, LASTING]);
    await sql.run(QUEUE_RESOLVED_SQL, [workspaceIds, LASTING]);
  }
}

const OPEN_SQL = `
  INSERT INTO troubles (workspace_id, kind, resource_id, threshold, name, count, percent, last_at)
  SELECT "workspaceId", kind, "resourceId", coalesce(threshold, 0), name, count, percent, coalesce(at, now())
  FROM jsonb_to_recordset($1) AS found ("workspaceId" text, kind text, "resourceId" text, threshold integer, name text,
    count integer, percent integer, at timestamptz)
  WHERE NOT EXISTS (
    SELECT FROM troubles AS ended
    WHERE ended.workspace_id = "workspaceId" AND ended.kind = found.kind AND ended.resource_id = "resourceId"
      AND ended.resolved_at IS NOT NULL AND ended.last_at >= found.at)
  ORDER BY 1, 2, 3, 4
  ON CONFLICT (workspace_id, kind, resource_id, threshold) WHERE resolved_at IS NULL DO UPDATE
  SET last_at = greatest(troubles.last_at, EXCLUDED.last_at), name = EXCLUDED.name, count = EXCLUDED.count,
      percent = EXCLUDED.percent`;

const RESOLVE_SQL = `
  UPDATE troubles SET resolved_at = now()
  WHERE workspace_id = ANY($1) AND resolved_at IS NULL
    AND ((kind = ANY($2) AND last_at < now() - interval '${SETTLED}')
      OR (kind = ANY($3) AND last_at < now() - interval '${QUIET}'))`;

const QUEUE_OPENED_SQL = `
  INSERT INTO notifications (workspace_id, channel_id, trouble_id, what)
  SELECT channel.workspace_id, channel.id, trouble.id, 'opened'
  FROM troubles AS trouble JOIN channels AS channel ON channel.workspace_id = trouble.workspace_id
  WHERE trouble.workspace_id = ANY($1) AND trouble.resolved_at IS NULL AND channel.enabled
    AND trouble.kind = ANY(channel.kinds)
    AND (trouble.kind <> 'destination_failing' OR trouble.threshold = channel.failing_percent)
    -- a new channel hears of what is wrong now, and not of what happened before it
    AND (trouble.kind = ANY($2) OR trouble.last_at >= channel.created_at)
    AND (SELECT count(*) FROM notifications AS waiting
         WHERE waiting.workspace_id = channel.workspace_id AND waiting.channel_id = channel.id
           AND waiting.ended_at IS NULL) < ${WAITING_MAX}
  ORDER BY trouble.id, channel.id
  ON CONFLICT DO NOTHING`;

const DROP_UNTOLD_SQL = `
  DELETE FROM notifications USING troubles AS trouble
  WHERE trouble.id = trouble_id AND trouble.workspace_id = ANY($1) AND trouble.resolved_at IS NOT NULL
    AND trouble.kind = ANY($2) AND what = 'opened' AND attempts = 0 AND ended_at IS NULL`;

const QUEUE_RESOLVED_SQL = `
  INSERT INTO notifications (workspace_id, channel_id, trouble_id, what)
  SELECT opened.workspace_id, opened.channel_id, trouble.id, 'resolved'
  FROM troubles AS trouble JOIN notifications AS opened ON opened.trouble_id = trouble.id AND opened.what = 'opened'
  WHERE trouble.workspace_id = ANY($1) AND trouble.resolved_at > now() - interval '1 day' AND trouble.kind = ANY($2)
  ORDER BY trouble.id
  ON CONFLICT DO NOTHING`;

interface TroubleRow {
  id: string;
  kind: TroubleKind;
  resource_id: string;
  count: number | null;
  percent: number | null;
  opened_at: Date;
  last_at: Date;
  resolved_at: Date | null;
}

const troubleOf = (row: TroubleRow): Trouble => ({
  id: row.id,
  kind: row.kind,
  resourceId: row.resource_id,
  ...(row.count !== null && { count: row.count }),
  ...(row.percent !== null && { percent: row.percent }),
  openedAt: row.opened_at.toISOString(),
  lastAt: row.last_at.toISOString(),
  ...(row.resolved_at && { resolvedAt: row.resolved_at.toISOString() }),
});
