import { Injectable } from '@nestjs/common';
import type { ObjectStatus } from '@weir/contracts';
import { IsNull } from 'typeorm';
import type { Scope, WriteScope } from '../database/workspace-database.js';
import type { LibraryEntity, TransformationRevisionEntity } from './artifact.entity.js';
import type { Artifact, NodeRow, RevisionRow, Shape } from './artifact.js';
import type { CodeNode } from './nodes.js';
import { ORDERS, PAGE_ITEMS_MAX, type Slice } from './paging.js';

export interface NewObject {
  id: string;
  language: string;
  externalId: string | null;
  createdBy: string;
  /** Columns that only libraries have. */
  columns?: Pick<LibraryEntity, 'name' | 'importName'>;
}

export interface NewRevision {
  id: string;
  versionId: string;
  description: string;
  code: string;
  imports: string[];
  createdBy: string;
  /** Columns that only revisions of transformations have. */
  columns?: Pick<TransformationRevisionEntity, 'name'>;
}

/** A revision that a request names, with its language. */
export type Named<N extends CodeNode> = N & { language: string };

/** Stores objects, revisions and published pointers of either artifact. */
@Injectable()
export class RevisionStore {
  async insert({ entities }: Artifact, { sql, workspaceId, at }: WriteScope, object: NewObject): Promise<void> {
    const { columns, ...shared } = object;
    await sql.getRepository(entities.object).insert({ workspaceId, createdAt: at, ...shared, ...columns });
  }

  async addRevision(
    { entities }: Artifact,
    { sql, workspaceId, at }: WriteScope,
    revision: NewRevision,
  ): Promise<void> {
    const { id: objectId, columns, ...shared } = revision;
    await sql.getRepository(entities.revision).insert({ workspaceId, objectId, createdAt: at, ...shared, ...columns });
  }

  /** Objects, oldest first. Returns one more than a page if there are more. */
  list<S extends Shape>(
    artifact: Artifact<S>,
    scope: Scope,
    status: ObjectStatus,
    afterPosition: string,
  ): Promise<S['row'][]> {
    const sql = `${selectOf(artifact)} AND ${isOf[status](artifact)} AND e.position > $2 ORDER BY e.position LIMIT $3`;
    return all(scope, sql, [afterPosition, PAGE_ITEMS_MAX + 1]);
  }

  find<S extends Shape>(
    artifact: Artifact<S>,
    scope: Scope,
    status: ObjectStatus,
    id: string,
  ): Promise<S['row'] | undefined> {
    return first(scope, `${selectOf(artifact)} AND e.id = $2 AND ${isOf[status](artifact)}`, [id]);
  }

  /** The oldest object that shows this name and is not deleted: the live revision's, or that of a draft. */
  findNamed<S extends Shape>(artifact: Artifact<S>, scope: Scope, name: string): Promise<S['row'] | undefined> {
    const isNamed = `${artifact.naming[0]} = $2 AND ${isOf.all(artifact)}`;
    return first(scope, `${selectOf(artifact)} AND ${isNamed} ORDER BY e.position LIMIT 1`, [name]);
  }

  findLive<S extends Shape>(artifact: Artifact<S>, scope: Scope, id: string): Promise<S['row'] | undefined> {
    return this.find(artifact, scope, 'published', id);
  }

  /** The newest revision of an object that is not deleted. */
  findLatest<S extends Shape>(artifact: Artifact<S>, scope: Scope, id: string): Promise<S['row'] | undefined> {
    const sql = `${selectOf(artifact)} AND e.id = $2 AND e.deleted_at IS NULL ORDER BY r.position DESC LIMIT 1`;
    return first(scope, sql, [id]);
  }

  /** Whether a revision newer than the live one was live before. A rollback has then replaced it. */
  async isRolledBack({ published, revisions, key }: Artifact, scope: Scope, id: string): Promise<boolean> {
    const sql = `SELECT 1 FROM ${published} p
      JOIN ${revisions} live ON live.workspace_id = p.workspace_id AND live.version_id = p.version_id
      JOIN ${revisions} newer ON newer.workspace_id = p.workspace_id AND newer.${key} = p.${key} AND newer.position > live.position
      JOIN publications c ON c.workspace_id = newer.workspace_id AND c.version_id = newer.version_id
      WHERE p.workspace_id = $1 AND p.${key} = $2 LIMIT 1`;
    return (await first(scope, sql, [id])) !== undefined;
  }

  /** Includes deleted objects. */
  findRevision<S extends Shape>(
    artifact: Artifact<S>,
    scope: Scope,
    id: string,
    versionId: string,
  ): Promise<S['row'] | undefined> {
    return first(scope, `${selectOf(artifact)} AND e.id = $2 AND r.version_id = $3`, [id, versionId]);
  }

  /** Includes deleted objects. */
  listRevisions<S extends Shape>(artifact: Artifact<S>, scope: Scope, id: string, slice: Slice): Promise<S['row'][]> {
    const { order, after, limit } = slice;
    const sql = `${selectOf(artifact)} AND e.id = $2 AND r.position ${ORDERS[order].compare} $3
      ORDER BY r.position ${order} LIMIT $4`;
    return all(scope, sql, [id, after, limit]);
  }

