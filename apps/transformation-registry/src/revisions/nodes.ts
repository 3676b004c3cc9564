import type { CodeReach, JsonObject, TestCase } from '@weir/contracts';

/** A revision as imports see it. Its code is loaded when it is tested. */
export interface CodeNode {
  /** Id of the transformation or library. */
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

/** Revisions that are tested and published together. */
export interface Candidates {
  transformations: readonly CodeNode[];
  libraries: readonly LibraryNode[];
  /** Tests by version id. A transformation without an entry runs its saved tests, or the default events if it has none. */
  tests: ReadonlyMap<string, readonly TestCase[]>;
  /**
   * Whether saved tests run, too: those of the candidates and of live code that their libraries change. A way back to an earlier
   * revision does not wait for tests that were written for a later one.
   */
  runsSavedTests: boolean;
  /** Tests that take the place of the saved ones, by version id. A publish saves them. */
  testsToSave: ReadonlyMap<string, TestCase[]>;
  /** Real events, by version id, to compare with the live version. */
  samples: ReadonlyMap<string, readonly JsonObject[]>;
  /** Access that the candidates and their dependents have during tests. */
  reach: CodeReach;
  /** Code of revisions that are not stored yet, by version id. */
  unsavedCode: ReadonlyMap<string, string>;
  /** Id of a new object, which is stored only if its tests pass. */
  newObjectId?: string;
}

export const NO_CANDIDATES: Candidates = {
  transformations: [],
  libraries: [],
  tests: new Map(),
  runsSavedTests: false,
  testsToSave: new Map(),
  samples: new Map(),
  reach: {},
  unsavedCode: new Map(),
};
