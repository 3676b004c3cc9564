import { isJsonObject, type JsonObject } from '@weir/contracts';
import { type ApiCall, identifiersOf, required, userIdsOf } from '../../deletion/api-call.js';
import { askStatus, deleteByCall } from '../../deletion/api-deletion.js';
import type { DeletionOutcome, KindDeletion } from '../../kind.js';
import { objectsOf, parsedJson } from '../../toolkit/convert.js';
import * as kit from '../../toolkit/index.js';

const VENDOR = 'Amplitude';
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** User Privacy API, https://amplitude.com/docs/apis/analytics/user-privacy. Jobs run days later. */
export const amplitudeDeletion: KindDeletion = {
  // A request takes 100 ids, and a user may have two.
  usersMax: 50,
  identifiers: ['userId', 'amplitude_id'],
  requires: ['apiKey', 'apiSecret'],
  delete: async ({ config, users }, outbound) =>
    deleteByCall(
      outbound,
      amplitudeCall(config, users),
      { vendor: VENDOR, success: 'forwarded', jobReferenceOf: daysOf },
      users,
    ),
  status: async ({ config, jobReference }, outbound) => {
    const days = jobReference.split(',').sort();
    return askStatus(outbound, amplitudeJobs(config, days), VENDOR, (answer) => outcomeOfJobs(answer, days));
  },
};

function amplitudeCall(config: JsonObject, users: JsonObject[]): ApiCall {
  const amplitudeIds = identifiersOf(users, 'amplitude_id').map(Number).filter(Number.isSafeInteger);
  return {
    method: 'POST',
    url: addressOf(config),
    headers: headersOf(config),
    body: {
      user_ids: userIdsOf(users),
      ...(amplitudeIds.length > 0 && { amplitude_ids: amplitudeIds }),
      requester: 'Weir',
      // The documentation contains both names. Without the right one, an unknown user fails all others.
      ignore_invalid_id: 'true',
      ignore_invalid_ids: 'true',
    },
  };
}

/** Amplitude identifies jobs by the day on which they are scheduled. */
function amplitudeJobs(config: JsonObject, days: readonly string[]): ApiCall {
  const url = new URL(addressOf(config));
  url.searchParams.set('start_day', days.at(0) ?? '');
  url.searchParams.set('end_day', days.at(-1) ?? '');
  return { method: 'GET', url: url.href, headers: headersOf(config) };
}

function daysOf(body: string): string | undefined {
  const days = objectsOf(parsedJson(body)).map(({ day }) => String(day));
  return [...new Set(days.filter((day) => DAY.test(day)))].join(',') || undefined;
}

function outcomeOfJobs(answer: unknown, days: readonly string[]): DeletionOutcome | undefined {
  if (!Array.isArray(answer)) return undefined;
  const done = answer.filter(isJsonObject).filter(({ status }) => status === 'done');
  const isDone = days.every((day) => done.some((job) => job['day'] === day));
  return isDone ? { status: 'complete' } : { status: 'forwarded' };
}

const addressOf = ({ residencyServer }: JsonObject) =>
  `https://${residencyServer === 'EU' ? 'analytics.eu.amplitude.com' : 'amplitude.com'}/api/2/deletions/users`;

const headersOf = (config: JsonObject) => kit.basicAuth(required(config, 'apiKey'), required(config, 'apiSecret'));
