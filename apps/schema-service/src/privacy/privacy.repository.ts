import { Injectable } from '@nestjs/common';
import type { SourcePrivacy } from '@weir/contracts';
import { DataSource } from 'typeorm';

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Models emptied in one transaction, which locks them briefly. */
const MODELS_AT_ONCE = 500;

/** A source's privacy settings, and how far the removal of its data has come. */
export interface Settings extends SourcePrivacy {
  /** Models after this id still have to be emptied. Null if none has to. */
  forgottenUpTo: string | null;
}

@Injectable()
export class PrivacyRepository {
  constructor(private readonly dataSource: DataSource) {}

  async get(writeKey: string): Promise<Settings | undefined> {
    const [row] = await this.dataSource.query(
      `SELECT samples AS "Samples", masked_keys AS "MaskedKeys", forgotten_up_to AS "forgottenUpTo"
       FROM source_privacy WHERE write_key = $1`,
      [writeKey],
    );
    return row;
  }

  /** Flushes obey the new settings from now on. Data that exists already still has to be removed. */
  async put(writeKey: string, { Samples, MaskedKeys }: SourcePrivacy): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO source_privacy (write_key, samples, masked_keys, forgotten_up_to)
       VALUES ($1, $2, $3, CASE WHEN $2 = 'off' THEN $4::uuid END)
       ON CONFLICT (write_key) DO UPDATE SET samples = excluded.samples, masked_keys = excluded.masked_keys, updated_at = now(),
         forgotten_up_to = coalesce(excluded.forgotten_up_to, source_privacy.forgotten_up_to)`,
      [writeKey, Samples, MaskedKeys, FIRST_ID],
    );
  }

  /** Sources that still have data to remove. */
  async forgetting(): Promise<string[]> {
    const rows = await this.dataSource.query<{ write_key: string }[]>(
      `SELECT write_key FROM source_privacy WHERE forgotten_up_to IS NOT NULL ORDER BY write_key LIMIT 100`,
    );
    return rows.map(({ write_key }) => write_key);
  }

  /**
   * Empties the next models of the source, and returns whether there may be more. Waits for flushes that hold their locks,
   * because those may still add data.
   */
  forgetSome(writeKey: string): Promise<boolean> {
    return this.dataSource.transaction(async (sql) => {
      const [row] = await sql.query<{ after: string | null }[]>(
        `SELECT forgotten_up_to AS after FROM source_privacy WHERE write_key = $1 FOR UPDATE`,
        [writeKey],
      );
      if (!row?.after) return false;
      const models = await sql.query<{ event_id: string }[]>(
        `SELECT event_id FROM models WHERE write_key = $1 AND event_id > $2 ORDER BY event_id LIMIT $3 FOR UPDATE`,
        [writeKey, row.after, MODELS_AT_ONCE],
      );
      const ids = models.map(({ event_id }) => event_id);
      await sql.query(`DELETE FROM statistics WHERE event_id = ANY($1::uuid[])`, [ids]);
      await sql.query(`DELETE FROM statistics_parts WHERE event_id = ANY($1::uuid[])`, [ids]);
      await sql.query(`UPDATE models SET pending_parts = 0 WHERE event_id = ANY($1::uuid[]) AND pending_parts > 0`, [
        ids,
      ]);
      const place = ids.length < MODELS_AT_ONCE ? null : ids.at(-1);
      await sql.query(`UPDATE source_privacy SET forgotten_up_to = $2 WHERE write_key = $1`, [writeKey, place]);
      return place !== null;
    });
  }
}
