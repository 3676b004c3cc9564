import { Injectable } from '@nestjs/common';
import { Database } from '@weir/service-kit';

/** Longer than the retry window of any delivery. */
const KEPT_DAYS = 30;

/** The finished events of a batch, while others in the same message are unfinished. */
export interface PartProgress {
  batchId: string;
  /** Positions of events in the batch. */
  done: number[];
}

/** Remembers across restarts which events of unfinished messages are done, so that they are not delivered twice. */
@Injectable()
export class DeliveryProgress {
  constructor(private readonly database: Database) {}

  /** Adds to the saved progress, and takes nothing back: the statement of a former owner may come late. */
  async save(destinationId: string, parts: PartProgress[]): Promise<void> {
    if (parts.length === 0) return;
    await this.database.run(
      `INSERT INTO delivery_progress AS known (destination_id, batch_id, done)
       SELECT $1, "batchId", done FROM jsonb_to_recordset($2) AS part ("batchId" text, done integer[])
       ON CONFLICT (destination_id, batch_id) DO UPDATE
       SET done = ARRAY(SELECT DISTINCT unnest(known.done || EXCLUDED.done)), updated_at = now()`,
      [destinationId, JSON.stringify(parts)],
    );
  }

  async forget(destinationId: string, batchIds: string[]): Promise<void> {
    if (batchIds.length === 0) return;
    await this.database.run('DELETE FROM delivery_progress WHERE destination_id = $1 AND batch_id = ANY($2)', [
      destinationId,
      batchIds,
    ]);
  }

  /** Loads the progress that the previous owner saved, by batch. */
  async load(destinationId: string): Promise<Map<string, number[]>> {
    const { rows } = await this.database.run<{ batch_id: string; done: number[] }>(
      'SELECT batch_id, done FROM delivery_progress WHERE destination_id = $1',
      [destinationId],
    );
    return new Map(rows.map(({ batch_id, done }) => [batch_id, done]));
  }

  async removeOld(): Promise<void> {
    await this.database.run(`DELETE FROM delivery_progress WHERE updated_at < now() - $1 * interval '1 day'`, [
      KEPT_DAYS,
    ]);
  }
}
