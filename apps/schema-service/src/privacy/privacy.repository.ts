import { Injectable } from '@nestjs/common';
import type { SourcePrivacy } from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import { DataSource } from 'typeorm';

@Injectable()
export class PrivacyRepository {
  constructor(private readonly dataSource: DataSource) {}

  async get(writeKey: string): Promise<SourcePrivacy | undefined> {
    const [row] = await this.dataSource.query(
      `SELECT samples AS "Samples", masked_keys AS "MaskedKeys" FROM source_privacy WHERE write_key = $1`,
      [writeKey],
    );
    return row;
  }

  async put(writeKey: string, { Samples, MaskedKeys }: SourcePrivacy): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO source_privacy (write_key, samples, masked_keys) VALUES ($1, $2, $3)
       ON CONFLICT (write_key) DO UPDATE SET samples = excluded.samples, masked_keys = excluded.masked_keys, updated_at = now()`,
      [writeKey, Samples, MaskedKeys],
    );
  }

  /** Ids of up to `limit` models of the source behind `after`, in order. */
  async models(writeKey: string, after: string, limit: number): Promise<string[]> {
    const rows: { event_id: string }[] = await this.dataSource.query(
      `SELECT event_id FROM models WHERE write_key = $1 AND event_id > $2 ORDER BY event_id LIMIT $3`,
      [writeKey, after, limit],
    );
    return rows.map(({ event_id }) => event_id);
  }

  /** Waits for a flush that has the model's lock, because that may still add. */
  async forgetStatistics(sql: Sql, eventId: string): Promise<void> {
    await sql.query(`SELECT FROM models WHERE event_id = $1 FOR UPDATE`, [eventId]);
    await sql.query(`DELETE FROM statistics WHERE event_id = $1`, [eventId]);
    await sql.query(`DELETE FROM statistics_parts WHERE event_id = $1`, [eventId]);
    await sql.query(`UPDATE models SET pending_parts = 0 WHERE event_id = $1`, [eventId]);
  }
}
