import { AppError, PAYLOAD_BYTES_MAX, type StageResults } from '@weir/contracts';

/** Reserved for the fields of a reply other than the results. */
const ENVELOPE_BYTES = 8_192;
const RESULTS_BYTES_MAX = PAYLOAD_BYTES_MAX - ENVELOPE_BYTES;

/**
 * Shortens the results to fit one message. Cuts the answers of destinations, each to an equal share. Throws `too_large` if the
 * payloads alone do not fit.
 */
export function fittedResults(results: StageResults[], bytesMax = RESULTS_BYTES_MAX): StageResults[] {
  if (bytesOf(results) <= bytesMax) return results;
  const answers = results.flatMap(({ destination_response }) => listOf(destination_response));
  const bare = results.map((result) => withAnswers(result, () => ''));
  const share = Math.floor((bytesMax - bytesOf(bare)) / Math.max(1, answers.length));
  if (share < 0 || answers.length === 0) {
    throw new AppError('too_large', 'What the stages made of the event does not fit one answer: test a smaller event');
  }
  return results.map((result) => withAnswers(result, (answer) => cutTo(answer, share)));
}

function withAnswers(result: StageResults, change: (answer: unknown) => unknown): StageResults {
  if (!Array.isArray(result.destination_response)) return result;
  return { ...result, destination_response: result.destination_response.map(change) };
}

/** JSON encoding may use six bytes for a character, so this halves the text until it fits. */
function cutTo(answer: unknown, bytesMax: number): unknown {
  if (bytesOf(answer) <= bytesMax) return answer;
  let text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  while (text !== '' && bytesOf(text) > bytesMax) text = text.slice(0, Math.floor(text.length / 2));
  return text.toWellFormed();
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');
