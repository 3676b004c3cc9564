import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { lockFences } from '../fence/fence.repository.js';

/** Longer than whoever asks tries (30 days): until then a purge that was done need not be done again. */
const KEPT_DAYS = 31;

export interface NewPurge {
  name: string;
  userKeys: readonly string[];
  /** Epochs of the filter's partitions. */
  fence: readonly number[];
}

/** How far a purge is. */
export interface Purge {
  name: string;
  /** Models up to here are purged. */
  modelPlace: string;
  letterPlace: number;
  done: boolean;
}

@Injectable()
export class PurgeRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Answers how far the purge is. Before the first model is looked at, every flush knows that the users are purged: those that
   * are under way are waited for, so that what they add is found.
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

  /** Two may walk at once: what one has behind it stays so. */
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
