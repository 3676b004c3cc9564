import { Injectable } from '@nestjs/common';
import { deleteInPieces, type Sql } from '@weir/messaging';

/**
 * Longer than a message can live between its first and its last hand-out to a collector: the broker hands out again within
 * seconds, and a stream that is restored or recreated by hand is younger than this.
 */
export const APPLIED_BATCHES_KEPT_DAYS = 14;

/** Which batches are part of the totals. */
@Injectable()
export class AppliedBatchesRepository {
  /**
   * Marks the batches as applied by this transaction and answers those that no other has. Waits for a transaction that is
   * applying one of them. Sorted, so that two flushes of the same batches do not deadlock.
   */
  async claim(sql: Sql, batchIds: readonly string[]): Promise<Set<string>> {
    const rows = await sql.query<{ batch_id: string }[]>(
      `INSERT INTO applied_batches (batch_id)
       SELECT DISTINCT batch_id FROM unnest($1::text[]) AS batch_id ORDER BY batch_id
       ON CONFLICT DO NOTHING RETURNING batch_id`,
      [batchIds],
    );
    return new Set(rows.map(({ batch_id }) => batch_id));
  }

  async prune(sql: Sql): Promise<void> {
    await deleteInPieces(
      sql,
      `DELETE FROM applied_batches WHERE batch_id IN (
         SELECT batch_id FROM applied_batches WHERE applied_at < now() - $1 * interval '1 day'
         LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [APPLIED_BATCHES_KEPT_DAYS],
    );
  }
}
