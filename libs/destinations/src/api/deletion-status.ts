import type { DeletionOutcome, Outbound } from '../kind.js';
import { type ApiCall, sendCall } from './api-call.js';
import { outcomeOfAnswer } from './api-deletion.js';
import { parsedJson } from './json.js';

/**
 * Asks a vendor for the outcome of a deletion. Only a clear statement of the vendor ends it. After any other response Weir asks
 * again. `meaningOf` gets the parsed response and returns undefined if it is not clear.
 */
export async function askStatus(
  outbound: Outbound,
  call: ApiCall,
  vendor: string,
  meaningOf: (answer: unknown) => DeletionOutcome | undefined,
): Promise<DeletionOutcome> {
  const answer = await sendCall(outbound, call);
  const asked = outcomeOfAnswer(answer, { vendor, success: 'complete' }, 1, Date.now());
  if (asked.status === 'failed') return asked;
  if (asked.status !== 'complete') return { status: 'failed', reason: `${vendor} answered ${answer.status}` };
  const meaning = meaningOf(parsedJson(answer.body.toString('utf8')));
  return meaning ?? { status: 'failed', reason: `${vendor} gave an answer that cannot be read` };
}
