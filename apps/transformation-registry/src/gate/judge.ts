import { isDeepStrictEqual } from 'node:util';
import type { EventResult, JsonObject, UserError, ValidationOutput } from '@weir/contracts';
import type { EventRun } from './event-runner.js';
import { evidenceOf } from './evidence.js';
import type { TestCase } from './nodes.js';

type TransformationOutput = ValidationOutput['transformations'][number];
export type TestResult = TransformationOutput['testResult'];
export type CaseResult = TestResult['results'][number];

/** The test's id, name and description. Leaves out a missing id or description. */
const labelOf = ({ id, name, description }: TestCase) => ({
  ...(id !== undefined && { id }),
  name: name ?? 'Test events',
  ...(description !== undefined && { description }),
});

/** `error` means an exception, and `fail` an output other than expected. A dropped event is fine (spec section 3). */
export function judge(test: TestCase, events: readonly JsonObject[], run: EventRun): CaseResult {
  const actualOutput = [...run.results.flatMap(outputsOf), ...run.strayErrors.map(shownError)];
  const errors = [
    ...run.results.flatMap((result, eventIndex) => {
      const event = events[eventIndex];
      return result.status === 'error' ? [{ ...result.error, ...(event && { event }), eventIndex }] : [];
    }),
    ...run.strayErrors,
  ];
  const evidence = {
    events: evidenceOf(events, run.results),
    logs: run.logs,
    fetches: run.fetches,
    durationMs: Math.round(run.durationMs * 100) / 100,
  };
  if (errors.length > 0) return { ...labelOf(test), status: 'error', actualOutput, errors, ...evidence };
  if (test.expectedOutput === undefined || isDeepStrictEqual(actualOutput, test.expectedOutput)) {
    return { ...labelOf(test), status: 'pass', actualOutput, errors, ...evidence };
  }
  const mismatch = [{ message: 'the output is not the expected output' }];
  return { ...labelOf(test), status: 'fail', actualOutput, errors: mismatch, ...evidence };
}

const shownError = ({ message }: UserError): JsonObject => ({ error: message });

/** Outputs of one event. A failure appears as `{error}` in its place among the outputs of the others. */
function outputsOf(result: EventResult): JsonObject[] {
  if (result.status === 'error') return [shownError(result.error)];
  return result.status === 'ok' ? result.outputs : [];
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
