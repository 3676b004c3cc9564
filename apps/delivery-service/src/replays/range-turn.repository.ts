import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '@weir/service-kit';
import type { ArchivePlace } from '../archive/segment-reader.js';

/** Time after which another archiver goes on with the replay of one that died. Longer than any step. */
const HELD = '30 seconds';
/** How long ended replays are listed. */
const KEPT = '90 days';

/** A replay that this process works on for some seconds. */
export interface RangeTurn {
  id: string;
  /** Names this turn. Another process that takes the replay over has another one. */
  turn: string;
  workspaceId: string;
  sourceId: string;
  destinationId: string;
  from: Date;
  to: Date;
  dryRun: boolean;
  eventsPerSecond: number;
  types: string[] | null;
  names: string[] | null;
  place: ArchivePlace | null;
}

/** Outcome of a step. */
export interface Step {
  place: ArchivePlace;
  events: number;
  bytes: number;
  suppressed: number;
}

/** Hands replays to archivers, the one that waits longest first, and keeps how far they are. */
@Injectable()
export class RangeTurnRepository {
  constructor(private readonly database: Database) {}

  /** Undefined if none is due. */
  async take(): Promise<RangeTurn | undefined> {
    const { rows } = await this.database.run<RangeTurn>(TAKE_SQL, [randomUUID()]);
    return rows[0];
  }

  /** False if the replay was paused, cancelled or taken over meanwhile. Then this turn is over. Only who took it over repeats the step. */
  async keep({ id, turn }: RangeTurn, { place, events, bytes, suppressed }: Step): Promise<boolean> {
    const { rows } = await this.database.run<{ state: string }>(
      `UPDATE range_replays SET place = $3, events = events + $4, bytes = bytes + $5, suppressed = suppressed + $6,
         problem = NULL, next_at = now() + interval '${HELD}'
       WHERE id = $1 AND turn = $2 RETURNING state`,
      [id, turn, JSON.stringify(place), events, bytes, suppressed],
    );
    return rows[0]?.state === 'running';
  }

  /** The next turn begins after the pause. */
  async giveBack({ id, turn }: RangeTurn, pauseMs: number, problem?: string): Promise<void> {
    await this.database.run(
      `UPDATE range_replays SET turn = NULL, next_at = now() + $3 * interval '1 millisecond', problem = $4
       WHERE id = $1 AND turn = $2 AND state = 'running'`,
      [id, turn, Math.round(pauseMs), problem ?? null],
    );
  }

  async end({ id, turn }: RangeTurn, state: 'done' | 'failed' | 'paused', problem?: string): Promise<void> {
    await this.database.run(
      `UPDATE range_replays SET turn = NULL, state = $3, problem = $4, ended_at = CASE WHEN $3 <> 'paused' THEN now() END
       WHERE id = $1 AND turn = $2 AND state = 'running'`,
      [id, turn, state, problem ?? null],
    );
  }

  async removeOld(): Promise<void> {
    await this.database.run(`DELETE FROM range_replays WHERE ended_at < now() - interval '${KEPT}'`);
  }
}

const TAKE_SQL = `
  UPDATE range_replays SET turn = $1, next_at = now() + interval '${HELD}'
  WHERE id = (
    SELECT id FROM range_replays WHERE state = 'running' AND next_at <= now() ORDER BY next_at, id
    LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id, turn, workspace_id AS "workspaceId", source_id AS "sourceId", destination_id AS "destinationId",
    from_time AS "from", to_time AS "to", dry_run AS "dryRun", events_per_second AS "eventsPerSecond", types,
    event_names AS names, place`;
