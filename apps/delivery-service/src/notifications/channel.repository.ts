import { Injectable } from '@nestjs/common';
import {
  AppError,
  CHANNELS_MAX,
  notFound,
  type PutChannel,
  type QuietHours,
  type RequestOf,
  type ResealChannel,
  type StoredChannel,
  type TroubleKind,
} from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import { Database, recordAct } from '@weir/service-kit';

type Put = RequestOf<typeof PutChannel>;

/** Channels of workspaces. Each change is noted for the audit trail in its transaction. */
@Injectable()
export class ChannelRepository {
  constructor(private readonly database: Database) {}

  async list(workspaceId: string): Promise<StoredChannel[]> {
    const { rows } = await this.database.run<Row>(`${SELECT_SQL} ORDER BY channel.created_at, channel.id`, [
      workspaceId,
      null,
    ]);
    return rows.map(channelOf);
  }

  put(channel: Put): Promise<StoredChannel> {
    const { workspaceId, id, isNew, by } = channel;
    return this.database.transaction(async (sql) => {
      await lock(sql, workspaceId);
      if (isNew) await refuseWhenFull(sql, workspaceId);
      const { count } = await sql.run(isNew ? INSERT_SQL : UPDATE_SQL, valuesOf(channel));
      if (count === 0) throw notFound('channel');
      await sql.run(TRY_AGAIN_SQL, [workspaceId, id]);
      await recordAct({ sql, workspaceId }, by, {
        action: `channel.${isNew ? 'created' : 'updated'}`,
        details: { id },
      });
      const { rows } = await sql.run<Row>(SELECT_SQL, [workspaceId, id]);
      return rows.map(channelOf)[0] as StoredChannel;
    });
  }

  /** The same settings under another key, unless they have changed since. */
  async reseal({ workspaceId, id, from, to }: RequestOf<typeof ResealChannel>): Promise<void> {
    const sql = `UPDATE channels SET sealed_settings = $4 WHERE workspace_id = $1 AND id = $2 AND sealed_settings = $3`;
    await this.database.run(sql, [workspaceId, id, from, to]);
  }

  remove(workspaceId: string, id: string, by: string | undefined): Promise<void> {
    return this.database.transaction(async (sql) => {
      const { count } = await sql.run('DELETE FROM channels WHERE workspace_id = $1 AND id = $2', [workspaceId, id]);
      if (count === 0) throw notFound('channel');
      await recordAct({ sql, workspaceId }, by, { action: 'channel.deleted', details: { id } });
    });
  }

  /** Queues a test message and returns its id. */
  test(workspaceId: string, id: string): Promise<string> {
    return this.database.transaction(async (sql) => {
      await lock(sql, workspaceId);
      const { rows } = await sql.run<{ id: string; is_testing: boolean }>(
        `SELECT id, EXISTS (
           SELECT FROM notifications WHERE workspace_id = $1 AND channel_id = $2 AND what = 'test'
             AND (ended_at IS NULL OR ended_at > now() - interval '${TEST_PAUSE}')
         ) AS is_testing FROM channels WHERE workspace_id = $1 AND id = $2`,
        [workspaceId, id],
      );
      if (!rows[0]) throw notFound('channel');
      if (rows[0].is_testing) throw new AppError('conflict', TESTING);
      const sent = await sql.run<{ id: string }>(
        `INSERT INTO notifications (workspace_id, channel_id, what) VALUES ($1, $2, 'test') RETURNING id`,
        [workspaceId, id],
      );
      return `msg_${sent.rows[0]?.id}`;
    });
  }
}

/** Between two tests of a channel, so that nobody floods a stranger's address with them. */
const TEST_PAUSE = '10 seconds';
const TESTING = 'A test of this channel is on its way: look at its `health`, and wait ten seconds between tests';

const lock = (sql: Sql, workspaceId: string) =>
  sql.run(`SELECT pg_advisory_xact_lock(hashtext('delivery.channels'), hashtext($1))`, [workspaceId]);

async function refuseWhenFull(sql: Sql, workspaceId: string): Promise<void> {
  const { rows } = await sql.run<{ count: number }>(
    'SELECT count(*)::int AS count FROM channels WHERE workspace_id = $1',
    [workspaceId],
  );
  if ((rows[0]?.count ?? 0) < CHANNELS_MAX) return;
  throw new AppError('conflict', `A workspace has at most ${CHANNELS_MAX} channels: delete one first`);
}

const valuesOf = (channel: Put) => [
  ...[channel.workspaceId, channel.id, channel.type, channel.name, channel.enabled, channel.kinds],
  ...[channel.failingPercent, channel.quietHours && JSON.stringify(channel.quietHours), channel.sealedSettings],
];
const INSERT_SQL = `
  INSERT INTO channels (workspace_id, id, type, name, enabled, kinds, failing_percent, quiet_hours, sealed_settings)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
const UPDATE_SQL = `
  UPDATE channels SET name = $4, enabled = $5, kinds = $6, failing_percent = $7, quiet_hours = $8,
    sealed_settings = $9, updated_at = now()
  WHERE workspace_id = $1 AND id = $2 AND type = $3`;
/** Messages that wait because of the earlier settings need not wait any more: another address may work, and the quiet hours may have ended. */
const TRY_AGAIN_SQL = `
  UPDATE notifications SET due_at = now()
  WHERE workspace_id = $1 AND channel_id = $2 AND ended_at IS NULL AND due_at > now()`;
const SELECT_SQL = `
  SELECT channel.*, health.* FROM channels AS channel
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE ended_at IS NULL)::int AS waiting, max(sent_at) AS last_sent_at,
      (array_agg(last_error ORDER BY id DESC) FILTER (WHERE attempts > 0))[1] AS last_error
    FROM notifications WHERE workspace_id = channel.workspace_id AND channel_id = channel.id
  ) AS health
  WHERE channel.workspace_id = $1 AND ($2::text IS NULL OR channel.id = $2)`;

interface Row {
  id: string;
  type: StoredChannel['type'];
  name: string;
  enabled: boolean;
  kinds: TroubleKind[];
  failing_percent: number;
  quiet_hours: QuietHours | null;
  sealed_settings: string;
  created_at: Date;
  updated_at: Date;
  waiting: number;
  last_sent_at: Date | null;
  last_error: string | null;
}

const channelOf = (row: Row): StoredChannel => ({
  ...{ id: row.id, type: row.type, name: row.name, enabled: row.enabled, kinds: row.kinds },
  ...{ failingPercent: row.failing_percent, quietHours: row.quiet_hours, sealedSettings: row.sealed_settings },
  ...{ createdAt: row.created_at.toISOString(), updatedAt: row.updated_at.toISOString() },
  health: {
    waiting: row.waiting,
    ...(row.last_sent_at && { lastSentAt: row.last_sent_at.toISOString() }),
    ...(row.last_error !== null && { lastError: row.last_error }),
  },
});
