import { Injectable } from '@nestjs/common';
import { chunksOf } from '@weir/contracts';
import { removeRows } from '@weir/messaging';
import { Database } from '@weir/service-kit';

/** Longer than the retry window of any delivery. */
const KEPT_DAYS = 30;
/** Batches of one statement. At this size the round trip is negligible. */
const BATCHES_AT_ONCE_MAX = 1_000;

/** A batch for one destination. */
export interface BatchKey {
  destinationId: string;
  batchId: string;
}

/** The finished events of a batch, while others in the same message are unfinished. */
export interface BatchProgress extends BatchKey {
  /** Positions of events in the batch. */
  done: number[];
}

/** The changes of one feed since they were stored last. */
export interface ProgressChanges {
  done: readonly BatchProgress[];
  /** Batches whose progress nobody needs any more. */
  forgotten: readonly BatchKey[];
  /** Learns that they are stored. */
  stored(): void;
}

/** Remembers across restarts which events of unfinished messages are done, so that they are not delivered twice. */
@Injectable()
export class DeliveryProgress {
  constructor(private readonly database: Database) {}

  /** Stores the changes of all these feeds together, because each statement costs more than what it changes. */
  async store(changes: readonly ProgressChanges[]): Promise<void> {
    const bounds = { itemsMax: BATCHES_AT_ONCE_MAX };
    const forgotten = changes.flatMap((one) => one.forgotten);
    for (const chunk of chunksOf(forgotten, bounds)) await this.forget(chunk);
    const done = changes.flatMap((one) => one.done);
    for (const chunk of chunksOf(done, bounds)) await this.save(chunk);
    for (const one of changes) one.stored();
  }

  /**
   * Adds to the saved progress, and takes nothing back: the statement of a former owner may come late. Two messages may keep the same
   * batch, and one statement cannot meet a row twice.
   */
  async save(batches: readonly BatchProgress[]): Promise<void> {
    await this.database.run(
      `INSERT INTO delivery_progress AS known (destination_id, batch_id, done)
       SELECT "destinationId", "batchId", array_agg(DISTINCT position)
       FROM jsonb_to_recordset($1) AS batch ("destinationId" text, "batchId" text, done integer[]), unnest(done) AS position
       GROUP BY 1, 2 ORDER BY 1, 2
       ON CONFLICT (destination_id, batch_id) DO UPDATE
       SET done = ARRAY(SELECT DISTINCT unnest(known.done || EXCLUDED.done)), updated_at = now()`,
      [JSON.stringify(batches)],
    );
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
    await removeRows(this.database, 'delivery_progress', `updated_at < now() - $1 * interval '1 day'`, [KEPT_DAYS]);
  }

  private async forget(batches: readonly BatchKey[]): Promise<void> {
    await this.database.run(
      `DELETE FROM delivery_progress AS known USING unnest($1::text[], $2::text[]) AS gone (destination_id, batch_id)
       WHERE known.destination_id = gone.destination_id AND known.batch_id = gone.batch_id`,
      [batches.map(({ destinationId }) => destinationId), batches.map(({ batchId }) => batchId)],
    );
  }
}
