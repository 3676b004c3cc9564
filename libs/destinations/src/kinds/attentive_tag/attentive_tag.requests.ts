import type { JsonObject } from '@weir/contracts';
import type { RequestSchemas } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

const ADDRESS = { phone: kit.FILLED_ID, email: kit.FILLED_ID };
const EXTERNAL = {
  type: 'object',
  minProperties: 1,
  properties: { clientUserId: kit.FILLED_ID, customIdentifiers: { type: 'array' } },
};
const USER = { type: 'object', minProperties: 1, properties: { ...ADDRESS, externalIdentifiers: EXTERNAL } };
const CONTACT = {
  type: 'object',
  properties: ADDRESS,
  anyOf: [{ required: ['phone'] }, { required: ['email'] }],
};

const ITEM = kit.objectWith(['productId', 'productVariantId', 'price'], {
  productId: kit.FILLED_ID,
  productVariantId: kit.FILLED_ID,
  quantity: kit.FILLED_ID,
  price: kit.filledList(kit.objectWith(['value'], { value: { type: 'number' } })),
});
const TIME = { type: 'string', pattern: '^[-+0-9]+T[0-9:.]+Z$' };
const commerce = kit.objectWith(['user', 'items'], { user: USER, items: kit.filledList(ITEM), occurredAt: TIME });
const ofUser = (required: readonly string[], properties: JsonObject): JsonObject =>
  kit.objectWith(['user', ...required], { user: USER, ...properties });

/** Requirements of https://docs.attentive.com/openapi/reference/ */
export const attentiveTagRequests: RequestSchemas = {
  'POST /v1/subscriptions': kit.objectWith(['user', 'signUpSourceId'], {
    user: CONTACT,
    signUpSourceId: kit.FILLED_TEXT,
    externalIdentifiers: EXTERNAL,
  }),
  'POST /v1/subscriptions/unsubscribe': kit.objectWith(['user'], { user: CONTACT }),
  'POST /v1/identity-resolution/user-identifiers': { type: 'object', minProperties: 2, properties: ADDRESS },
  'POST /v1/attributes/custom': ofUser(['properties'], { properties: { type: 'object', minProperties: 1 } }),
  'POST /v1/events/ecommerce/{what}': commerce,
  'POST /v1/events/custom': ofUser(['type'], {
    type: kit.FILLED_TEXT,
    properties: { type: 'object' },
    occurredAt: TIME,
  }),
};
