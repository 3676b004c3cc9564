import type { CodeNode } from '../gate/nodes.js';

/** A revision with what it is a revision of, as {@link RevisionStore} reads it. */
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
  /** Of the newest publish of this revision that named one. */
  commit_id: string | null;
  /** Of the object and of the revision, in the order of their lists. */
  position: string;
  revision_position: string;
  latest_version_id: string;
  live_version_id: string | null;
  live_at: Date | null;
}

/** A revision as far as imports go, with its object; `naming` adds to it. */
export type NodeRow = Pick<RevisionRow, 'id' | 'version_id' | 'name' | 'language' | 'imports' | 'external_id'>;

/**
 * Transformations and libraries are the same thing to the store: an object, its append-only revisions, and a pointer to the
 * one that is live. This says what differs. Texts are fixed and stand in SQL: `e` is the object, `r` its revision.
 */
export interface Kind<Row extends RevisionRow, Node extends CodeNode, Own extends object, Live extends object> {
  readonly what: 'transformation' | 'library';
  readonly table: string;
  readonly revisions: string;
  readonly published: string;
  /** Column of revisions and pointers that names the object. */
  readonly key: string;
  /** Where the name is, and what else code knows it by. */
  readonly naming: readonly string[];
  /** Further columns of {@link Row}. */
  readonly columns: readonly string[];
  /** Columns that a pointer copies from its object. */
  readonly pointed: readonly string[];
  node(row: NodeRow & Omit<Row, keyof RevisionRow>): Node;
  /** Fields of what is shown beside those that both kinds have. */
  own(row: Row): Own;
  /** Of the object alone, not of a revision. */
  live(row: Row): Live;
}

// biome-ignore lint/suspicious/noExplicitAny: of whichever kind
export type AnyKind = Kind<any, any, any, any>;
export type RowOf<K extends AnyKind> = Parameters<K['own']>[0];
export type NodeOf<K extends AnyKind> = ReturnType<K['node']>;
