import { createHash } from 'node:crypto';
import { AppError, isJsonObject, type JsonObject } from '@weir/contracts';
import { type ApiCall, required, sendCall } from '../api/api-call.js';
import { joinedOutcome, type KindDeletion, outcomeOfAnswer } from '../api/api-deletion.js';
import { askStatus } from '../api/deletion-status.js';
import { identifiersOf } from '../api/identifiers.js';
import type { DeletionOutcome, DeletionRequest, Outbound } from '../kind.js';

const VENDOR = 'AppsFlyer';
const ADDRESS = 'https://hq1.appsflyer.com/api/gdpr/v1/opendsr_requests';
/** OpenDSR allows no more. */
const CALLBACKS_MAX = 3;

type Platform = 'ios' | 'android';
/** Identity types by the user's keys, the surest first; those of a device belong to one platform only. */
const IDENTITIES: [key: string, type: string, platforms: Platform[]][] = [
  ['appsflyer_id', 'appsflyer_id', ['android', 'ios']],
  ['ios_advertising_id', 'ios_advertising_id', ['ios']],
  ['android_advertising_id', 'android_advertising_id', ['android']],
  ['userId', 'customer_user_id', ['android', 'ios']],
];

/** OpenDSR API, https://support.appsflyer.com/hc/en-us/articles/11332840660625-OpenDSR-API: every request is a job. */
export const appsflyerDeletion: KindDeletion = {
  deletionUsersMax: 1,
  deletionIdentifiers: IDENTITIES.map(([key]) => key),
  delete: async (request, outbound) => {
    const outcomes: DeletionOutcome[] = [];
    for (const call of appsflyerCalls(request)) {
      const outcome = await ask(outbound, call);
      if (outcome.status !== 'complete' && outcome.status !== 'forwarded') return outcome;
      outcomes.push(outcome);
    }
    return joinedOutcome(outcomes);
  },
  deletionStatus: async ({ config, receipt }, outbound) => {
    const outcomes: DeletionOutcome[] = [];
    for (const id of receipt.split(',')) {
      const outcome = await statusOf(outbound, config, id);
      if (outcome.status !== 'complete' && outcome.status !== 'forwarded') return outcome;
      outcomes.push(outcome);
    }
    return joinedOutcome(outcomes);
  },
};

interface DsrCall extends ApiCall {
  id: string;
  config: JsonObject;
}

/** One request for each app in which the user may be: an app knows its own data only. */
export function appsflyerCalls(request: DeletionRequest, now = new Date()): DsrCall[] {
  const { config, users } = request;
  const apps = appsOf(config);
  const [identity] = IDENTITIES.flatMap(([key, type, platforms]) =>
    identifiersOf(users, key).map((value) => ({
      value,
      type,
      places: apps.filter(([at]) => platforms.includes(at)),
      platforms,
    })),
  );
  if (!identity)
    throw new AppError('unsupported', `${VENDOR} needs one of ${IDENTITIES.map(([key]) => key).join(', ')}`);
  const { type, value, places, platforms } = identity;
  if (places.length === 0) {
    throw new AppError(
      'invalid',
      `deletion by ${type} needs ${platforms.map((platform) => APP_KEYS[platform]).join(' or ')}`,
    );
  }
  const callbacks = callbacksOf(config);
  return places.map(([, app]) => {
    const id = requestId([request.regulationId, request.destinationId, app, type, value]);
    const body = {
      subject_request_id: id,
      subject_request_type: 'erasure',
      submitted_time: now.toISOString(),
      subject_identities: [{ identity_type: type, identity_value: value, identity_format: 'raw' }],
      property_id: app,
      ...(callbacks.length > 0 && { status_callback_urls: callbacks }),
    };
    return { id, config, method: 'POST', url: ADDRESS, headers: headersOf(config), body };
  });
}

/** A refusal may mean that the request is known from an attempt whose answer was lost: then its status counts. */
async function ask(outbound: Outbound, { id, config, ...call }: DsrCall): Promise<DeletionOutcome> {
  const success = { vendor: VENDOR, success: 'forwarded', receiptOf: () => id } as const;
  const outcome = outcomeOfAnswer(await sendCall(outbound, call), success, 1, Date.now());
  if (outcome.status !== 'aborted') return outcome;
  const known = await statusOf(outbound, config, id);
  return known.status === 'complete' || known.status === 'forwarded' ? known : outcome;
}

async function statusOf(outbound: Outbound, config: JsonObject, id: string): Promise<DeletionOutcome> {
  const call: ApiCall = { method: 'GET', url: `${ADDRESS}/${encodeURIComponent(id)}`, headers: headersOf(config) };
  return askStatus(outbound, call, VENDOR, (answer) => {
    const status = isJsonObject(answer) ? answer['request_status'] : undefined;
    if (status === 'completed') return { status: 'complete' };
    if (status === 'pending' || status === 'in_progress') return { status: 'forwarded', receipt: id };
    if (status === 'canceled' || status === 'cancelled')
      return { status: 'aborted', reason: `${VENDOR} cancelled the request` };
    return undefined;
  });
}

const APP_KEYS: Record<Platform, string> = { android: 'androidAppId', ios: 'appleAppId' };

/** Apple's ids begin with `id` everywhere at AppsFlyer, but configurations hold the number alone. */
function appsOf(config: JsonObject): [Platform, string][] {
  const text = (key: string) => (typeof config[key] === 'string' ? config[key].trim() : '');
  const apps: [Platform, string][] = [
    ['android', text(APP_KEYS.android)],
    ['ios', text(APP_KEYS.ios).replace(/^(?=\d+$)/, 'id')],
  ];
  return apps.filter(([, app]) => app !== '');
}

function callbacksOf({ statusCallbackUrls }: JsonObject): string[] {
  const text = typeof statusCallbackUrls === 'string' ? statusCallbackUrls : '';
  const callbacks = text
    .split(',')
    .map((url) => url.trim())
    .filter((url) => url !== '');
  if (callbacks.length > CALLBACKS_MAX) {
    throw new AppError('invalid', `statusCallbackUrls may hold at most ${CALLBACKS_MAX} addresses`);
  }
  return callbacks;
}

/** The same for a repeated attempt, so that AppsFlyer knows it again: a hash in the form of a random UUID, which it demands. */
function requestId(parts: string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const headersOf = (config: JsonObject) => ({ authorization: `Bearer ${required(config, 'apiToken')}` });
