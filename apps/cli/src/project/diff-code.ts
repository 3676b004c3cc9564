import { knownOf } from '../core/entity-tag.js';
import type { TestCase } from './code-files.js';
import { type Change, differences } from './compare.js';
import type { Json } from './json.js';
import { matchByName } from './match.js';
import { type CodeKind, emptyPart, type Part, type Publication, type Step } from './plan.js';
import type { Actual, Code, Desired } from './resources.js';

type Stored = Actual['libraries'][number] | Actual['transformations'][number];
type Wanted = Code & Pick<Desired['transformations'][number], 'was' | 'events' | 'tests'>;

/** Drafts of everything that is new or changed, then one publish of all: they go live together, or not at all. */
export function diffCode(desired: Desired, actual: Actual): Part {
  const libraries = draftsOf('library', desired.libraries, actual.libraries);
  const transformations = draftsOf('transformation', desired.transformations, actual.transformations);
  const code = [...libraries.code, ...transformations.code];
  const publish: Step = { action: 'publish', kind: 'code', name: '', changes: [], code };
  return {
    ...emptyPart(),
    steps: [...libraries.steps, ...transformations.steps, ...(code.length > 0 ? [publish] : [])],
    problems: [...libraries.problems, ...transformations.problems],
    notes: [...libraries.notes, ...transformations.notes],
    rest: [
      ...transformations.rest.map(({ name, id, versionId }) => ({
        kind: 'transformation' as const,
        name,
        id,
        versionId,
      })),
      ...importersFirst(libraries.rest).map((one) => ({ kind: 'library' as const, name: one.name, ...knownOf(one) })),
    ],
  };
}

function draftsOf<Kept extends Stored>(kind: CodeKind, wanted: readonly Wanted[], stored: readonly Kept[]) {
  const { pairs, rest, problems, notes } = matchByName(kind, wanted, visible(stored));
  const steps: Step[] = [];
  const code: Publication[] = [];
  for (const { wanted: one, existing } of pairs) {
    const { name, description, events, tests } = one;
    const body = { name, description, code: one.code };
    const now = existing && { name: existing.name, description: existing.description, code: existing.code };
    const { changes: ofCode } = differences(body, now, { secrets: {} });
    const changes = [...ofCode, ...changesOfTests(tests, existing)];
    const step = { kind, name, changes, body: ofCode.length > 0 ? body : undefined };
    if (!existing) steps.push({ action: 'create', ...step });
    else if (changes.length > 0) steps.push({ action: 'update', ...step, ...knownOf(existing) });
    else if (existing.isPublished) continue;
    const draft = ofCode.length === 0 && existing && { ...knownOf(existing), versionId: existing.versionId };
    code.push({ kind, name, ...(draft && { existing: draft }), ...(events && { events }), ...(tests && { tests }) });
  }
  // A draft that the files do not name is another person's work in progress.
  return { steps, code, problems, notes, rest: rest.filter(({ isPublished }) => isPublished) };
}

function changesOfTests(tests: Wanted['tests'], existing: Stored | undefined): Change[] {
  if (!tests) return [];
  const saved = existing && 'tests' in existing ? existing.tests : [];
  return differences({ tests: asJson(tests) }, { tests: asJson(saved) }, { secrets: {} }).changes;
}

const asJson = (tests: TestCase[]): Json => tests as unknown as Json;

/** The published code, or without it the latest draft of the name. An apply that was killed before its publish leaves a draft. */
export function visible<Kept extends Stored>(stored: readonly Kept[]): Kept[] {
  const published = stored.filter(({ isPublished }) => isPublished);
  const names = new Set(published.map(({ name }) => name));
  const drafts = new Map(stored.filter(({ name }) => !names.has(name)).map((draft) => [draft.name, draft]));
  return [...published, ...drafts.values()];
}

/** The order in which libraries can be deleted: Weir keeps one that another one imports. */
function importersFirst(libraries: Actual['libraries']): Actual['libraries'] {
  const sorted = new Set<Actual['libraries'][number]>();
  const visit = (one: Actual['libraries'][number], above: Actual['libraries']): void => {
    if (above.includes(one)) return;
    for (const other of libraries) if (imports(other.code, one.importName)) visit(other, [...above, one]);
    sorted.add(one);
  };
  for (const one of libraries) visit(one, []);
  return [...sorted];
}

const imports = (code: string, name: string): boolean => code.includes(`'${name}'`) || code.includes(`"${name}"`);
