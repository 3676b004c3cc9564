import { AppError } from '@weir/contracts';
import { parseRetryAfter } from '../http-response.js';
import type { DeletionOutcome, DeletionRequest, DestinationKind, Outbound, OutboundResponse } from '../kind.js';
import { type ApiCall, sendCall } from './api-call.js';

/** What a kind needs to forget users: spread it into the `DestinationKind`. */
export type KindDeletion = Required<Pick<DestinationKind, 'delete' | 'deletionUsersMax'>> &
  Pick<DestinationKind, 'deletionIdentifiers' | 'deletionStatus'>;

/** How a vendor deletes users with one request. */
export interface ApiDeletion {
  /** Named in reasons. */
  vendor: string;
  /** What a 2xx means: deleted, or taken for later. */
  success: 'complete' | 'forwarded';
  /** The address names the user, so 404 means that there is none. */
  isAddressed?: boolean;
  /** For vendors that say no with a 2xx. */
  isRefusal?: (body: string) => boolean;
  /** For vendors that say with another status than 404 that nobody was there to delete. */
  isNothingToDo?: (status: number, body: string) => boolean;
  /** Of an answer that forwards: what asks for the outcome later, when the vendor can be asked. */
  receiptOf?: (body: string) => string | undefined;
  /** Of a success that leaves something out. */
  note?: string;
}

/** Sends one request and says what its answer means for all its users. */
export async function deleteByCall(
  outbound: Outbound,
  call: ApiCall,
  deletion: ApiDeletion,
  users: DeletionRequest['users'],
): Promise<DeletionOutcome> {
  return outcomeOfAnswer(await sendCall(outbound, call), deletion, users.length, Date.now());
}

/**
 * Several requests that together delete the users, one after another, because vendors throttle. The first that does not
 * succeed ends it; all of them are made again then, as a deletion may be repeated.
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

/** A user of whom nothing is known that the vendor takes is not deleted, and must not look so. */
export const noIdentifier = (vendor: string): AppError =>
  new AppError('unsupported', `the regulation gives no identifier by which ${vendor} deletes`);

/** Of successes: what one of them has yet to carry out is yet to be carried out. */
export function joinedOutcome(outcomes: readonly DeletionOutcome[]): DeletionOutcome {
  const forwarded = outcomes.filter((outcome) => outcome.status === 'forwarded');
  const [reason] = outcomes.flatMap((outcome) => outcome.reason ?? []);
  const receipt = [...new Set(forwarded.flatMap((outcome) => outcome.receipt ?? []))].join(',');
  if (forwarded.length === 0) return { status: 'complete', ...(reason !== undefined && { reason }) };
  return { status: 'forwarded', ...(reason !== undefined && { reason }), ...(receipt !== '' && { receipt }) };
}

/**
 * Pure. Refused credentials and throttling are tried again later, as a person or time may heal them. Any other refusal is
 * final, but of several users it may concern one only. Nothing of the answer's text is passed on: it may name the user.
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

function successOf({ success, note, receiptOf }: ApiDeletion, body: string): DeletionOutcome {
  const reason = note === undefined ? {} : { reason: note };
  if (success === 'complete') return { status: 'complete', ...reason };
  const receipt = receiptOf?.(body);
  return { status: 'forwarded', ...reason, ...(receipt !== undefined && { receipt }) };
}
