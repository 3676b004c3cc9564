import type { JsonObject } from '@weir/contracts';
import type { RequestSchemas } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

const data = (item: JsonObject): JsonObject => kit.objectWith(['data'], { data: item });
const resource = (type: string, attributes: JsonObject, required: readonly string[] = []): JsonObject =>
  kit.objectWith(['type', 'attributes', ...required], { type: { const: type }, attributes });

const PROFILE = resource('profile', kit.objectWith(['properties'], { properties: { type: 'object' } }));
const NAMED = kit.objectWith(['name'], { name: kit.FILLED_TEXT });
/** The oldest revision has metric and profile without an envelope, and takes any value. */
const EVENT = {
  anyOf: [
    kit.objectWith(['metric', 'profile', 'properties'], {
      metric: data(resource('metric', NAMED)),
      profile: data(PROFILE),
      value: { type: 'number' },
    }),
    kit.objectWith(['metric', 'profile', 'properties'], {
      metric: NAMED,
      profile: { type: 'object', minProperties: 1 },
    }),
  ],
};

const PERSON = { type: 'object', anyOf: [{ required: ['email'] }, { required: ['phone_number'] }] };
const OLD_JOB = kit.objectWith(['list_id', 'subscriptions'], { subscriptions: kit.filledList(PERSON) });
const job = (type: string): JsonObject => {
  const current = kit.objectWith(['profiles'], { profiles: data(kit.filledList(resource('profile', PERSON))) });
  return data({ anyOf: [resource(type, current, ['relationships']), resource(type, OLD_JOB)] });
};

/** Requirements of https://developers.klaviyo.com/en/reference/api_overview requires. */
export const klaviyoRequests: RequestSchemas = {
  'POST /api/profile-import': data(PROFILE),
  'POST /api/events': data(resource('event', EVENT)),
  'POST /api/profile-subscription-bulk-create-jobs': job('profile-subscription-bulk-create-job'),
  'POST /api/profile-subscription-bulk-delete-jobs': job('profile-subscription-bulk-delete-job'),
};
