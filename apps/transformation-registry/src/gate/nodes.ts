import type { CodeReach, JsonObject, ReleaseItems } from '@weir/contracts';

/** A revision as far as imports go; its code is loaded when it is tested. */
export interface CodeNode {
  /** Of the transformation or library. */
  id: string;
  versionId: string;
  name: string;
  externalId?: string;
  imports: readonly string[];
}

export interface LibraryNode extends CodeNode {
  importName: string;
}

/** Everything that is published in one workspace. */
export interface Published {
  transformations: readonly CodeNode[];
  libraries: readonly LibraryNode[];
}

/** One test as a client gives it (wire-facts 1.8). */
export type TestCase = NonNullable<ReleaseItems['transformations'][number]['testSuite']>[number];

/** Revisions that are tested and published together. */
export interface Candidates {
  transformations: readonly CodeNode[];
  libraries: readonly LibraryNode[];
  /** By version id; a transformation without an entry runs the default events. */
  tests: ReadonlyMap<string, readonly TestCase[]>;
  /** Real events to compare with the live version, by version id. */
  samples: ReadonlyMap<string, readonly JsonObject[]>;
  /** What they may reach; so may whatever depends on them. */
  reach: CodeReach;
  /** Code of revisions that are not stored yet, by version id. */
  unsavedCode: ReadonlyMap<string, string>;
  /** The object that is stored only when its tests pass. */
  newObjectId?: string;
}

export const NO_CANDIDATES: Candidates = {
  transformations: [],
  libraries: [],
  tests: new Map(),
  samples: new Map(),
  reach: {},
  unsavedCode: new Map(),
};
