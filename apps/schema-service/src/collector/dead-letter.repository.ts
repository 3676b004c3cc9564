import { Injectable } from '@nestjs/common';
import { deleteInPieces, type Sql } from '@weir/messaging';

const KEPT_DAYS = 30;

/** A message that can never be counted, and why. */
export interface DeadLetter {
  subject: string;
  sequence: number;
  reason: string;
  /** JSON text; missing when the message is not JSON. */
  body?: string | undefined;
}

@Injectable()
export class DeadLetterRepository {
  async add(sql: Sql, { subject, sequence, reason, body }: DeadLetter): Promise<void> {
    await sql.query(`INSERT INTO dead_letters (subject, sequence, reason, body) VALUES ($1, $2, $3, $4)`, [
      subject,
      sequence,
      reason,
      body ?? null,
    ]);
  }

  async prune(sql: Sql): Promise<void> {
    await deleteInPieces(
      sql,
      `DELETE FROM dead_letters WHERE id IN (
         SELECT id FROM dead_letters WHERE created_at < now() - $1 * interval '1 day' LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [KEPT_DAYS],
    );
  }
}
