import { Injectable } from '@nestjs/common';
import type { Scope, WriteScope } from '../database/workspace-database.js';
import { ORDERS, type Slice } from '../paging/order.js';
import { PAGE_ITEMS_MAX } from '../paging/page.js';
import type { AnyKind, NodeOf, NodeRow, RowOf } from './kind.js';

/** Columns that only one kind has. */
type Columns = Readonly<Record<string, unknown>>;

export interface NewObject {
  id: string;
  language: string;
  externalId: string | null;
  createdBy: string;
  columns: Columns;
}

export interface NewRevision {
  id: string;
  versionId: string;
  description: string;
  code: string;
  imports: readonly string[];
  createdBy: string;
  columns: Columns;
}

/** A revision that a request names, with its language. */
export type Named<K extends AnyKind> = NodeOf<K> & { language: string };

/** Stores objects, revisions and published pointers of either kind. */
@Injectable()
export class RevisionStore {
  async insert(kind: AnyKind, tx: WriteScope, object: NewObject): Promise<void> {
    const { id, language, externalId, createdBy, columns } = object;
    const row = { id, language, external_id: externalId, created_by: createdBy, created_at: tx.at, ...columns };
    await insertRow(tx, kind.table, row);
  }

  async addRevision(kind: AnyKind, tx: WriteScope, revision: NewRevision): Promise<void> {
    const { id, versionId, description, code, imports, createdBy, columns } = revision;
    const row = { version_id: versionId, [kind.key]: id, description, code, imports, created_by: createdBy };
    await insertRow(tx, kind.revisions, { ...row, created_at: tx.at, ...columns });
  }

  /** Live objects, oldest first. Returns one more than a page if there are more. */
  listLive<K extends AnyKind>(kind: K, scope: Scope, afterPosition: string): Promise<RowOf<K>[]> {
    const sql = `${selectOf(kind)} AND p.version_id = r.version_id AND e.position > $2 ORDER BY e.position LIMIT $3`;
    return scope.sql.query(sql, [scope.workspaceId, afterPosition, PAGE_ITEMS_MAX + 1]);
  }

  findLive<K extends AnyKind>(kind: K, scope: Scope, id: string): Promise<RowOf<K> | undefined> {
    return first(scope, `${selectOf(kind)} AND e.id = $2 AND p.version_id = r.version_id`, [id]);
  }

  /** The newest revision of an object that is not deleted. */
  findLatest<K extends AnyKind>(kind: K, scope: Scope, id: string): Promise<RowOf<K> | undefined> {
    const sql = `${selectOf(kind)} AND e.id = $2 AND e.deleted_at IS NULL ORDER BY r.position DESC LIMIT 1`;
    return first(scope, sql, [id]);
  }

  /** Whether a revision newer than the live one was live before. A rollback has then replaced it. */
  async isRolledBack({ published, revisions, key }: AnyKind, scope: Scope, id: string): Promise<boolean> {
    const sql = `SELECT 1 FROM ${published} p
      JOIN ${revisions} live ON live.workspace_id = p.workspace_id AND live.version_id = p.version_id
      JOIN ${revisions} newer ON newer.workspace_id = p.workspace_id AND newer.${key} = p.${key} AND newer.position > live.position
      JOIN publications c ON c.workspace_id = newer.workspace_id AND c.version_id = newer.version_id
      WHERE p.workspace_id = $1 AND p.${key} = $2 LIMIT 1`;
    return (await first(scope, sql, [id])) !== undefined;
  }

  /** Includes deleted objects. */
  findRevision<K extends AnyKind>(kind: K, scope: Scope, id: string, versionId: string): Promise<RowOf<K> | undefined> {
    return first(scope, `${selectOf(kind)} AND e.id = $2 AND r.version_id = $3`, [id, versionId]);
  }

  /** Includes deleted objects. */
  listRevisions<K extends AnyKind>(kind: K, scope: Scope, id: string, slice: Slice): Promise<RowOf<K>[]> {
    const { order, after, limit } = slice;
    const sql = `${selectOf(kind)} AND e.id = $2 AND r.position ${ORDERS[order].compare} $3
      ORDER BY r.position ${order} LIMIT $4`;
    return scope.sql.query(sql, [scope.workspaceId, id, after, limit]);
  }

  /** Includes deleted objects. */
  async exists({ table }: AnyKind, scope: Scope, id: string): Promise<boolean> {
    return (await first(scope, `SELECT 1 FROM ${table} WHERE workspace_id = $1 AND id = $2`, [id])) !== undefined;
  }

