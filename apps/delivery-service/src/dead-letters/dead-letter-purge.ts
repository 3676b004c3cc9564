import { Injectable } from '@nestjs/common';
import { inPieces } from '@weir/messaging';
import { Database } from '@weir/service-kit';

/** An array of ids is looked up in the key of each day. To join the ids, PostgreSQL would read whole days. */
const PURGE_SQL = `
  DELETE FROM dead_letters WHERE id = ANY(ARRAY(
    SELECT id FROM dead_letters WHERE workspace_id = $1 AND match_keys && $2::text[] LIMIT $3 FOR UPDATE))`;

/** Removes the dead letters of deleted users. */
@Injectable()
export class DeadLetterPurge {
  constructor(private readonly database: Database) {}

  /** Removes the letters that carry any of these match keys. */
  async purge(workspaceId: string, identifiers: string[]): Promise<void> {
    await inPieces(this.database, PURGE_SQL, [workspaceId, identifiers]);
  }
}
