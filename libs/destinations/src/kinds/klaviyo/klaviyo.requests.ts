import type { JsonObject } from '@weir/contracts';
import type { RequestSchemas } from '../../kind.js';

const objectWith = (required: readonly string[], properties: JsonObject = {}): JsonObject => ({
  type: 'object',
  required,
  properties,
});
const listOf = (items: JsonObject): JsonObject => ({ type: 'array', minItems: 1, items });
const data = (item: JsonObject): JsonObject => objectWith(['data'], { data: item });
const resource = (type: string, attributes: JsonObject, required: readonly string[] = []): JsonObject =>
  objectWith(['type', 'attributes', ...required], { type: { const: type }, attributes });

const PROFILE = resource('profile', objectWith(['properties'], { properties: { type: 'object' } }));
const NAMED = objectWith(['name'], { name: { type: 'string', minLength: 1 } });
/** The oldest revision has metric and profile without an envelope, and takes any value. */
const EVENT = {
  anyOf: [
    objectWith(['metric', 'profile', 'properties'], {
      metric: data(resource('metric', NAMED)),
      profile: data(PROFILE),
      value: { type: 'number' },
    }),
    objectWith(['metric', 'profile', 'properties'], { metric: NAMED, profile: { type: 'object', minProperties: 1 } }),
  ],
};

const PERSON = { type: 'object', anyOf: [{ required: ['email'] }, { required: ['phone_number'] }] };
const OLD_JOB = objectWith(['list_id', 'subscriptions'], { subscriptions: listOf(PERSON) });
const job = (type: string): JsonObject => {
  const current = objectWith(['profiles'], { profiles: data(listOf(resource('profile', PERSON))) });
  return data({ anyOf: [resource(type, current, ['relationships']), resource(type, OLD_JOB)] });
};

/** Requirements of https://developers.klaviyo.com/en/reference/api_overview requires. */
export const klaviyoRequests: RequestSchemas = {
  'POST /api/profile-import': data(PROFILE),
  'POST /api/events': data(resource('event', EVENT)),
  'POST /api/profile-subscription-bulk-create-jobs': job('profile-subscription-bulk-create-job'),
  'POST /api/profile-subscription-bulk-delete-jobs': job('profile-subscription-bulk-delete-job'),
};