  /** Revisions by version id, including those of deleted objects. Missing ids are left out. */
  async named<K extends AnyKind>(kind: K, scope: Scope, versionIds: readonly string[]): Promise<Map<string, Named<K>>> {
    const sql = `SELECT ${nodeColumns(kind)}
      FROM ${kind.revisions} r JOIN ${kind.table} e ON e.workspace_id = r.workspace_id AND e.id = r.${kind.key}
      WHERE r.workspace_id = $1 AND r.version_id = ANY($2)`;
    const rows = await scope.sql.query<NodeRow[]>(sql, [scope.workspaceId, versionIds]);
    return new Map(rows.map((row) => [row.version_id, { ...kind.node(row), language: row.language }]));
  }

  /** Everything that is live, without its code, in order of creation. */
  async live<K extends AnyKind>(kind: K, scope: Scope): Promise<NodeOf<K>[]> {
    const sql = `SELECT ${nodeColumns(kind)}
      FROM ${kind.published} p
      JOIN ${kind.table} e ON e.workspace_id = p.workspace_id AND e.id = p.${kind.key}
      JOIN ${kind.revisions} r ON r.workspace_id = p.workspace_id AND r.version_id = p.version_id
      WHERE p.workspace_id = $1 ORDER BY e.position`;
    return (await scope.sql.query<NodeRow[]>(sql, [scope.workspaceId])).map(kind.node);
  }

  /** Everything that refers to the object must be removed first. */
  async unpublish({ table, published, key }: AnyKind, tx: WriteScope, id: string): Promise<void> {
    await tx.sql.query(`DELETE FROM ${published} WHERE workspace_id = $1 AND ${key} = $2`, [tx.workspaceId, id]);
    await tx.sql.query(`UPDATE ${table} SET deleted_at = $3 WHERE workspace_id = $1 AND id = $2`, [
      tx.workspaceId,
      id,
      tx.at,
    ]);
  }

  /** False if the object does not exist or was deleted. */
  async setExternalId({ table }: AnyKind, tx: WriteScope, id: string, externalId: string | null): Promise<boolean> {
    const [, changed] = await tx.sql.query<[unknown[], number]>(
      `UPDATE ${table} SET external_id = $3 WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL`,
      [tx.workspaceId, id, externalId],
    );
    return changed > 0;
  }
}

const nodeColumns = ({ naming }: AnyKind) =>
  ['e.id', 'r.version_id', 'e.language', 'r.imports', 'e.external_id', ...naming].join();

const selectOf = ({ table, revisions, published, key, naming, columns }: AnyKind) => `
  SELECT e.id, r.version_id, e.workspace_id, ${naming.join()}, r.description, r.code, e.language, r.imports, e.external_id,
    e.created_by, e.created_at, r.created_by AS revised_by, r.created_at AS revised_at,
    e.position, r.position AS revision_position, p.version_id AS live_version_id, p.published_at AS live_at,
    (
      SELECT latest.version_id FROM ${revisions} latest
      WHERE latest.workspace_id = r.workspace_id AND latest.${key} = r.${key} ORDER BY latest.position DESC LIMIT 1
    ) AS latest_version_id,
    (
      SELECT c.commit_id FROM publications c
      WHERE c.workspace_id = r.workspace_id AND c.version_id = r.version_id AND c.commit_id IS NOT NULL
      ORDER BY c.position DESC LIMIT 1
    ) AS ${['commit_id', ...columns].join()}
  FROM ${revisions} r
  JOIN ${table} e ON e.workspace_id = r.workspace_id AND e.id = r.${key}
  LEFT JOIN ${published} p ON p.workspace_id = r.workspace_id AND p.${key} = r.${key}
  WHERE r.workspace_id = $1`;

async function first<Row>({ sql, workspaceId }: Scope, text: string, parameters: unknown[]): Promise<Row | undefined> {
  const [row] = await sql.query<Row[]>(text, [workspaceId, ...parameters]);
  return row;
}

/** Column names are constants of this code. */
async function insertRow({ sql, workspaceId }: WriteScope, table: string, columns: Columns): Promise<void> {
  const row = { workspace_id: workspaceId, ...columns };
  const places = Object.keys(row).map((_, index) => `$${index + 1}`);
  await sql.query(`INSERT INTO ${table} (${Object.keys(row)}) VALUES (${places})`, Object.values(row));
}
