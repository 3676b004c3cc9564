import { Injectable } from '@nestjs/common';
import type { Sql } from '@weir/messaging';

export interface DeadLetterBody {
  id: number;
  body: string;
}

@Injectable()
export class PurgeRepository {
  /** Ids of up to `limit` models of the workspace behind `after`, in order. */
  async models(workspaceId: string, sql: Sql, after: string, limit: number): Promise<string[]> {
    const rows = await sql.query<{ event_id: string }[]>(
      `SELECT event_id FROM models WHERE workspace_id = $1 AND event_id > $2 ORDER BY event_id LIMIT $3`,
      [workspaceId, after, limit],
    );
    return rows.map(({ event_id }) => event_id);
  }

  /** The lock that every flush takes before it writes anything of the model. */
  async lock(workspaceId: string, sql: Sql, eventId: string): Promise<void> {
    await sql.query(`SELECT FROM models WHERE workspace_id = $1 AND event_id = $2 FOR UPDATE`, [workspaceId, eventId]);
  }

  /** Up to `limit` letters of the workspace, or of nobody knows whom, behind `after`. The subject names the workspace. */
  async deadLetters(workspaceId: string, sql: Sql, after: number, limit: number): Promise<DeadLetterBody[]> {
    return sql.query<DeadLetterBody[]>(
      `SELECT id::float8 AS id, body FROM dead_letters
       WHERE id > $2 AND body IS NOT NULL AND split_part(subject, '.', 4) = $1 ORDER BY id LIMIT $3`,
      [workspaceId, after, limit],
    );
  }

  async blank(sql: Sql, ids: readonly number[]): Promise<void> {
    await sql.query(`UPDATE dead_letters SET body = NULL WHERE id = ANY($1::bigint[])`, [ids]);
  }
}