  /** Includes deleted objects. */
  exists({ entities }: Artifact, { sql, workspaceId }: Scope, id: string): Promise<boolean> {
    return sql.getRepository(entities.object).existsBy({ workspaceId, id });
  }

  /** Revisions by version id, including those of deleted objects. Missing ids are left out. */
  async named<S extends Shape>(
    artifact: Artifact<S>,
    scope: Scope,
    versionIds: readonly string[],
  ): Promise<Map<string, Named<S['node']>>> {
    const sql = `SELECT ${nodeColumns(artifact)}
      FROM ${artifact.revisions} r JOIN ${artifact.table} e ON e.workspace_id = r.workspace_id AND e.id = r.${artifact.key}
      WHERE r.workspace_id = $1 AND r.version_id = ANY($2)`;
    const rows = await all<NodeRow & Omit<S['row'], keyof RevisionRow>>(scope, sql, [versionIds]);
    return new Map(rows.map((row) => [row.version_id, { ...artifact.node(row), language: row.language }]));
  }

  /** Everything that is live, without its code, in order of creation. */
  async live<S extends Shape>(artifact: Artifact<S>, scope: Scope): Promise<S['node'][]> {
    const sql = `SELECT ${nodeColumns(artifact)}
      FROM ${artifact.published} p
      JOIN ${artifact.table} e ON e.workspace_id = p.workspace_id AND e.id = p.${artifact.key}
      JOIN ${artifact.revisions} r ON r.workspace_id = p.workspace_id AND r.version_id = p.version_id
      WHERE p.workspace_id = $1 ORDER BY e.position`;
    const rows = await all<NodeRow & Omit<S['row'], keyof RevisionRow>>(scope, sql, []);
    return rows.map((row) => artifact.node(row));
  }

  /** Everything that refers to the object must be removed first. */
  async unpublish({ entities }: Artifact, { sql, workspaceId, at }: WriteScope, id: string): Promise<void> {
    await sql.getRepository(entities.published).delete({ workspaceId, objectId: id });
    await sql.getRepository(entities.object).update({ workspaceId, id }, { deletedAt: at });
  }

  /** False if the object does not exist or was deleted. */
  async setExternalId({ entities }: Artifact, tx: WriteScope, id: string, externalId: string | null): Promise<boolean> {
    const where = { workspaceId: tx.workspaceId, id, deletedAt: IsNull() };
    return (await tx.sql.getRepository(entities.object).update(where, { externalId })).affected === 1;
  }
}

const IS_LIVE = 'p.version_id = r.version_id';
const isDraft = ({ revisions, key }: Artifact) => `e.deleted_at IS NULL AND p.version_id IS NULL AND r.position = (
  SELECT max(newest.position) FROM ${revisions} newest WHERE newest.workspace_id = r.workspace_id AND newest.${key} = r.${key}
)`;

/** Conditions on {@link selectOf} that select one revision of each object with the status. */
const isOf: Record<ObjectStatus, (artifact: Artifact) => string> = {
  published: () => IS_LIVE,
  draft: isDraft,
  all: (artifact) => `(${IS_LIVE} OR (${isDraft(artifact)}))`,
};

const nodeColumns = ({ naming }: Artifact) =>
  ['e.id', 'r.version_id', 'e.language', 'r.imports', 'e.external_id', ...naming].join();

const commitOf = (versionId: 'r.version_id' | 'p.version_id') => `(
      SELECT c.commit_id FROM publications c
      WHERE c.workspace_id = r.workspace_id AND c.version_id = ${versionId} AND c.commit_id IS NOT NULL
      ORDER BY c.position DESC LIMIT 1
    )`;

const selectOf = ({ table, revisions, published, key, naming, columns }: Artifact) => `
  SELECT e.id, r.version_id, e.workspace_id, ${naming.join()}, r.description, r.code, e.language, r.imports, e.external_id,
    e.created_by, e.created_at, r.created_by AS revised_by, r.created_at AS revised_at,
    e.position, r.position AS revision_position, p.version_id AS live_version_id, p.published_at AS live_at,
    (
      SELECT latest.version_id FROM ${revisions} latest
      WHERE latest.workspace_id = r.workspace_id AND latest.${key} = r.${key} ORDER BY latest.position DESC LIMIT 1
    ) AS latest_version_id,
    ${commitOf('p.version_id')} AS live_commit_id, ${commitOf('r.version_id')} AS ${['commit_id', ...columns].join()}
  FROM ${revisions} r
  JOIN ${table} e ON e.workspace_id = r.workspace_id AND e.id = r.${key}
  LEFT JOIN ${published} p ON p.workspace_id = r.workspace_id AND p.${key} = r.${key}
  WHERE r.workspace_id = $1`;

async function all<Row>({ sql, workspaceId }: Scope, text: string, parameters: unknown[]): Promise<Row[]> {
  return (await sql.run<Row>(text, [workspaceId, ...parameters])).rows;
}

async function first<Row>(scope: Scope, text: string, parameters: unknown[]): Promise<Row | undefined> {
  return (await all<Row>(scope, text, parameters))[0];
}
