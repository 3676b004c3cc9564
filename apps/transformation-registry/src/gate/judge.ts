import { isDeepStrictEqual } from 'node:util';
import { AppError, type CodeRuntime, type JsonObject, type TestCase, type ValidationOutput } from '@weir/contracts';
import type { Candidates, CodeNode, LibraryNode } from '../revisions/nodes.js';
import type { EventRun } from './event-runner.js';
import { countedBy, evidenceOf } from './evidence.js';
import { type CaseResult, cut, type TestResult } from './output-limits.js';

type LibraryOutput = ValidationOutput['libraries'][number];
type TransformationOutput = ValidationOutput['transformations'][number];

const DEPENDENT_ADVICE =
  'It is live and imports code that changes. Publish a matching revision of it in the same request.';

/** The test's id, name and description. Leaves out a missing id or description. */
const labelOf = ({ id, name, description }: TestCase) => ({
  ...(id !== undefined && { id }),
  name: name ?? 'Test events',
  ...(description !== undefined && { description }),
});

/** `error` means an exception, and `fail` an output other than expected. A dropped event is fine (spec section 3). */
export function judge(test: TestCase, events: readonly JsonObject[], run: EventRun): CaseResult {
  const { output: actualOutput } = run;
  const errors = [
    ...run.results.flatMap((result, eventIndex) => {
      const event = events[eventIndex];
      return result.status === 'error' ? [{ ...result.error, ...(event && { event }), eventIndex }] : [];
    }),
    ...run.strayErrors,
  ];
  const told = countedBy(errors, ({ message }) => message);
  const evidence = {
    events: evidenceOf(events, run.results),
    logs: run.logs,
    fetches: run.fetches,
    durationMs: Math.round(run.durationMs * 100) / 100,
  };
  if (errors.length > 0) return { ...labelOf(test), status: 'error', actualOutput, errors: told, ...evidence };
  if (test.expectedOutput === undefined || isDeepStrictEqual(actualOutput, test.expectedOutput)) {
    return { ...labelOf(test), status: 'pass', actualOutput, errors, ...evidence };
  }
  const mismatch = [{ message: 'the output is not the expected output' }];
  return { ...labelOf(test), status: 'fail', actualOutput, errors: mismatch, ...evidence };
}

/** Result for code that cannot even be bundled. */
export const refused = (test: TestCase, message: string): CaseResult => ({
  ...labelOf(test),
  status: 'error',
  actualOutput: [],
  errors: [{ message }],
});

export function summarize(results: CaseResult[]): TestResult {
  const worst = (['error', 'fail'] as const).find((status) => results.some((result) => result.status === status));
  return { status: worst ?? 'pass', results };
}

const identity = ({ id, externalId, name, versionId }: CodeNode) => ({
  id,
  ...(externalId !== undefined && { externalId }),
  name,
  versionId,
});

export function libraryOutput(node: LibraryNode, problem: string | undefined): LibraryOutput {
  const verdict = problem === undefined ? { pass: true } : { pass: false, message: cut(problem) };
  return { ...identity(node), handleName: node.importName, ...verdict };
}

export function transformationOutput(
  node: CodeNode,
  testResult: TestResult,
  runtime?: CodeRuntime | undefined,
): TransformationOutput {
  const problem = testResult.results.find(({ status }) => status !== 'pass')?.errors[0]?.message;
  return {
    ...identity(node),
    imports: [...node.imports],
    pass: testResult.status === 'pass',
    ...(problem !== undefined && { message: cut(problem) }),
    testResult,
    ...runtime,
  };
}

export const passed = ({ libraries, transformations }: ValidationOutput): boolean =>
  [...libraries, ...transformations].every(({ pass }) => pass);

/** A summary for people: the first failure, and whether others must change too. */
export function summaryOf({ libraries, transformations }: ValidationOutput, candidates: Candidates): string {
  const named = new Set([...candidates.libraries, ...candidates.transformations].map(({ versionId }) => versionId));
  const failed = [
    ...libraries.map((item) => ({ ...item, type: 'library' })),
    ...transformations.map((item) => ({ ...item, type: 'transformation' })),
  ].filter(({ pass }) => !pass);
  const [first] = failed;
  if (!first) return 'All tests passed';
  const others = failed.length > 1 ? ` (${failed.length - 1} more failed)` : '';
  const advice = named.has(first.versionId) ? '' : `. ${DEPENDENT_ADVICE}`;
  return `Tests failed: ${first.type} ${first.name}: ${first.message ?? 'failed'}${others}${advice}`;
}

/** Hides ids that a refused write would have created, because nothing is stored under them. */
export function testsFailed(output: ValidationOutput, message: string, candidates: Candidates): AppError {
  const { unsavedCode, newObjectId } = candidates;
  const named = <Item extends { id: string; versionId: string }>({ id, versionId, ...item }: Item) => ({
    ...(id !== newObjectId && { id }),
    ...(!unsavedCode.has(versionId) && { versionId }),
    ...item,
  });
  const validationOutput = {
    libraries: output.libraries.map(named),
    transformations: output.transformations.map(named),
  };
  return new AppError('tests_failed', message, { published: false, validationOutput });
}
