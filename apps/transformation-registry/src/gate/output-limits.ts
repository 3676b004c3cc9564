import { CODE_BYTES_MAX, type Replay, type ValidationOutput } from '@weir/contracts';

export type TestResult = ValidationOutput['transformations'][number]['testResult'];
export type CaseResult = TestResult['results'][number];

/** Bytes of outputs in one answer. The answer must fit one message, even if user code returns more. The rest is for names and messages. */
export const OUTPUT_BYTES_MAX = 524_288;
/** Bytes in one answer, in addition to its outputs: evidence of each event, then logs and `fetch` calls, then comparisons. */
const EVIDENCE_BYTES_MAX = 196_608;
const LOG_BYTES_MAX = 65_536;
const COMPARISON_BYTES_MAX = 131_072;
/** Errors shown per test, and characters of each. */
const ERRORS_MAX = 10;
const MESSAGE_CHARS_MAX = 1_000;
const OUTPUT_LEFT_OUT = 'The output is too large to show: test with fewer events.';

export interface OutputLimits {
  outputBytes: number;
  evidenceBytes: number;
  logBytes: number;
  comparisonBytes: number;
}

const LIMITS: OutputLimits = {
  outputBytes: OUTPUT_BYTES_MAX,
  evidenceBytes: EVIDENCE_BYTES_MAX,
  logBytes: LOG_BYTES_MAX,
  comparisonBytes: COMPARISON_BYTES_MAX,
};
/** Limits for an answer that also carries the code of an object (CODE_BYTES_MAX). */
export const BESIDE_CODE: OutputLimits = { ...LIMITS, outputBytes: OUTPUT_BYTES_MAX - CODE_BYTES_MAX };

/** Counts the JSON bytes of the values in an answer. */
class OutputLimit {
  constructor(private left: number) {}

  /** Whether the value fits. If so, its bytes are taken. */
  take(value: unknown): boolean {
    const bytes = Buffer.byteLength(JSON.stringify(value)) + 1;
    if (bytes > this.left) return false;
    this.left -= bytes;
    return true;
  }

  /** The first values that fit, in order. */
  fitting<T>(values: readonly T[]): T[] {
    const end = values.findIndex((value) => !this.take(value));
    return end === -1 ? [...values] : values.slice(0, end);
  }
}

/** Leaves out outputs, errors and evidence that do not fit. Keeps every item and every verdict. */
export function bounded(output: ValidationOutput, limits: OutputLimits = LIMITS): ValidationOutput {
  const outputs = new OutputLimit(limits.outputBytes);
  const evidence = new OutputLimit(limits.evidenceBytes);
  const logs = new OutputLimit(limits.logBytes);
  const comparisons = new OutputLimit(limits.comparisonBytes);
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
    ...(replay && { replay: boundComparison(replay, comparisons) }),
    testResult: { ...item.testResult, results: item.testResult.results.map(boundCase) },
  }));
  return { ...output, transformations };
}

function boundComparison(comparison: Replay, limit: OutputLimit): Replay {
  const { differencesLeftOut = 0, fetches: calls = [], ...rest } = comparison;
  const differences = limit.fitting(rest.differences);
  const leftOut = differencesLeftOut + rest.differences.length - differences.length;
  const fetches = limit.fitting(calls);
  return {
    ...rest,
    differences,
    ...(leftOut > 0 && { differencesLeftOut: leftOut }),
    ...(fetches.length > 0 && { fetches }),
  };
}

function boundOutputs(result: CaseResult, limit: OutputLimit): CaseResult {
  const errors = result.errors.slice(0, ERRORS_MAX).map((error) => ({ ...error, message: cut(error.message) }));
  const whole = { ...result, errors };
  if (limit.take(whole)) return whole;
  const [first] = errors;
  return { ...result, actualOutput: [], errors: [{ message: first?.message ?? OUTPUT_LEFT_OUT }] };
}

/** Shortens a message that user code chose. */
export const cut = (text: string): string =>
  text.length > MESSAGE_CHARS_MAX ? `${text.slice(0, MESSAGE_CHARS_MAX)}…` : text;
