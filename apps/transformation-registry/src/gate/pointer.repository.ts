import { Injectable } from '@nestjs/common';
import type { Scope, WriteScope } from '../database/workspace-database.js';
import { LIBRARY } from '../libraries/library.kind.js';
import type { AnyKind } from '../revisions/kind.js';
import { RevisionStore } from '../revisions/revision.store.js';
import { TRANSFORMATION } from '../transformations/transformation.kind.js';
import { TrialRepository } from '../trials/trial.repository.js';
import type { Candidates, CodeNode, LibraryNode, Published } from './nodes.js';

/** Who publishes, and the commit that the code is from. */
export interface Publication {
  by: string;
  commitId?: string | undefined;
}

/** Moves and reads the published pointers, and records every publish. */
@Injectable()
export class PointerRepository {
  constructor(
    private readonly store: RevisionStore,
    private readonly trials: TrialRepository,
  ) {}

  /** Everything that is live, without code. */
  async published(scope: Scope): Promise<Published> {
    return {
      transformations: await this.store.live(TRANSFORMATION, scope),
      libraries: await this.publishedLibraries(scope),
    };
  }

  publishedLibraries(scope: Scope): Promise<LibraryNode[]> {
    return this.store.live(LIBRARY, scope);
  }

  /** Points at the candidates. A revision that is live already keeps its time and author. Restores deleted objects. */
  async publish(tx: WriteScope, candidates: Candidates, publication: Publication): Promise<void> {
    await this.trials.follow(tx, candidates.transformations);
    await publishKind(tx, TRANSFORMATION, candidates.transformations, publication);
    await publishKind(tx, LIBRARY, candidates.libraries, publication);
  }
}

async function publishKind(
  tx: WriteScope,
  kind: AnyKind,
  nodes: readonly CodeNode[],
  { by, commitId }: Publication,
): Promise<void> {
  if (nodes.length === 0) return;
  const named = [nodes.map(({ id }) => id), nodes.map(({ versionId }) => versionId)];
  await tx.sql.query(pointSql(kind), [tx.workspaceId, ...named, by, tx.at]);
  await tx.sql.query(NOTE_SQL, [tx.workspaceId, ...named, by, tx.at, kind.what, commitId ?? null]);
}

const pointSql = ({ table, published, key, pointed }: AnyKind) => `
  WITH restored AS (
    UPDATE ${table} SET deleted_at = NULL WHERE workspace_id = $1 AND id = ANY($2) AND deleted_at IS NOT NULL
  )
  INSERT INTO ${published} AS live
    (${['workspace_id', key, 'version_id', 'published_by', 'published_at', ...pointed]})
  SELECT ${['$1', 'e.id', 'named.version_id', '$4', '$5', ...pointed.map((column: string) => `e.${column}`)]}
  FROM unnest($2::text[], $3::text[]) AS named (id, version_id)
  JOIN ${table} e ON e.workspace_id = $1 AND e.id = named.id
  ON CONFLICT (workspace_id, ${key}) DO UPDATE
  SET version_id = EXCLUDED.version_id, published_by = EXCLUDED.published_by, published_at = EXCLUDED.published_at
  WHERE live.version_id <> EXCLUDED.version_id`;

const NOTE_SQL = `
  INSERT INTO publications (workspace_id, kind, object_id, version_id, published_by, published_at, commit_id)
  SELECT $1, $6, id, version_id, $4, $5, $7 FROM unnest($2::text[], $3::text[]) AS named (id, version_id)`;
