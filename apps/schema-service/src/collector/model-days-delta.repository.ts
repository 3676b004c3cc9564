import { Injectable } from '@nestjs/common';
import { MODEL_DAYS_MAX } from '@weir/contracts';
import { deleteInPieces, type Sql } from '@weir/messaging';
import type { ModelDelta } from '../aggregation/aggregator.js';

/** Adds to the events of models by day. */
@Injectable()
export class ModelDaysDeltaRepository {
  /** The transaction has locked the models, so two flushes never write the same rows at once. */
  async add(sql: Sql, deltas: readonly ModelDelta[]): Promise<void> {
    const rows = deltas.flatMap(({ eventId, days }) => [...days].map(([day, events]) => ({ eventId, day, events })));
    await sql.run(
      `INSERT INTO model_days (event_id, day, events)
       SELECT * FROM unnest($1::uuid[], $2::date[], $3::bigint[])
       ON CONFLICT (event_id, day) DO UPDATE SET events = model_days.events + EXCLUDED.events`,
      [rows.map(({ eventId }) => eventId), rows.map(({ day }) => day), rows.map(({ events }) => events)],
    );
  }

  async prune(sql: Sql): Promise<void> {
    await deleteInPieces(
      sql,
      `DELETE FROM model_days WHERE (event_id, day) IN (
         SELECT event_id, day FROM model_days WHERE day <= (now() AT TIME ZONE 'UTC')::date - $1::int
         LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [MODEL_DAYS_MAX],
    );
  }
}
