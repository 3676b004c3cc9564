import { AppError, CODE_BYTES_MAX, type Replay, type ValidationOutput } from '@weir/contracts';
import { Budget } from './budget.js';
import type { CaseResult, TestResult } from './judge.js';
import type { Candidates, CodeNode, LibraryNode } from './nodes.js';

type LibraryOutput = ValidationOutput['libraries'][number];
type TransformationOutput = ValidationOutput['transformations'][number];

/** Bytes of outputs in one answer, which must fit one message whatever user code returns. The rest is for names and messages. */
export const OUTPUT_BYTES_MAX = 524_288;
/** Errors shown per test. */
const ERRORS_MAX = 10;
/** Bytes in one answer, in addition to its outputs: evidence of each event, then logs and `fetch` calls, then replays. */
const EVIDENCE_BYTES_MAX = 196_608;
const LOG_BYTES_MAX = 65_536;
const REPLAY_BYTES_MAX = 131_072;
const MESSAGE_CHARS_MAX = 1_000;
const DEPENDENT_ADVICE = 'It is live and imports what changes: publish a revision of it that fits in the same request.';
const OUTPUT_LEFT_OUT = 'The output is too large to show: test with fewer events.';

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

export function transformationOutput(node: CodeNode, testResult: TestResult): TransformationOutput {
  const problem = testResult.results.find(({ status }) => status !== 'pass')?.errors[0]?.message;
  return {
    ...identity(node),
    imports: [...node.imports],
    pass: testResult.status === 'pass',
    ...(problem !== undefined && { message: cut(problem) }),
    testResult,
  };
}

export const passed = ({ libraries, transformations }: ValidationOutput): boolean =>
  [...libraries, ...transformations].every(({ pass }) => pass);

/** A summary for people: the first failure, and whether others must change too. */
export function summaryOf({ libraries, transformations }: ValidationOutput, candidates: Candidates): string {
  const named = new Set([...candidates.libraries, ...candidates.transformations].map(({ versionId }) => versionId));
  const failed = [
    ...libraries.map((item) => ({ ...item, kind: 'library' })),
    ...transformations.map((item) => ({ ...item, kind: 'transformation' })),
  ].filter(({ pass }) => !pass);
  const [first] = failed;
  if (!first) return 'All tests passed';
  const others = failed.length > 1 ? ` (${failed.length - 1} more failed)` : '';
  const advice = named.has(first.versionId) ? '' : `. ${DEPENDENT_ADVICE}`;
  return `Tests failed: ${first.kind} ${first.name}: ${first.message ?? 'failed'}${others}${advice}`;
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

export interface OutputLimits {
  outputBytes: number;
  evidenceBytes: number;
  logBytes: number;
  replayBytes: number;
}

const LIMITS: OutputLimits = {
  outputBytes: OUTPUT_BYTES_MAX,
  evidenceBytes: EVIDENCE_BYTES_MAX,
  logBytes: LOG_BYTES_MAX,
  replayBytes: REPLAY_BYTES_MAX,
};
/** Limits for an answer that also carries the code of an object (CODE_BYTES_MAX). */
export const BESIDE_CODE: OutputLimits = { ...LIMITS, outputBytes: OUTPUT_BYTES_MAX - CODE_BYTES_MAX };

/** Leaves out outputs, errors and evidence that do not fit. Keeps every item and every verdict. */
export function bounded(output: ValidationOutput, limits: OutputLimits = LIMITS): ValidationOutput {
  const outputs = new Budget(limits.outputBytes);
  const evidence = new Budget(limits.evidenceBytes);
  const logs = new Budget(limits.logBytes);
  const replays = new Budget(limits.replayBytes);
  const boundCase = ({ events = [], eventsLeftOut = 0, ...rest }: CaseResult): CaseResult => {
    const { logs: lines = [], fetches: calls = [], ...result } = rest;
    const shown = evidence.fitting(events);
    const leftOut = eventsLeftOut + events.length - shown.length;
    const fetches = logs.fitting(calls);
    return {
      ...boundOutputs(result, outputs),
      events: shown,
      ...(leftOut > 0 && { eventsLeftOut: leftOut }),
      logs: logs.fitting(lines),
      ...(fetches.length > 0 && { fetches }),
    };
  };
  const transformations = output.transformations.map(({ replay, ...item }) => ({
    ...item,
    ...(replay && { replay: boundReplay(replay, replays) }),
    testResult: { ...item.testResult, results: item.testResult.results.map(boundCase) },
  }));
  return { ...output, transformations };
}

function boundReplay({ differencesLeftOut = 0, fetches: calls = [], ...replay }: Replay, budget: Budget): Replay {
  const differences = budget.fitting(replay.differences);
  const leftOut = differencesLeftOut + replay.differences.length - differences.length;
  const fetches = budget.fitting(calls);
  return {
    ...replay,
    differences,
    ...(leftOut > 0 && { differencesLeftOut: leftOut }),
    ...(fetches.length > 0 && { fetches }),
  };
}

function boundOutputs(result: CaseResult, budget: Budget): CaseResult {
  const errors = result.errors.slice(0, ERRORS_MAX).map((error) => ({ ...error, message: cut(error.message) }));
  const whole = { ...result, errors };
  if (budget.take(whole)) return whole;
  const [first] = errors;
  return { ...result, actualOutput: [], errors: [{ message: first?.message ?? OUTPUT_LEFT_OUT }] };
}

const cut = (text: string) => (text.length > MESSAGE_CHARS_MAX ? `${text.slice(0, MESSAGE_CHARS_MAX)}…` : text);
