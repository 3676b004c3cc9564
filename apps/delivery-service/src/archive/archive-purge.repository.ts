import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '@weir/service-kit';

/** Time after which another archiver goes on with the purge of one that died. Longer than rewriting a segment takes. */
const HELD = '2 minutes';
/** A purge that nobody asks for any more is forgotten with its users. */
const KEPT = '14 days';

/** A purge that this process works on. */
export interface PurgeTurn {
  id: string;
  /** Names this turn. Another process that takes the purge over has another one. */
  turn: string;
  workspaceId: string;
  /** Match keys of the users. */
  identifiers: string[];
  /** Every segment up to this name holds none of them any more. */
  after: string;
}

/** How far a purge is. `isStuck` says that nobody has worked on it for a while. */
export interface PurgeState {
  isDone: boolean;
  isStuck: boolean;
}

/** Deletions of users that wait for the archive. */
@Injectable()
export class ArchivePurgeRepository {
  constructor(private readonly database: Database) {}

  /** Asks for a purge, unless it is asked for already. Returns its name. */
  async ask(workspaceId: string, identifiers: string[], purgeId = ''): Promise<string> {
    const id = createHash('sha256')
      .update(JSON.stringify([workspaceId, purgeId, identifiers]))
      .digest('base64url');
    await this.database.run(
      'INSERT INTO archive_purges (id, workspace_id, identifiers) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [id, workspaceId, identifiers],
    );
    return id;
  }

  /** Forgets a purge that is done. If it is asked for again, it begins again, which does no harm. */
  async stateOf(id: string): Promise<PurgeState> {
    const { rows } = await this.database.run<PurgeState>(
      `SELECT done_at IS NOT NULL AS "isDone", progress_at < now() - interval '${HELD}' AS "isStuck"
       FROM archive_purges WHERE id = $1`,
      [id],
    );
    const [state = { isDone: false, isStuck: false }] = rows;
    if (state.isDone) await this.database.run('DELETE FROM archive_purges WHERE id = $1', [id]);
    return state;
  }

  /** Takes a purge that is due. Undefined if there is none. */
  async take(): Promise<PurgeTurn | undefined> {
    const { rows } = await this.database.run<PurgeTurn>(TAKE_SQL, [randomUUID()]);
    return rows[0];
  }

  /** False if another process has taken it over. */
  async keep({ id, turn }: PurgeTurn, after: string): Promise<boolean> {
    const { count } = await this.database.run(
      `UPDATE archive_purges SET after_name = $3, progress_at = now(), next_at = now() + interval '${HELD}'
       WHERE id = $1 AND turn = $2`,
      [id, turn, after],
    );
    return count > 0;
  }

  async end({ id, turn }: PurgeTurn): Promise<void> {
    await this.database.run(
      `UPDATE archive_purges SET identifiers = '{}', done_at = now() WHERE id = $1 AND turn = $2`,
      [id, turn],
    );
  }

  /** Somebody may go on after the pause. */
  async giveBack({ id, turn }: PurgeTurn, pauseMs: number): Promise<void> {
    await this.database.run(
      `UPDATE archive_purges SET turn = NULL, next_at = now() + $3 * interval '1 millisecond' WHERE id = $1 AND turn = $2`,
      [id, turn, pauseMs],
    );
  }

  async removeOld(): Promise<void> {
    await this.database.run(`DELETE FROM archive_purges WHERE done_at < now() - interval '${KEPT}'`);
  }
}

const TAKE_SQL = `
  UPDATE archive_purges SET turn = $1, next_at = now() + interval '${HELD}'
  WHERE id = (
    SELECT id FROM archive_purges WHERE done_at IS NULL AND next_at <= now() ORDER BY next_at, id
    LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id, turn, workspace_id AS "workspaceId", identifiers, after_name AS after`;
