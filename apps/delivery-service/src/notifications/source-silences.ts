import { Injectable } from '@nestjs/common';
import { Database } from '@weir/service-kit';
import { afterLook, isSilent, type SourceSilence } from './source-silence.js';

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
