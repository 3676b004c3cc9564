import { createHash } from 'node:crypto';
import { AppError, isJsonObject, type JsonObject } from '@weir/contracts';
import { type ApiCall, identifiersOf, required, sendCall } from '../../deletion/api-call.js';
import { askStatus, joinedOutcome, noIdentifier, outcomeOfAnswer } from '../../deletion/api-deletion.js';
import type { DeletionOutcome, DeletionRequest, KindDeletion, Outbound } from '../../kind.js';

const VENDOR = 'AppsFlyer';

const ADDRESS = 'https://hq1.appsflyer.com/api/gdpr/v1/opendsr_requests';
/** Limit of OpenDSR. */
const CALLBACKS_MAX = 3;

/** Per platform: the configuration key of the app, and the app's identifiers of a user, the most reliable first. */
const PLATFORMS = [
  { appKey: 'androidAppId', ownKey: 'android_advertising_id' },
  { appKey: 'appleAppId', ownKey: 'ios_advertising_id' },
];
const identitiesOf = (ownKey: string): [key: string, type: string][] => [
  ['appsflyer_id', 'appsflyer_id'],
  [ownKey, ownKey],
  ['userId', 'customer_user_id'],
];
const IDENTIFIERS = ['appsflyer_id', ...PLATFORMS.map(({ ownKey }) => ownKey), 'userId'];

/** OpenDSR API, https://support.appsflyer.com/hc/en-us/articles/11332840660625-OpenDSR-API. Every request is a job. */
export const appsflyerDeletion: KindDeletion = {
  usersMax: 1,
  identifiers: IDENTIFIERS,
  delete: async (request, outbound) =>
    untilRefused(erasures(request), (erasure) => ask(outbound, request.config, erasure)),
  status: async ({ config, jobReference }, outbound) =>
    untilRefused(jobReference.split(','), (id) => statusOf(outbound, config, id)),
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
  const success = { vendor: VENDOR, success: 'forwarded', jobReferenceOf: () => id } as const;
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
  if (status === 'pending' || status === 'in_progress') return { status: 'forwarded', jobReference: id };
  const isCancelled = status === 'canceled' || status === 'cancelled';
  return isCancelled ? { status: 'aborted', reason: `${VENDOR} cancelled the request` } : undefined;
}

/** An erasure request and its id at AppsFlyer. */
interface Erasure {
  id: string;
  call: ApiCall;
}

/**
 * One request per app of the configuration, because an app knows only its own data. Throws `AppError('unsupported')` for a user
 * without any identifier, and `AppError('invalid')` for a configuration that lacks the app of an identifier.
 */
function erasures(request: DeletionRequest, now = new Date()): Erasure[] {
  const { config, users } = request;
  const headers = headersOf(config);
  const callbacks = callbacksOf(config);
  const found = PLATFORMS.flatMap(({ appKey, ownKey }) => {
    const app = appOf(config, appKey);
    if (app === '' && identifiersOf(users, ownKey).length > 0) {
      throw new AppError('invalid', `deletion by ${ownKey} needs ${appKey}`);
    }
    const [identity] = identitiesOf(ownKey).flatMap(([key, type]) =>
      identifiersOf(users, key).map((value) => ({ type, value })),
    );
    return app === '' || !identity ? [] : [{ app, ...identity }];
  });
  if (PLATFORMS.every(({ appKey }) => appOf(config, appKey) === '')) {
    throw new AppError('invalid', `deletion needs ${PLATFORMS.map(({ appKey }) => appKey).join(' or ')}`);
  }
  if (found.length === 0) throw noIdentifier('AppsFlyer');
  return found.map(({ app, type, value }) => {
    const id = requestId([request.regulationId, request.destinationId, app, type, value]);
    const body = {
      subject_request_id: id,
      subject_request_type: 'erasure',
      submitted_time: now.toISOString(),
      subject_identities: [{ identity_type: type, identity_value: value, identity_format: 'raw' }],
      property_id: app,
      ...(callbacks.length > 0 && { status_callback_urls: callbacks }),
    };
    return { id, call: { method: 'POST', url: ADDRESS, headers, body } };
  });
}

export const headersOf = (config: JsonObject) => ({ authorization: `Bearer ${required(config, 'apiToken')}` });

/** AppsFlyer's ids of Apple apps begin with `id`, but configurations hold only the number. */
function appOf(config: JsonObject, key: string): string {
  const app = typeof config[key] === 'string' ? config[key].trim() : '';
  return key === 'appleAppId' && /^\d+$/.test(app) ? `id${app}` : app;
}

function callbacksOf({ statusCallbackUrls }: JsonObject): string[] {
  const text = typeof statusCallbackUrls === 'string' ? statusCallbackUrls : '';
  const callbacks = text.split(',').map((url) => url.trim());
  const given = callbacks.filter((url) => url !== '');
  if (given.length > CALLBACKS_MAX) {
    throw new AppError('invalid', `statusCallbackUrls may hold at most ${CALLBACKS_MAX} addresses`);
  }
  return given;
}

/** The same for every attempt, so that AppsFlyer recognises it. A hash in the form of a random UUID, which AppsFlyer requires. */
function requestId(parts: string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
