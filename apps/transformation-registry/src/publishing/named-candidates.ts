import { type CodeReach, notFound, type PublishItems, type TestCase } from '@weir/contracts';
import type { Candidates, CodeNode, LibraryNode } from '../revisions/nodes.js';
import type { Named } from '../revisions/revision.store.js';
import { checkRunnable } from '../rules/fields.js';

type TransformationItem = PublishItems['transformations'][number];

export interface NamedRevisions {
  transformations: ReadonlyMap<string, Named<CodeNode>>;
  libraries: ReadonlyMap<string, Named<LibraryNode>>;
}

/**
 * The revisions that a publish request names, with their tests. An unknown revision is `not_found`, even if another workspace has
 * it.
 */
export function namedCandidates(
  items: PublishItems,
  revisions: NamedRevisions,
  { credentials, allowFetch }: CodeReach,
): Candidates {
  return {
    transformations: pick(items.transformations, revisions.transformations),
    libraries: pick(items.libraries, revisions.libraries),
    tests: new Map(items.transformations.flatMap(testsOf)),
    runsSavedTests: true,
    testsToSave: new Map(
      items.transformations.flatMap(({ versionId, saveTests, testSuite = [] }) =>
        saveTests ? [[versionId, testSuite]] : [],
      ),
    ),
    samples: new Map(
      [...items.transformations, ...(items.dependents ?? [])].map(({ versionId, samples = [] }) => [
        versionId,
        samples,
      ]),
    ),
    reach: { credentials, allowFetch },
    unsavedCode: new Map(),
  };
}

function pick<N extends CodeNode>(
  items: readonly { versionId: string }[],
  found: ReadonlyMap<string, N & { language: string }>,
): N[] {
  const versionIds = [...new Set(items.map(({ versionId }) => versionId))];
  return versionIds.map((versionId) => {
    const revision = found.get(versionId);
    if (!revision) throw notFound(`version ${versionId}`);
    checkRunnable(revision.name, revision.language);
    return revision;
  });
}

/** A suite to save is not among them: it runs as the saved tests do. */
function testsOf({ versionId, testInput = [], testSuite = [], saveTests }: TransformationItem): [string, TestCase[]][] {
  const suite = saveTests ? [] : testSuite;
  const tests = [...(testInput.length > 0 ? [{ name: 'testInput', input: testInput }] : []), ...suite];
  return tests.length > 0 ? [[versionId, tests]] : [];
}
