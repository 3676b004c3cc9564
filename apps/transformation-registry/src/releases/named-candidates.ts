import { notFound, type ReleaseItems, type UserCredential } from '@weir/contracts';
import type { Candidates, CodeNode, LibraryNode, TestCase } from '../gate/nodes.js';
import { checkRunnable } from '../rules/language.js';
import type { Revision } from './revision.repository.js';

type TransformationItem = ReleaseItems['transformations'][number];

export interface NamedRevisions {
  transformations: ReadonlyMap<string, Revision<CodeNode>>;
  libraries: ReadonlyMap<string, Revision<LibraryNode>>;
}

/** What a publish request names, with its tests. A version that is not there is `not_found`, whoever else may have it. */
export function namedCandidates(
  items: ReleaseItems,
  revisions: NamedRevisions,
  credentials: readonly UserCredential[] = [],
): Candidates {
  return {
    transformations: pick(items.transformations, revisions.transformations),
    libraries: pick(items.libraries, revisions.libraries),
    tests: new Map(items.transformations.flatMap(testsOf)),
    samples: new Map(items.transformations.map(({ versionId, samples = [] }) => [versionId, samples])),
    credentials,
    unsavedCode: new Map(),
  };
}

function pick<N extends CodeNode>(
  items: readonly { versionId: string }[],
  found: ReadonlyMap<string, Revision<N>>,
): N[] {
  const versionIds = [...new Set(items.map(({ versionId }) => versionId))];
  return versionIds.map((versionId) => {
    const revision = found.get(versionId);
    if (!revision) throw notFound(`version ${versionId}`);
    checkRunnable(revision.name, revision.language);
    return revision;
  });
}

function testsOf({ versionId, testInput = [], testSuite = [] }: TransformationItem): [string, TestCase[]][] {
  const tests = [...(testInput.length > 0 ? [{ name: 'testInput', input: testInput }] : []), ...testSuite];
  return tests.length > 0 ? [[versionId, tests]] : [];
}
