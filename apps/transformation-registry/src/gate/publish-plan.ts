import { AppError, invalidField } from '@weir/contracts';
import type { Importer } from '@weir/imports';
import type { Candidates, CodeNode, LibraryNode, Published } from '../revisions/nodes.js';
import { type ImportableNodes, type ResolvedNodes, resolveLibraries } from './resolve-libraries.js';

export type Planned<N extends CodeNode> = { node: N } & ResolvedNodes;

/** Code to test before the candidates may go live. */
export interface PublishPlan {
  /** Candidates first, then published code that reaches a candidate. */
  libraries: Planned<LibraryNode>[];
  transformations: Planned<CodeNode>[];
  /** Live revisions of the code with samples, by transformation id. */
  live: ReadonlyMap<string, Planned<CodeNode>>;
}

/** Imports resolve to the candidates first, then to published libraries (ruling 7). */
export function planPublish(candidates: Candidates, published: Published): PublishPlan {
  assertOneEach('transformations', candidates.transformations);
  assertOneEach('libraries', candidates.libraries);
  const importable = importableOf(candidates.libraries, published.libraries);
  const changed = new Set(candidates.libraries.map(({ versionId }) => versionId));
  const plan = <N extends CodeNode>(named: readonly N[], live: readonly N[]): Planned<N>[] => [
    ...named.map((node) => planned(node, importable)),
    ...dependents(changed, without(live, named), importable),
  ];
  return {
    libraries: plan(candidates.libraries, published.libraries),
    transformations: plan(candidates.transformations, published.transformations),
    live: livePlan(candidates, published),
  };
}

/** A new library changes live code that has no new revision. That code is compared with itself. */
function livePlan({ transformations, samples }: Candidates, published: Published): PublishPlan['live'] {
  const replayed = [...transformations, ...published.transformations].filter(
    ({ versionId }) => (samples.get(versionId)?.length ?? 0) > 0,
  );
  if (replayed.length === 0) return new Map();
  const importable = importableOf([], published.libraries);
  const ids = new Set(replayed.map(({ id }) => id));
  const live = published.transformations.filter(({ id }) => ids.has(id));
  return new Map(live.map((node) => [node.id, planned(node, importable)]));
}

/** Plans with the same key run the same code, so the tests of one hold for the other. */
export function planKey({ libraries, transformations, live }: PublishPlan, { unsavedCode }: Candidates): string {
  const parts = [...libraries, ...transformations, ...live.values()].map(({ node, libraries, problem }) => [
    node.versionId,
    problem ?? libraries.map(({ versionId }) => versionId),
  ]);
  return JSON.stringify([parts, [...unsavedCode]]);
}

/** Published code that imports a changed library, or that no longer resolves because of one. */
function dependents<N extends CodeNode>(changed: ReadonlySet<string>, live: readonly N[], importable: ImportableNodes) {
  if (changed.size === 0) return [];
  return live
    .map((node) => planned(node, importable))
    .filter(({ libraries, problem }) => problem !== undefined || libraries.some((one) => changed.has(one.versionId)));
}

const planned = <N extends CodeNode & Importer>(node: N, importable: ImportableNodes): Planned<N> => ({
  node,
  ...resolveLibraries(node, importable),
});

const without = <N extends CodeNode>(live: readonly N[], named: readonly N[]) => {
  const ids = new Set(named.map(({ id }) => id));
  return live.filter(({ id }) => !ids.has(id));
};

/** Maps each import name to exactly one library. */
function importableOf(named: readonly LibraryNode[], live: readonly LibraryNode[]): ImportableNodes {
  const importable = new Map<string, LibraryNode>();
  for (const library of [...named, ...without(live, named)]) {
    const holder = importable.get(library.importName);
    if (holder) {
      throw new AppError(
        'conflict',
        `library ${holder.name} cannot be published: library ${library.name} (${library.id}) has the same import name ` +
          `${library.importName}. Create it under another name, or delete the other one first.`,
      );
    }
    importable.set(library.importName, library);
  }
  return importable;
}

function assertOneEach(field: string, nodes: readonly CodeNode[]): void {
  if (new Set(nodes.map(({ id }) => id)).size === nodes.length) return;
  throw invalidField(field, 'names two revisions of one: only one of them can be live');
}
