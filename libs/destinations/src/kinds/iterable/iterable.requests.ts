import type { JsonObject } from '@weir/contracts';
import type { RequestSchemas } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

/** An object about a person, known by e-mail or id. */
const person = (properties: JsonObject = {}, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  required,
  properties: { email: kit.FILLED_TEXT, userId: kit.FILLED_TEXT, ...properties },
  anyOf: [{ required: ['email'] }, { required: ['userId'] }],
});

const ITEMS = {
  type: 'array',
  items: {
    type: 'object',
    required: ['id', 'name', 'price', 'quantity'],
    properties: { price: { type: 'number' }, quantity: { type: 'integer' } },
  },
};
const order = (properties: JsonObject = {}, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  required: ['user', 'items', ...required],
  properties: { user: person(), items: ITEMS, ...properties },
});

/** Requirements of https://api.iterable.com/api/docs. */
export const iterableRequests: RequestSchemas = {
  'POST /api/users/update': person({ dataFields: { type: 'object' } }),
  'POST /api/events/track': person({ createdAt: { type: ['number', 'null'] }, dataFields: { type: 'object' } }),
  'POST /api/commerce/updateCart': order(),
  'POST /api/commerce/trackPurchase': order({ total: { type: 'number' } }, ['total']),
  'POST /api/users/updateEmail': { type: 'object', required: ['currentEmail', 'newEmail'] },
  'POST /api/users/registerDeviceToken': person(
    {
      device: { type: 'object', required: ['token', 'platform'], properties: { platform: { enum: ['APNS', 'GCM'] } } },
    },
    ['device'],
  ),
  'POST /api/users/registerBrowserToken': person({}, ['browserToken']),
  'POST /api/catalogs/{type}/items': {
    type: 'object',
    required: ['update'],
    properties: { update: { type: 'object' } },
  },
};
