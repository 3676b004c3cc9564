import { Injectable } from '@nestjs/common';
import { removeRows, type Sql, type SqlDatabase } from '@weir/messaging';
import { lockFences, readFences } from '../purge/fence.repository.js';

const KEPT_DAYS = 30;

/** A message that can never be counted, and the reason. */
export interface UnreadableMessage {
  subject: string;
  sequence: number;
  /** Epoch of the filter that let it pass. */
  epoch: number;
  reason: string;
  /** JSON text. Missing if the message is not JSON. */
  body?: string | undefined;
}

@Injectable()
export class UnreadableRepository {
  /** A late message loses its body, because it may hold a purged user and that purge does not run again. */
  add(database: SqlDatabase, { subject, sequence, epoch, reason, body }: UnreadableMessage): Promise<void> {
    return database.transaction(async (sql) => {
      await lockFences(sql, 'to read them');
      const partition = Number(subject.split('.')[2]);
      const isLate = epoch < ((await readFences(sql)).get(partition) ?? 0);
      await sql.run(`INSERT INTO dead_letters (subject, sequence, reason, body) VALUES ($1, $2, $3, $4)`, [
        subject,
        sequence,
        reason,
        isLate ? null : (body ?? null),
      ]);
    });
  }

  async prune(sql: Sql): Promise<void> {
    await removeRows(sql, 'dead_letters', `created_at < now() - $1 * interval '1 day'`, [KEPT_DAYS]);
  }
}
