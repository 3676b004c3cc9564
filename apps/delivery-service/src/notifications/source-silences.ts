import { Injectable } from '@nestjs/common';
import { Database } from '@weir/service-kit';

/** The known silences of a source. */
export interface SourceSilence {
  sourceId: string;
  workspaceId: string;
  watchedSince: Date;
  /** Intake of its last event. */
  lastSeen: Date;
  /** The longest silence in seconds, by the day on which it ended. */
  longest: Record<string, number>;
}

type Activity = Pick<SourceSilence, 'workspaceId' | 'sourceId' | 'lastSeen'>;

interface Row {
  source_id: string;
  workspace_id: string;
  watched_since: Date;
  last_seen: Date;
  longest: Record<string, number>;
}

/** Remembers how long sources are usually silent. */
@Injectable()
export class SourceSilences {
  constructor(private readonly database: Database) {}

  /** Notes the last events of sources. Returns those that have been silent for longer than usual. */
  async look(active: readonly Activity[], now = new Date()): Promise<Set<string>> {
    const known = await this.known(active.map(({ sourceId }) => sourceId));
    const silences = active.map((one) => {
      const before = known.get(one.sourceId);
      return before ? afterLook(before, one.lastSeen, now) : { ...one, watchedSince: now, longest: {} };
    });
    await this.keep(silences.filter((silence) => known.get(silence.sourceId) !== silence));
    return new Set(silences.filter((silence) => isSilent(silence, now)).map(({ sourceId }) => sourceId));
  }

  private async known(sourceIds: string[]): Promise<Map<string, SourceSilence>> {
    const { rows } = await this.database.run<Row>('SELECT * FROM source_silences WHERE source_id = ANY($1)', [
      sourceIds,
    ]);
    return new Map(rows.map((row) => [row.source_id, silenceOf(row)]));
  }

  private async keep(silences: readonly SourceSilence[]): Promise<void> {
    if (silences.length === 0) return;
    await this.database.run(
      `INSERT INTO source_silences (source_id, workspace_id, watched_since, last_seen, longest)
       SELECT "sourceId", "workspaceId", "watchedSince", "lastSeen", longest
       FROM jsonb_to_recordset($1) AS silence ("sourceId" text, "workspaceId" text, "watchedSince" timestamptz,
         "lastSeen" timestamptz, longest jsonb)
       ORDER BY 1
       ON CONFLICT (source_id) DO UPDATE SET last_seen = EXCLUDED.last_seen, longest = EXCLUDED.longest`,
      [JSON.stringify(silences)],
    );
  }
}

const silenceOf = (row: Row): SourceSilence => ({
  sourceId: row.source_id,
  workspaceId: row.workspace_id,
  watchedSince: row.watched_since,
  lastSeen: row.last_seen,
  longest: row.longest,
});

/** Days that say what is usual. Two weeks hold two weekends. */
const DAYS_KEPT = 14;
/** Before this, nobody knows what is usual. */
const DAYS_WATCHED_MIN = 3;
/** A silence counts beyond this multiple of the longest usual one. */
const BEYOND_USUAL = 1.5;
/** Shorter silences are nothing to wake somebody for. */
const SILENCE_SECONDS_MIN = 3_600;
const DAY_MS = 86_400_000;

/** The source after a look found its last event at `lastSeen`. Pure. */
export function afterLook(before: SourceSilence, lastSeen: Date, now: Date): SourceSilence {
  if (lastSeen <= before.lastSeen) return before;
  const day = lastSeen.toISOString().slice(0, 10);
  const seconds = Math.round((lastSeen.getTime() - before.lastSeen.getTime()) / 1_000);
  const oldest = new Date(now.getTime() - DAYS_KEPT * DAY_MS).toISOString().slice(0, 10);
  const kept = Object.entries(before.longest).filter(([each]) => each >= oldest);
  const longest = { ...Object.fromEntries(kept), [day]: Math.max(seconds, before.longest[day] ?? 0) };
  return { ...before, lastSeen, longest };
}

/** Whether the source has been silent for longer than usual. Pure. */
export function isSilent({ watchedSince, lastSeen, longest }: SourceSilence, now: Date): boolean {
  if (now.getTime() - watchedSince.getTime() < DAYS_WATCHED_MIN * DAY_MS) return false;
  const usual = Math.max(0, ...Object.values(longest)) * BEYOND_USUAL;
  return (now.getTime() - lastSeen.getTime()) / 1_000 > Math.max(SILENCE_SECONDS_MIN, usual);
}
