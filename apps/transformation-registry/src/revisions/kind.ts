import type { CodeNode } from '../gate/nodes.js';

/** A revision with its object, as {@link RevisionStore} reads it. */
export interface RevisionRow {
  id: string;
  version_id: string;
  workspace_id: string;
  name: string;
  description: string;
  code: string;
  language: string;
  imports: string[];
  external_id: string | null;
  created_by: string;
  created_at: Date;
  revised_by: string;
  revised_at: Date;
  /** Commit of the newest publish of this revision that named one. */
  commit_id: string | null;
  /** Positions of the object and of the revision in their lists. */
  position: string;
  revision_position: string;
  latest_version_id: string;
  live_version_id: string | null;
  live_at: Date | null;
}

/** A revision as imports see it, with its object. `naming` adds further columns. */
export type NodeRow = Pick<RevisionRow, 'id' | 'version_id' | 'name' | 'language' | 'imports' | 'external_id'>;

/**
 * The store handles transformations and libraries in the same way: an object, its append-only revisions, and a pointer to the
 * live one. A kind holds the differences. Its texts are constants that become part of SQL, where `e` is the object and `r` its
 * revision.
 */
export interface Kind<Row extends RevisionRow, Node extends CodeNode, Own extends object, Live extends object> {
  readonly what: 'transformation' | 'library';
  readonly table: string;
  readonly revisions: string;
  readonly published: string;
  /** Column of revisions and pointers that holds the object's id. */
  readonly key: string;
  /** Column of the name, and of any other name that code uses. */
  readonly naming: readonly string[];
  /** Further columns of {@link Row}. */
  readonly columns: readonly string[];
  /** Columns that a pointer copies from its object. */
  readonly pointed: readonly string[];
  node(row: NodeRow & Omit<Row, keyof RevisionRow>): Node;
  /** Fields of an answer in addition to those of both kinds. */
  own(row: Row): Own;
  /** Fields of the object that its revisions do not have. */
  live(row: Row): Live;
}

// biome-ignore lint/suspicious/noExplicitAny: stands for either kind
export type AnyKind = Kind<any, any, any, any>;
export type RowOf<K extends AnyKind> = Parameters<K['own']>[0];
export type NodeOf<K extends AnyKind> = ReturnType<K['node']>;
