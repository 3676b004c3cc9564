import { Injectable } from '@nestjs/common';
import { removeRows } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import type { ArchivePlace } from '../archive/segment-reader.js';
import { type Turn, Turns } from '../archive/turns.js';

/** Time after which another archiver goes on with the replay of one that died. Longer than any step. */
const HELD = '30 seconds';
/** How long ended replays are listed. */
const KEPT = '90 days';

/** A replay that this process works on for some seconds. */
export interface RangeTurn extends Turn {
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
  /** Segments that cannot be read. */
  unreadable: number;
}

/** Hands replays to archivers, the one that waits longest first, and keeps how far they are. */
@Injectable()
export class RangeTurnRepository {
  private readonly turns: Turns<RangeTurn>;

  constructor(private readonly database: Database) {
    this.turns = new Turns({
      database,
      table: 'range_replays',
      isOpen: `state = 'running'`,
      columns: COLUMNS,
      held: HELD,
    });
  }

  take(): Promise<RangeTurn | undefined> {
    return this.turns.take();
  }

  /** False also if the replay was paused or cancelled meanwhile. */
  keep(turn: RangeTurn, { place, events, bytes, suppressed, unreadable }: Step): Promise<boolean> {
    return this.turns.keep(turn, {
      set: `place = $1, events = events + $2, bytes = bytes + $3, suppressed = suppressed + $4, unreadable = unreadable + $5,
        problem = NULL`,
      values: [JSON.stringify(place), events, bytes, suppressed, unreadable],
    });
  }

  giveBack(turn: RangeTurn, pauseMs: number, problem?: string): Promise<void> {
    return this.turns.giveBack(turn, pauseMs, { set: 'problem = $1', values: [problem ?? null] });
  }

  /** With the unreadable segments behind the last step. */
  end(turn: RangeTurn, state: 'done' | 'failed' | 'paused', problem?: string, unreadable = 0): Promise<void> {
    return this.turns.end(turn, {
      set: `state = $1, problem = $2, ended_at = CASE WHEN $1 <> 'paused' THEN now() END, unreadable = unreadable + $3`,
      values: [state, problem ?? null, unreadable],
    });
  }

  async removeOld(): Promise<void> {
    await removeRows(this.database, 'range_replays', `ended_at < now() - interval '${KEPT}'`);
  }
}

const COLUMNS = `workspace_id AS "workspaceId", source_id AS "sourceId", destination_id AS "destinationId", from_time AS "from",
  to_time AS "to", dry_run AS "dryRun", events_per_second AS "eventsPerSecond", types, event_names AS names, place`;
