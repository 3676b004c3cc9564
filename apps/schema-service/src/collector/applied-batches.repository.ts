import { Injectable } from '@nestjs/common';
import { removeRows, type Sql } from '@weir/messaging';
import { REMEMBERED_DAYS } from '../aggregation/limits.js';

/** Records which batches are part of the totals. */
@Injectable()
export class AppliedBatchesRepository {
  /**
   * Marks the batches as applied by this transaction, and returns those that no other has applied. Waits for a transaction that
   * is applying one of them. Sorts the ids, so that two flushes of the same batches cannot deadlock.
   */
  async claim(sql: Sql, batchIds: readonly string[]): Promise<Set<string>> {
    const { rows } = await sql.run<{ batch_id: string }>(
      `INSERT INTO applied_batches (batch_id)
       SELECT DISTINCT batch_id FROM unnest($1::text[]) AS batch_id ORDER BY batch_id
       ON CONFLICT DO NOTHING RETURNING batch_id`,
      [batchIds],
    );
    return new Set(rows.map(({ batch_id }) => batch_id));
  }

  async prune(sql: Sql): Promise<void> {
    await removeRows(sql, 'applied_batches', `applied_at < now() - $1 * interval '1 day'`, [REMEMBERED_DAYS]);
  }
}
