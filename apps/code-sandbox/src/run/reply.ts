import { AppError, type FetchCall, PAYLOAD_BYTES_MAX } from '@weir/contracts';
import { LOG_BYTES_MAX, RESULTS_BYTES_MAX } from '../limits.js';
import { commaJoined } from '../wire/comma-joined.js';
import { resultJson } from '../wire/outcome.js';
import type { EventRuns } from './event-runs.js';

/**
 * Builds the reply of `sandbox.code.run.v1` as JSON in parts, with unchanged results. Throws `too_large` if several events do not
 * fit one message, so that the caller sends fewer.
 */
export function replyOf(runs: EventRuns, fetches: FetchCall[] = []): Buffer[] {
  const more = {
    logs: boundedLogs(runs.logs),
    ...(runs.strays.length > 0 && { strayErrors: runs.strays }),
    ...(fetches.length > 0 && { fetches }),
    ...runs.runtime,
  };
  const tail = Buffer.from(`],${JSON.stringify(more).slice(1)}`);
  const reply = [START, ...commaJoined(fittingResults(runs)), tail];
  if (reply.reduce((sum, { length }) => sum + length, 0) > PAYLOAD_BYTES_MAX) throw tooLarge();
  return reply;
}

/** A single event that is too large gets an error result, because the caller cannot send less. */
function fittingResults({ results, isTooLarge }: EventRuns): Buffer[] {
  const known = results.filter((result) => result !== undefined);
  const bytes = known.reduce((sum, { length }) => sum + length + 1, 0);
  if (!isTooLarge && bytes <= RESULTS_BYTES_MAX) return known;
  if (results.length > 1) throw tooLarge();
  return [resultJson({ status: 'error', error: { message: TOO_LARGE } })];
}

const TOO_LARGE = `The results are larger than ${RESULTS_BYTES_MAX} bytes`;
const tooLarge = () => new AppError('too_large', `${TOO_LARGE}: send fewer events`);

const START = Buffer.from('{"results":[');

function boundedLogs(logs: string[]): string[] {
  let left = LOG_BYTES_MAX;
  const fitting = logs.findIndex((line) => {
    left -= Buffer.byteLength(JSON.stringify(line)) + 1;
    return left < 0;
  });
  return fitting === -1 ? logs : logs.slice(0, fitting);
}
