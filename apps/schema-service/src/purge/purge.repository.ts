import { Injectable } from '@nestjs/common';
import { AppError } from '@weir/contracts';
import { Database } from '@weir/service-kit';
import { lockFences } from './fence.repository.js';

/** Longer than callers keep trying (30 days), so that a finished purge need not run again. */
const KEPT_DAYS = 31;

/** Models that a purge comes back to. If more fail, the reason is none of theirs, and the walk waits where it is. */
const FAILED_MAX = 1_000;

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
  modelPosition: string;
  letterPosition: number;
  done: boolean;
}

@Injectable()
export class PurgeRepository {
  constructor(private readonly dataSource: Database) {}

  /**
   * Starts the purge, or returns its progress. Every flush knows about the purged users before the first model is looked at.
   * Waits for flushes under way, so that the purge finds what they add.
   */
  begin(purge: NewPurge): Promise<Purge> {
    return this.dataSource.transaction(async (sql) => {
      const known = await this.find(purge.name);
      if (known) return known;
      await lockFences(sql, 'to raise them');
      await sql.run(
        `INSERT INTO fences (partition, epoch)
         SELECT ordinal - 1, epoch FROM unnest($1::bigint[]) WITH ORDINALITY AS raised (epoch, ordinal)
         ON CONFLICT (partition) DO UPDATE SET epoch = greatest(fences.epoch, excluded.epoch)`,
        [purge.fence],
      );
      await sql.run(
        `INSERT INTO purged_users (user_key, purged_at)
         SELECT user_key, clock_timestamp() FROM (SELECT DISTINCT unnest($1::text[]) AS user_key) AS purged ORDER BY user_key
         ON CONFLICT (user_key) DO UPDATE SET purged_at = excluded.purged_at`,
        [purge.userKeys],
      );
      await sql.run(`INSERT INTO purges (name) VALUES ($1) ON CONFLICT DO NOTHING`, [purge.name]);
      await sql.run(
        `DELETE FROM purges WHERE name IN (
           SELECT name FROM purges WHERE begun_at < now() - $1 * interval '1 day' LIMIT 100 FOR UPDATE SKIP LOCKED)`,
        [KEPT_DAYS],
      );
      return { name: purge.name, modelPosition: FIRST_ID, letterPosition: 0, done: false };
    });
  }

  /** Two calls may walk at once, so the position only moves forward. The models that failed are kept, to come back to. */
  async keepModelPosition(name: string, position: string, failed: readonly string[]): Promise<void> {
    const { count } = await this.dataSource.run(
      `UPDATE purges SET model_place = greatest(model_place, $2::uuid), failed_models = failed_models || $3::uuid[]
       WHERE name = $1 AND ($3::uuid[] = '{}' OR cardinality(failed_models || $3::uuid[]) <= $4)`,
      [name, position, failed, FAILED_MAX],
    );
    if (count === 0) throw new AppError('internal', `more than ${FAILED_MAX} event models cannot be cleaned now`);
  }

  /** In any order, so that one that takes the time of a call each time does not always come first. */
  async failedModels(name: string): Promise<string[]> {
    const { rows } = await this.dataSource.run<{ eventId: string }>(
      `SELECT id AS "eventId" FROM purges, unnest(failed_models) AS id WHERE name = $1 GROUP BY id ORDER BY random()`,
      [name],
    );
    return rows.map(({ eventId }) => eventId);
  }

  async forgetFailed(name: string, purged: readonly string[]): Promise<void> {
    await this.dataSource.run(
      `UPDATE purges SET failed_models = ARRAY(SELECT id FROM unnest(failed_models) AS id WHERE id <> ALL($2::uuid[]))
       WHERE name = $1`,
      [name, purged],
    );
  }

  async keepLetterPosition(name: string, position: number): Promise<void> {
    await this.dataSource.run(`UPDATE purges SET letter_place = greatest(letter_place, $2::bigint) WHERE name = $1`, [
      name,
      position,
    ]);
  }

  /** Ends a purge with no failed model, because another call may have failed at one. */
  async end(name: string): Promise<void> {
    await this.dataSource.run(`UPDATE purges SET done = true WHERE name = $1 AND failed_models = '{}'`, [name]);
  }

  private async find(name: string): Promise<Purge | undefined> {
    const {
      rows: [row],
    } = await this.dataSource.run<Purge>(
      `SELECT name, model_place AS "modelPosition", letter_place::float8 AS "letterPosition", done FROM purges WHERE name = $1`,
      [name],
    );
    return row;
  }
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
