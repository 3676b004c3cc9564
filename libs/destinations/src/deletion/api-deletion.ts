import { AppError, isJsonObject } from '@weir/contracts';
import { parseRetryAfter } from '../delivery/send-payload.js';
import type { DeletionOutcome, DeletionRequest, Outbound, OutboundResponse } from '../kind.js';
import { parsedJson } from '../toolkit/convert.js';
import { type ApiCall, sendCall } from './api-call.js';

/** How a vendor deletes users with one request. */
export interface ApiDeletion {
  /** Name used in reasons. */
  vendor: string;
  /** The meaning of a 2xx: deleted, or accepted for later. */
  success: 'complete' | 'forwarded';
  /** The address names the user, so 404 means that there is none. */
  isAddressed?: boolean;
  /** For vendors that refuse with a 2xx. */
  isRefusal?: (body: string) => boolean;
  /** For vendors that report a missing user with a status other than 404. */
  isNothingToDo?: (status: number, body: string) => boolean;
  /** Reads the job reference from a response that forwards, if the vendor can be asked for the outcome later. */
  jobReferenceOf?: (body: string) => string | undefined;
  /** Reason given with a success that leaves something out. */
  note?: string;
}

/** Sends one request and returns the outcome for all its users. */
export async function deleteByCall(
  outbound: Outbound,
  call: ApiCall,
  deletion: ApiDeletion,
  users: DeletionRequest['users'],
): Promise<DeletionOutcome> {
  return outcomeOfAnswer(await sendCall(outbound, call), deletion, users.length, Date.now());
}

/**
 * Sends several requests that together delete the users, one after another, because vendors throttle. Stops at the first failure.
 * A retry sends all of them again, because deletions may be repeated.
 */
export async function deleteByCalls(
  outbound: Outbound,
  calls: readonly ApiCall[],
  deletion: ApiDeletion,
  users: DeletionRequest['users'],
): Promise<DeletionOutcome> {
  if (calls.length === 0) throw noIdentifier(deletion.vendor);
  const outcomes: DeletionOutcome[] = [];
  for (const call of calls) {
    const outcome = await deleteByCall(outbound, call, deletion, users);
    if (outcome.status !== 'complete' && outcome.status !== 'forwarded') return outcome;
    outcomes.push(outcome);
  }
  return joinedOutcome(outcomes);
}

/** Without an identifier that the vendor accepts, the user is not deleted, and the outcome must not suggest so. */
export const noIdentifier = (vendor: string): AppError =>
  new AppError('unsupported', `the regulation gives no identifier by which ${vendor} deletes`);

/** Joins successful outcomes. The result is `forwarded` if any of them is. */
export function joinedOutcome(outcomes: readonly DeletionOutcome[]): DeletionOutcome {
  const forwarded = outcomes.filter((outcome) => outcome.status === 'forwarded');
  const [reason] = outcomes.flatMap((outcome) => outcome.reason ?? []);
  const jobReference = [...new Set(forwarded.flatMap((outcome) => outcome.jobReference ?? []))].join(',');
  if (forwarded.length === 0) return { status: 'complete', ...(reason !== undefined && { reason }) };
  return { status: 'forwarded', ...(reason !== undefined && { reason }), ...(jobReference !== '' && { jobReference }) };
}

/**
 * Pure. Refused credentials and throttling are retried, because a user or time may resolve them. Any other refusal is final, but
 * among several users it may concern only one. The reason quotes nothing of the response, which may name the user.
 */
export function outcomeOfAnswer(
  { status, headers, body }: OutboundResponse,
  deletion: ApiDeletion,
  users: number,
  nowMs: number,
): DeletionOutcome {
  const { vendor, isAddressed, isRefusal, isNothingToDo } = deletion;
  const text = body.toString('utf8');
  const isOk = status >= 200 && status < 300;
  if (isOk && !isRefusal?.(text)) return successOf(deletion, text);
  if (isOk) return { status: 'aborted', reason: `${vendor} refused the deletion`, tryAlone: users > 1 };
  if ((status === 404 && isAddressed) || isNothingToDo?.(status, text)) return { status: 'complete' };
  if (status === 401 || status === 403)
    return { status: 'failed', reason: `${vendor} refused the credentials (${status})` };
  const reason = `${vendor} answered ${status}`;
  if (status !== 408 && status !== 429 && status < 500) return { status: 'aborted', reason, tryAlone: users > 1 };
  const retryAfterMs = parseRetryAfter(headers['retry-after'], nowMs);
  return { status: 'failed', reason, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

function successOf({ success, note, jobReferenceOf }: ApiDeletion, body: string): DeletionOutcome {
  const reason = note === undefined ? {} : { reason: note };
  if (success === 'complete') return { status: 'complete', ...reason };
  const jobReference = jobReferenceOf?.(body);
  return { status: 'forwarded', ...reason, ...(jobReference !== undefined && { jobReference }) };
}

export interface Search {
  calls: ApiCall[];
  /** Undefined if the body is not a search response. */
  idsOf?: (body: Buffer) => string[] | undefined;
  /** The vendor reports an empty search with 404. */
  isEmptyAt404?: boolean;
}

/**
 * For vendors that delete by their own ids. Looks the users up first. A deletion by our id would give 404, which looks like
 * success. A user whom the vendor does not know counts as deleted.
 */
export async function deleteFound(
  outbound: Outbound,
  { calls, idsOf = foundIds, isEmptyAt404 = false }: Search,
  removals: (vendorIds: string[]) => ApiCall[],
  deletion: ApiDeletion,
): Promise<DeletionOutcome> {
  if (calls.length === 0) throw noIdentifier(deletion.vendor);
  const ids = new Set<string>();
  for (const call of calls) {
    const answer = await sendCall(outbound, call);
    if (answer.status === 404 && isEmptyAt404) continue;
    const asked = outcomeOfAnswer(answer, { vendor: deletion.vendor, success: 'complete' }, 1, Date.now());
    if (asked.status !== 'complete') return asked;
    const found = idsOf(answer.body);
    if (!found) return { status: 'failed', reason: `${deletion.vendor} gave an answer that cannot be read` };
    for (const id of found) ids.add(id);
  }
  return ids.size === 0 ? { status: 'complete' } : deleteByCalls(outbound, removals([...ids]), deletion, [{}]);
}

/** The ids in `data` of a search response. Undefined if the body is not a search response, which differs from an empty result. */
function foundIds(body: Buffer): string[] | undefined {
  const answer = parsedJson(body.toString('utf8'));
  if (!isJsonObject(answer) || !Array.isArray(answer['data'])) return undefined;
  const ids = answer['data'].map((item) => (isJsonObject(item) ? item['id'] : undefined));
  return ids.every((id) => typeof id === 'string' && id !== '') ? ids.map(String) : undefined;
}

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
