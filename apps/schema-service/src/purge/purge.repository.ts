import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { lockFences } from '../fence/fence.repository.js';

/** Longer than callers keep trying (30 days), so that a finished purge need not run again. */
const KEPT_DAYS = 31;

export interface NewPurge {
  name: string;
  userKeys: readonly string[];
  /** Epochs of the filter, by partition. */
  fence: readonly number[];
}

/** Progress of a purge. */
export interface Purge {
  name: string;
  /** Models up to this id are purged. */
  modelPlace: string;
  letterPlace: number;
  done: boolean;
}

@Injectable()
export class PurgeRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Starts the purge, or returns its progress. Every flush knows about the purged users before the first model is looked at.
   * Waits for flushes under way, so that the purge finds what they add.
   */
  begin(purge: NewPurge): Promise<Purge> {
    return this.dataSource.transaction(async (sql) => {
      const known = await this.find(purge.name);
      if (known) return known;
      await lockFences(sql, 'to raise them');
      await sql.query(
        `INSERT INTO fences (partition, epoch)
         SELECT ordinal - 1, epoch FROM unnest($1::bigint[]) WITH ORDINALITY AS raised (epoch, ordinal)
         ON CONFLICT (partition) DO UPDATE SET epoch = greatest(fences.epoch, excluded.epoch)`,
        [purge.fence],
      );
      await sql.query(
        `INSERT INTO purged_users (user_key, purged_at)
         SELECT DISTINCT user_key, clock_timestamp() FROM unnest($1::text[]) AS user_key ORDER BY user_key
         ON CONFLICT (user_key) DO UPDATE SET purged_at = excluded.purged_at`,
        [purge.userKeys],
      );
      await sql.query(`INSERT INTO purges (name) VALUES ($1) ON CONFLICT DO NOTHING`, [purge.name]);
      await sql.query(
        `DELETE FROM purges WHERE name IN (
           SELECT name FROM purges WHERE begun_at < now() - $1 * interval '1 day' LIMIT 100 FOR UPDATE SKIP LOCKED)`,
        [KEPT_DAYS],
      );
      return { name: purge.name, modelPlace: FIRST_ID, letterPlace: 0, done: false };
    });
  }

  /** Two calls may walk at once, so the place only moves forward. */
  async keepModelPlace(name: string, place: string): Promise<void> {
    await this.dataSource.query(`UPDATE purges SET model_place = greatest(model_place, $2::uuid) WHERE name = $1`, [
      name,
      place,
    ]);
  }

  async keepLetterPlace(name: string, place: number): Promise<void> {
    await this.dataSource.query(`UPDATE purges SET letter_place = greatest(letter_place, $2::bigint) WHERE name = $1`, [
      name,
      place,
    ]);
  }

  async end(name: string): Promise<void> {
    await this.dataSource.query(`UPDATE purges SET done = true WHERE name = $1`, [name]);
  }

  private async find(name: string): Promise<Purge | undefined> {
    const [row] = await this.dataSource.query<Purge[]>(
      `SELECT name, model_place AS "modelPlace", letter_place::float8 AS "letterPlace", done FROM purges WHERE name = $1`,
      [name],
    );
    return row;
  }
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
