import { AppError, EVENT_DEPTH_MAX, type EventResult, type ReplyOf, type RunCode } from '@weir/contracts';
import { LOG_BYTES_MAX, RESULTS_BYTES_MAX } from './limits.js';
import { type ChildAnswer, type Failure, GuestOutcome, type GuestResult } from './protocol.js';
import { CRASHED, userErrorOf } from './user-error.js';

type RunReply = ReplyOf<typeof RunCode>;

/** Turns what a child answered into the reply. The text comes from user code's realm: nothing in it is taken on trust. */
export function replyOf({ failure, resultsJson = '', logs }: ChildAnswer, events: number): RunReply {
  const shownLogs = boundedLogs(logs);
  if (failure) return { results: failAll(failure, events), logs: shownLogs };
  if (resultsJson === '' || Buffer.byteLength(resultsJson) > RESULTS_BYTES_MAX) {
    return { results: [tooLarge(events)], logs: shownLogs };
  }
  const outcome = parseOutcome(resultsJson);
  if (outcome?.results.length !== events) return { results: failAll(NOT_READABLE, events), logs: shownLogs };
  const strays = outcome.strays.map(thrown);
  return {
    results: outcome.results.map(resultOf),
    logs: shownLogs,
    ...(strays.length > 0 && { strayErrors: strays }),
  };
}

/** Every event fails alike: what went wrong was the run's. */
export const failAll = (failure: Failure, events: number): EventResult[] =>
  Array.from({ length: events }, () => ({ status: 'error', error: userErrorOf(failure) }));

const NOT_READABLE: Failure = { kind: 'thrown', text: CRASHED };
const thrown = (text: string) => userErrorOf({ kind: 'thrown', text });

function tooLarge(events: number): EventResult {
  const message = `The results are larger than ${RESULTS_BYTES_MAX} bytes`;
  if (events > 1) throw new AppError('too_large', `${message}: send fewer events`);
  return { status: 'error', error: { message } };
}

function parseOutcome(json: string) {
  try {
    return GuestOutcome.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

function resultOf(result: GuestResult): EventResult {
  if (result.status === 'error') return { status: 'error', error: thrown(result.text) };
  if (result.status === 'dropped' || result.outputs.length === 0) return { status: 'dropped' };
  if (!result.outputs.some((output) => isDeeperThan(output, EVENT_DEPTH_MAX))) return result;
  return { status: 'error', error: { message: `returned event is nested deeper than ${EVENT_DEPTH_MAX} levels` } };
}

/** Without recursion, which is what deep nesting would break. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let layer = [value];
  for (let depth = 0; depth < levels; depth += 1) {
    layer = layer
      .filter((each) => typeof each === 'object' && each !== null)
      .flatMap((each) => Object.values(each as object));
    if (layer.length === 0) return false;
  }
  return true;
}

function boundedLogs(logs: string[]): string[] {
  let left = LOG_BYTES_MAX;
  const fitting = logs.findIndex((line) => {
    left -= Buffer.byteLength(JSON.stringify(line)) + 1;
    return left < 0;
  });
  return fitting === -1 ? logs : logs.slice(0, fitting);
}
