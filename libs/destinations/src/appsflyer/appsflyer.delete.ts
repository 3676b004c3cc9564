import { isJsonObject, type JsonObject } from '@weir/contracts';
import { sendCall } from '../api/api-call.js';
import { joinedOutcome, type KindDeletion, outcomeOfAnswer } from '../api/api-deletion.js';
import { askStatus } from '../api/deletion-status.js';
import type { DeletionOutcome, Outbound } from '../kind.js';
import { ADDRESS, type Erasure, erasures, headersOf, IDENTIFIERS } from './appsflyer.erasure.js';

const VENDOR = 'AppsFlyer';

/** OpenDSR API, https://support.appsflyer.com/hc/en-us/articles/11332840660625-OpenDSR-API. Every request is a job. */
export const appsflyerDeletion: KindDeletion = {
  deletionUsersMax: 1,
  deletionIdentifiers: IDENTIFIERS,
  delete: async (request, outbound) =>
    untilRefused(erasures(request), (erasure) => ask(outbound, request.config, erasure)),
  deletionStatus: async ({ config, receipt }, outbound) =>
    untilRefused(receipt.split(','), (id) => statusOf(outbound, config, id)),
};

async function untilRefused<T>(
  items: readonly T[],
  run: (item: T) => Promise<DeletionOutcome>,
): Promise<DeletionOutcome> {
  const outcomes: DeletionOutcome[] = [];
  for (const item of items) {
    const outcome = await run(item);
    if (outcome.status !== 'complete' && outcome.status !== 'forwarded') return outcome;
    outcomes.push(outcome);
  }
  return joinedOutcome(outcomes);
}

/** A refusal may mean that an earlier attempt, whose response was lost, created the request. Then its status counts. */
async function ask(outbound: Outbound, config: JsonObject, { id, call }: Erasure): Promise<DeletionOutcome> {
  const success = { vendor: VENDOR, success: 'forwarded', receiptOf: () => id } as const;
  const outcome = outcomeOfAnswer(await sendCall(outbound, call), success, 1, Date.now());
  if (outcome.status !== 'aborted') return outcome;
  const known = await statusOf(outbound, config, id);
  return known.status === 'complete' || known.status === 'forwarded' ? known : outcome;
}

function statusOf(outbound: Outbound, config: JsonObject, id: string): Promise<DeletionOutcome> {
  const url = `${ADDRESS}/${encodeURIComponent(id)}`;
  return askStatus(outbound, { method: 'GET', url, headers: headersOf(config) }, VENDOR, (answer) =>
    meaningOf(isJsonObject(answer) ? answer['request_status'] : undefined, id),
  );
}

/** AppsFlyer uses both spellings of a cancelled request. */
function meaningOf(status: unknown, id: string): DeletionOutcome | undefined {
  if (status === 'completed') return { status: 'complete' };
  if (status === 'pending' || status === 'in_progress') return { status: 'forwarded', receipt: id };
  const isCancelled = status === 'canceled' || status === 'cancelled';
  return isCancelled ? { status: 'aborted', reason: `${VENDOR} cancelled the request` } : undefined;
}
