import { Injectable } from '@nestjs/common';
import type { DestinationRelease } from '@weir/contracts';
import type { Sql } from '@weir/messaging';
import type { Scope, WriteScope } from '../database/workspace-database.js';
import { OPEN_STATES_SQL } from '../revisions/trial.repository.js';

/** The code that runs for a destination. */
export interface LiveCode {
  transformationId: string | null;
  versionId: string | null;
  libraryVersionIds: readonly string[];
  /** True if its first events are to be counted. */
  onTrial: boolean;
}

/** A destination that is linked or once was. */
export interface DestinationState {
  destinationId: string;
  /** The published revision of the linked transformation. Missing without a link. */
  linked?: { transformationId: string; versionId: string; imports: readonly string[]; onTrial: boolean };
  /** The newest release. Missing for a destination that never had one. */
  released?: LiveCode;
}

export type NewRelease = LiveCode & { destinationId: string };

interface ReleaseRow {
  workspace_id: string;
  destination_id: string;
  transformation_id: string | null;
  version_id: string | null;
  library_version_ids: string[];
  on_trial: boolean;
  /** A bigint as text. */
  release: string;
}

interface StateRow {
  destination_id: string;
  transformation_id: string | null;
  version_id: string | null;
  imports: string[] | null;
  on_trial: boolean;
  released: string | null;
  released_transformation_id: string | null;
  released_version_id: string | null;
  released_library_version_ids: string[] | null;
  released_on_trial: boolean | null;
}

/** Held from numbering to commit, so that a number is assigned only when all smaller ones are visible. */
const NUMBERING_LOCK_SQL = `SELECT pg_advisory_xact_lock(hashtext('registry.releases'), 0)`;

const STATES_SQL = `
  SELECT coalesce(l.destination_id, d.destination_id) AS destination_id, l.transformation_id, r.version_id, r.imports,
    t.version_id IS NOT NULL AS on_trial, d.release AS released, d.transformation_id AS released_transformation_id, d.version_id AS released_version_id,
    d.library_version_ids AS released_library_version_ids, d.on_trial AS released_on_trial
  FROM (SELECT * FROM destination_links WHERE workspace_id = $1) l
  JOIN published_transformations p ON p.workspace_id = l.workspace_id AND p.transformation_id = l.transformation_id
  JOIN transformation_revisions r ON r.workspace_id = p.workspace_id AND r.version_id = p.version_id
  LEFT JOIN version_trials t
    ON t.workspace_id = r.workspace_id AND t.version_id = r.version_id AND t.state IN ${OPEN_STATES_SQL}
  FULL JOIN (SELECT * FROM destination_releases WHERE workspace_id = $1) d ON d.destination_id = l.destination_id
  ORDER BY 1`;

const WRITE_SQL = `
  WITH written AS (
    INSERT INTO destination_releases
      (workspace_id, destination_id, transformation_id, version_id, library_version_ids, on_trial, release)
    SELECT $1, "destinationId", "transformationId", "versionId", "libraryVersionIds", "onTrial", nextval('release_numbers')
    FROM jsonb_to_recordset($2) AS changed
      ("destinationId" text, "transformationId" text, "versionId" text, "libraryVersionIds" text[], "onTrial" boolean)
    ON CONFLICT (workspace_id, destination_id) DO UPDATE
    SET transformation_id = EXCLUDED.transformation_id, version_id = EXCLUDED.version_id,
      library_version_ids = EXCLUDED.library_version_ids, on_trial = EXCLUDED.on_trial, release = EXCLUDED.release
    RETURNING release
  )
  SELECT max(release) AS release FROM written`;

/** Stores the newest release of every destination. Nobody needs older ones. */
@Injectable()
export class DestinationReleaseRepository {
  /** Every destination of the workspace that is linked or ever was. */
  async states(scope: Scope): Promise<DestinationState[]> {
    return (await scope.sql.run<StateRow>(STATES_SQL, [scope.workspaceId])).rows.map(stateOf);
  }

  /** Call it last in a transaction, because writers of all workspaces wait here. Returns the highest number assigned. */
  async write(tx: WriteScope, changed: readonly NewRelease[]): Promise<number> {
    await tx.sql.run(NUMBERING_LOCK_SQL);
    const { rows } = await tx.sql.run<{ release: string }>(WRITE_SQL, [tx.workspaceId, JSON.stringify(changed)]);
    return Number(rows[0]?.release);
  }

  async find(scope: Scope, destinationId: string): Promise<DestinationRelease | undefined> {
    const { rows } = await scope.sql.run<ReleaseRow>(
      'SELECT * FROM destination_releases WHERE workspace_id = $1 AND destination_id = $2',
      [scope.workspaceId, destinationId],
    );
    return rows[0] && releaseOf(rows[0]);
  }

  /** Reads releases of all workspaces, because deliverers serve all of them. */
  async since(sql: Sql, after: number, limit: number): Promise<DestinationRelease[]> {
    const { rows } = await sql.run<ReleaseRow>(
      'SELECT * FROM destination_releases WHERE release > $1 ORDER BY release LIMIT $2',
      [after, limit],
    );
    return rows.map(releaseOf);
  }
}

const releaseOf = (row: ReleaseRow): DestinationRelease => ({
  workspaceId: row.workspace_id,
  destinationId: row.destination_id,
  transformationId: row.transformation_id,
  versionId: row.version_id,
  libraryVersionIds: row.library_version_ids,
  release: Number(row.release),
  ...(row.on_trial && { onTrial: true }),
});

function stateOf(row: StateRow): DestinationState {
  const { transformation_id: transformationId, version_id: versionId, imports, on_trial: onTrial } = row;
  return {
    destinationId: row.destination_id,
    ...(transformationId !== null &&
      versionId !== null && { linked: { transformationId, versionId, imports: imports ?? [], onTrial } }),
    ...(row.released !== null && {
      released: {
        transformationId: row.released_transformation_id,
        versionId: row.released_version_id,
        libraryVersionIds: row.released_library_version_ids ?? [],
        onTrial: row.released_on_trial ?? false,
      },
    }),
  };
}
