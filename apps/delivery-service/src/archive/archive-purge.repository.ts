import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DELIVERY_TIMEOUT_MS } from '@weir/contracts';
import { removeRows } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { type Turn, Turns } from './turns.js';

/** Time after which another archiver goes on with the purge of one that died. Longer than rewriting a segment takes. */
const HELD = '2 minutes';
/** How often waiting purges learn that the archivers get on. */
const TOLD = '30 seconds';
/** Pause of a purge that failed. */
const AGAIN_MS = 5_000;
/** Segments that were decided before a purge are stored by then: a write has this time to its end, and some for clocks. */
const WRITES_END_MS = DELIVERY_TIMEOUT_MS + 5_000;
/** A purge that nobody asks for any more is forgotten with its users. */
const KEPT = '14 days';

/** A purge that this process works on. */
export interface PurgeTurn extends Turn {
  workspaceId: string;
  /** Match keys of the users. */
  identifiers: string[];
  /** Every segment up to this name holds none of them any more. */
  after: string;
  /** Segments that cannot be read, and stay as they are. */
  unreadable: number;
}

/** How far a purge is. `isStuck` says that no archiver got on for a while, or that this purge keeps failing. */
export interface PurgeState {
  isDone: boolean;
  isStuck: boolean;
  unreadable: number;
}

/** Deletions of users that wait for the archive. */
@Injectable()
export class ArchivePurgeRepository {
  /** Shorter in tests. */
  writesEndMs = WRITES_END_MS;
  private readonly turns: Turns<PurgeTurn>;

  constructor(private readonly database: Database) {
    this.turns = new Turns({
      database,
      table: 'archive_purges',
      isOpen: 'done_at IS NULL',
      columns: 'workspace_id AS "workspaceId", identifiers, after_name AS after, unreadable',
      held: HELD,
    });
  }

  /**
   * Asks for a purge, unless it is under way already. Returns its name. Raise the fence before, so that only writes that are under way
   * now can still store an event of these users. The purge begins when they have ended.
   */
  async ask(workspaceId: string, identifiers: string[], purgeId?: string): Promise<string> {
    const id = nameOf(workspaceId, identifiers, purgeId);
    await this.database.run(
      `INSERT INTO archive_purges (id, workspace_id, identifiers, next_at)
       VALUES ($1, $2, $3, now() + $4 * interval '1 millisecond')
       ON CONFLICT (id) DO UPDATE SET asked_at = now()`,
      [id, workspaceId, identifiers, this.writesEndMs],
    );
    return id;
  }

  /** For an archive that was turned off meanwhile. No archiver would end the purge. */
  async forget(workspaceId: string, identifiers: string[], purgeId?: string): Promise<void> {
    await this.database.run('DELETE FROM archive_purges WHERE id = $1', [nameOf(workspaceId, identifiers, purgeId)]);
  }

  /** Forgets a purge that is done. If it is asked for again, it begins again, which does no harm. */
  async stateOf(id: string): Promise<PurgeState> {
    const { rows } = await this.database.run<PurgeState>(
      `SELECT done_at IS NOT NULL AS "isDone", progress_at < now() - interval '${HELD}' AS "isStuck", unreadable
       FROM archive_purges WHERE id = $1`,
      [id],
    );
    const [state = { isDone: false, isStuck: false, unreadable: 0 }] = rows;
    if (state.isDone) await this.database.run('DELETE FROM archive_purges WHERE id = $1', [id]);
    return state;
  }

  take(): Promise<PurgeTurn | undefined> {
    return this.turns.take();
  }

  async keep(turn: PurgeTurn, after: string): Promise<boolean> {
    const set = 'after_name = $1, unreadable = $2, progress_at = now(), is_failing = false';
    const isHeld = await this.turns.keep(turn, { set, values: [after, turn.unreadable] });
    await this.tellWaiting();
    return isHeld;
  }

  giveBack(turn: PurgeTurn): Promise<void> {
    return this.turns.giveBack(turn, 0);
  }

  fail(turn: PurgeTurn): Promise<void> {
    return this.turns.giveBack(turn, AGAIN_MS, { set: 'is_failing = true' });
  }

  async end(turn: PurgeTurn): Promise<void> {
    const set = `identifiers = '{}', unreadable = $1, done_at = now()`;
    await this.turns.end(turn, { set, values: [turn.unreadable] });
    await this.tellWaiting();
  }

  /** Purges that wait for their turn are not stuck while others get on. */
  private async tellWaiting(): Promise<void> {
    await this.database.run(
      `UPDATE archive_purges SET progress_at = now() WHERE id IN (
         SELECT id FROM archive_purges
         WHERE done_at IS NULL AND NOT is_failing AND progress_at < now() - interval '${TOLD}'
         FOR UPDATE SKIP LOCKED)`,
    );
  }

  async removeOld(): Promise<void> {
    await removeRows(this.database, 'archive_purges', `asked_at < now() - interval '${KEPT}'`);
  }
}

const nameOf = (workspaceId: string, identifiers: string[], purgeId = '') =>
  createHash('sha256')
    .update(JSON.stringify([workspaceId, purgeId, identifiers]))
    .digest('base64url');
