import { Injectable } from '@nestjs/common';
import type { ChannelType, QuietHours, TroubleKind } from '@weir/contracts';
import { Database } from '@weir/service-kit';
import type { ShownTrouble } from './trouble.js';

/** Time after which a message of a process that died is sent again. Longer than any attempt. */
const CLAIMED = '1 minute';
/** Messages of a channel in an hour. More would annoy the owner of the address. */
const HOUR_MAX = 30;
/** Attempts per message, over about a day. */
const ATTEMPTS_MAX = 56;
const BACKOFF_FIRST_SECONDS = 5;
const BACKOFF_MAX_SECONDS = 1_800;
/** Messages of a workspace that are sent at once. A slow address holds up its own workspace. */
export const WORKSPACE_SENDS_MAX = 2;

/** A message with the channel that it goes through. */
export interface Notification {
  id: string;
  workspaceId: string;
  channelId: string;
  what: 'opened' | 'resolved' | 'test';
  type: ChannelType;
  quietHours: QuietHours | null;
  sealedSettings: string;
  createdAt: Date;
  /** Missing for a test. */
  trouble?: ShownTrouble & { id: string; openedAt: Date; resolvedAt: Date | null };
}

/** Channels and workspaces that take no more messages for now. */
export interface Busy {
  /** Channels with a message under way that is no test. */
  channels: string[];
  /** Channels with a test under way. */
  testedChannels: string[];
  workspaces: string[];
}

/**
 * Messages on their way. A message is sent at least once, in the order of its channel. Whoever tests a channel waits for the answer, so
 * tests wait for no other message and have an hourly limit of their own.
 */
@Injectable()
export class NotificationRepository {
  constructor(private readonly database: Database) {}

  /** Takes due messages, the oldest of each channel. Skips channels and workspaces that are busy. */
  async claim(limit: number, { channels, testedChannels, workspaces }: Busy): Promise<Notification[]> {
    const { rows } = await this.database.run<Row>(CLAIM_SQL, [limit, channels, testedChannels, workspaces]);
    return rows.map(notificationOf);
  }

  async sent(id: string): Promise<void> {
    await this.database.run(
      'UPDATE notifications SET sent_at = now(), ended_at = now(), last_error = NULL WHERE id = $1',
      [id],
    );
  }

  async failed(id: string, error: string): Promise<void> {
    await this.database.run(
      `UPDATE notifications SET last_error = $2,
         due_at = now() + least(${BACKOFF_MAX_SECONDS}, ${BACKOFF_FIRST_SECONDS} * 2 ^ least(attempts, 20)) * interval '1 second',
         ended_at = CASE WHEN attempts >= ${ATTEMPTS_MAX} THEN now() END
       WHERE id = $1`,
      [id, error],
    );
  }

  /** Puts an unsent message back until the quiet hours are over. */
  async putOff(id: string, until: Date): Promise<void> {
    await this.database.run('UPDATE notifications SET due_at = $2, attempts = attempts - 1 WHERE id = $1', [id, until]);
  }
}

const CLAIM_SQL = `
  WITH due AS (
    SELECT head.id, row_number() OVER (PARTITION BY head.workspace_id ORDER BY head.what <> 'test', head.id) AS place
    FROM notifications AS head
    JOIN channels AS channel ON channel.workspace_id = head.workspace_id AND channel.id = head.channel_id
    WHERE head.ended_at IS NULL AND head.due_at <= now() AND (channel.enabled OR head.what = 'test')
      AND NOT head.channel_id = ANY(CASE WHEN head.what = 'test' THEN $3::text[] ELSE $2::text[] END)
      AND NOT head.workspace_id = ANY($4)
      AND NOT EXISTS (
        SELECT FROM notifications AS earlier
        WHERE earlier.workspace_id = head.workspace_id AND earlier.channel_id = head.channel_id
          AND earlier.id < head.id AND earlier.ended_at IS NULL AND (earlier.what = 'test') = (head.what = 'test'))
      AND (SELECT count(*) FROM notifications AS recent
           WHERE recent.workspace_id = head.workspace_id AND recent.channel_id = head.channel_id
             AND recent.sent_at > now() - interval '1 hour' AND (recent.what = 'test') = (head.what = 'test')) < ${HOUR_MAX}
  ), claimed AS (
    UPDATE notifications SET attempts = attempts + 1, due_at = now() + interval '${CLAIMED}'
    WHERE id IN (
      SELECT id FROM notifications WHERE id IN (SELECT id FROM due WHERE place <= ${WORKSPACE_SENDS_MAX})
        AND due_at <= now() AND ended_at IS NULL ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
    RETURNING *
  )
  SELECT claimed.id, claimed.workspace_id, claimed.channel_id, claimed.what, claimed.created_at,
    channel.type, channel.quiet_hours, channel.sealed_settings,
    trouble.id AS trouble_id, trouble.kind, trouble.resource_id, trouble.name, trouble.count, trouble.percent,
    trouble.opened_at, trouble.resolved_at
  FROM claimed
  JOIN channels AS channel ON channel.workspace_id = claimed.workspace_id AND channel.id = claimed.channel_id
  LEFT JOIN troubles AS trouble ON trouble.id = claimed.trouble_id
  ORDER BY claimed.id`;

interface Row {
  id: string;
  workspace_id: string;
  channel_id: string;
  what: Notification['what'];
  created_at: Date;
  type: ChannelType;
  quiet_hours: QuietHours | null;
  sealed_settings: string;
  trouble_id: string | null;
  kind: TroubleKind;
  resource_id: string;
  name: string | null;
  count: number | null;
  percent: number | null;
  opened_at: Date;
  resolved_at: Date | null;
}

const notificationOf = (row: Row): Notification => ({
  id: row.id,
  workspaceId: row.workspace_id,
  channelId: row.channel_id,
  what: row.what,
  type: row.type,
  quietHours: row.quiet_hours,
  sealedSettings: row.sealed_settings,
  createdAt: row.created_at,
  ...(row.trouble_id !== null && { trouble: troubleOf(row, row.trouble_id) }),
});

const troubleOf = (row: Row, id: string): NonNullable<Notification['trouble']> => ({
  ...{ id, kind: row.kind, resourceId: row.resource_id, name: row.name, count: row.count, percent: row.percent },
  ...{ openedAt: row.opened_at, resolvedAt: row.resolved_at },
});
