import type { CodeReach, JsonObject, PublishItems } from '@weir/contracts';

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

/** One test as the client sends it (wire-facts 1.8). */
export type TestCase = NonNullable<PublishItems['transformations'][number]['testSuite']>[number];

/** Revisions that are tested and published together. */
export interface Candidates {
  transformations: readonly CodeNode[];
  libraries: readonly LibraryNode[];
  /** Tests by version id. A transformation without an entry runs the default events. */
  tests: ReadonlyMap<string, readonly TestCase[]>;
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
  samples: new Map(),
  reach: {},
  unsavedCode: new Map(),
};
