import { Injectable } from '@nestjs/common';
import type { AuditAct, ValidationOutput } from '@weir/contracts';
import { recordAct } from '@weir/service-kit';
import type { Scope, WriteScope } from '../database/workspace-database.js';
import { type Artifact, LIBRARY, TRANSFORMATION } from './artifact.js';
import type { Candidates, CodeNode, LibraryNode, Published } from './nodes.js';
import { RevisionStore } from './revision.store.js';
import { TrialRepository } from './trial.repository.js';

/** Who publishes, whether earlier revisions, and the commit that the code is from. */
export interface Publication {
  by: string;
  isRollback?: boolean;
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

  /**
   * Points at the candidates. A revision that is live already keeps its time and author. Restores deleted objects. The tests tell
   * the runtime of all code that they ran, also of live code whose libraries change.
   */
  async publish(
    tx: WriteScope,
    candidates: Candidates,
    tested: ValidationOutput,
    publication: Publication,
  ): Promise<void> {
    await this.trials.follow(tx, candidates.transformations);
    await publishArtifacts(tx, TRANSFORMATION, candidates.transformations, publication);
    await publishArtifacts(tx, LIBRARY, candidates.libraries, publication);
    await noteRuntimes(tx, tested.transformations);
    await recordAct(tx, publication.by, actOf(candidates, publication));
  }
}

async function publishArtifacts(
  tx: WriteScope,
  artifact: Artifact,
  nodes: readonly CodeNode[],
  { by, commitId }: Publication,
): Promise<void> {
  if (nodes.length === 0) return;
  const named = [nodes.map(({ id }) => id), nodes.map(({ versionId }) => versionId)];
  await tx.sql.run(pointSql(artifact), [tx.workspaceId, ...named, by, tx.at]);
  await tx.sql.run(NOTE_SQL, [tx.workspaceId, ...named, by, tx.at, artifact.type, commitId ?? null]);
}

async function noteRuntimes(tx: WriteScope, tested: ValidationOutput['transformations']): Promise<void> {
  if (tested.length === 0) return;
  const columns = [
    tested.map(({ id }) => id),
    tested.map(({ versionId }) => versionId),
    tested.map(({ runtime }) => runtime ?? null),
    tested.map(({ runtimeReason }) => runtimeReason ?? null),
  ];
  await tx.sql.run(RUNTIME_SQL, [tx.workspaceId, ...columns]);
}

/** Equal places of the lists belong together. */
const actOf = (candidates: Candidates, publication: Publication): Pick<AuditAct, 'action' | 'details'> => ({
  action: publication.isRollback ? 'code.rolled_back' : 'code.published',
  details: {
    transformationIds: candidates.transformations.map(({ id }) => id),
    transformationVersionIds: candidates.transformations.map(({ versionId }) => versionId),
    libraryIds: candidates.libraries.map(({ id }) => id),
    libraryVersionIds: candidates.libraries.map(({ versionId }) => versionId),
    ...(publication.commitId !== undefined && { commitId: publication.commitId }),
  },
});

const RUNTIME_SQL = `
  UPDATE published_transformations live SET runtime = tested.runtime, runtime_reason = tested.reason
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS tested (id, version_id, runtime, reason)
  WHERE live.workspace_id = $1 AND live.transformation_id = tested.id AND live.version_id = tested.version_id`;

const pointSql = ({ table, published, key, pointed }: Artifact) => `
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
