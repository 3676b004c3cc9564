import { Injectable } from '@nestjs/common';
import type { Sql } from '@weir/messaging';
import type { DriftNotice } from './drift.js';

/** Notices are kept for 90 days, and at most KEPT_OF_A_MODEL per model. */
const KEPT_DAYS = 90;
const KEPT_OF_A_MODEL = 500;
/** A key has vanished if its model's events went on without it for this long. */
export const VANISHED_AFTER_HOURS = 24;
/** Only keys that at least one in this many events had can vanish, because rare keys come and go. */
const VANISHED_ONE_IN = 10;

/** Notices about schema changes. */
@Injectable()
export class DriftRepository {
  async add(sql: Sql, notices: readonly DriftNotice[]): Promise<void> {
    if (notices.length === 0) return;
    await sql.query(
      `INSERT INTO drift_notices (event_id, kind, version_id, keys, types_before, types_after, noticed_at)
       SELECT event_id, kind, version_id, ARRAY(SELECT jsonb_array_elements_text(keys::jsonb)), before, after, at
       FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
         AS notice (event_id, kind, version_id, keys, before, after, at)`,
      [
        notices.map(({ eventId }) => eventId),
        notices.map(({ kind }) => kind),
        notices.map(({ versionId }) => versionId),
        notices.map(({ keys }) => JSON.stringify(keys)),
        notices.map(({ typesBefore }) => typesBefore),
        notices.map(({ typesAfter }) => typesAfter),
        notices.map(({ at }) => at),
      ],
    );
  }

  /** Models after `after` with a version that none of their latest events had. Only those can have lost a key. */
  async suspects(sql: Sql, after: string, limit: number): Promise<string[]> {
    const rows = await sql.query<{ event_id: string }[]>(
      `SELECT event_id FROM models WHERE event_id > $1 AND EXISTS (
         SELECT FROM versions
         WHERE versions.event_id = models.event_id AND versions.last_seen < models.last_seen - $2 * interval '1 hour')
       ORDER BY event_id LIMIT $3`,
      [after, VANISHED_AFTER_HOURS, limit],
    );
    return rows.map(({ event_id }) => event_id);
  }

  /** Notes each vanished key, once until it returns. */
  async noteVanished(sql: Sql, eventIds: readonly string[]): Promise<void> {
    await sql.query(
      `INSERT INTO drift_notices (event_id, kind, keys, types_before, noticed_at)
       SELECT event_id, 'vanished_key', ARRAY[key], models.schema ->> key, models.last_seen
       FROM (
         SELECT event_id, key, max(last_seen) AS key_seen, sum(total_count) AS events
         FROM versions, jsonb_object_keys(schema) AS key WHERE event_id = ANY($1::uuid[]) GROUP BY event_id, key
       ) AS keys JOIN models USING (event_id)
       WHERE key_seen < models.last_seen - $2 * interval '1 hour' AND events * $3 >= total_count
         AND length(key) <= 256
         AND NOT EXISTS (
           SELECT FROM drift_notices AS known WHERE known.event_id = models.event_id
             AND kind = 'vanished_key' AND known.keys = ARRAY[key] AND known.noticed_at > key_seen)
       ORDER BY event_id, key`,
      [eventIds, VANISHED_AFTER_HOURS, VANISHED_ONE_IN],
    );
  }

  async prune(sql: Sql): Promise<void> {
    await sql.query(
      `DELETE FROM drift_notices USING (
         SELECT id, row_number() OVER (PARTITION BY event_id ORDER BY id DESC) AS place FROM drift_notices
       ) AS ranked
       WHERE ranked.id = drift_notices.id AND (place > $1 OR noticed_at < now() - $2 * interval '1 day')`,
      [KEPT_OF_A_MODEL, KEPT_DAYS],
    );
  }
}
