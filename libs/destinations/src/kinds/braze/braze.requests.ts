import type { JsonObject } from '@weir/contracts';
import type { RequestSchemas } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

/** A list of at least one object with these keys, whose user Braze can find. */
const listOf = (required: readonly string[], properties: JsonObject = {}): JsonObject => ({
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required,
    properties,
    anyOf: [{ required: ['external_id'] }, { required: ['user_alias'] }],
  },
});

const ALIAS = { type: 'object', required: ['alias_name', 'alias_label'] };
const EXTERNAL_ID = { type: 'object', required: ['external_id'], properties: { external_id: kit.FILLED_TEXT } };

const objects = (key: string, items: JsonObject): JsonObject => ({
  type: 'object',
  required: [key],
  properties: { [key]: { type: 'array', minItems: 1, items } },
});

/** Requirements of https://www.braze.com/docs/api/endpoints/user_data and the pages of its objects. */
export const brazeRequests: RequestSchemas = {
  'POST /users/track': {
    type: 'object',
    anyOf: [{ required: ['attributes'] }, { required: ['events'] }, { required: ['purchases'] }],
    properties: {
      attributes: listOf([]),
      events: listOf(['name'], { name: kit.FILLED_TEXT, properties: { type: 'object' } }),
      purchases: listOf(['product_id', 'currency', 'price', 'quantity', 'time'], {
        ...{
          product_id: kit.FILLED_TEXT,
          currency: kit.FILLED_TEXT,
          price: { type: 'number' },
          quantity: { type: 'integer' },
        },
      }),
    },
  },
  'POST /users/identify': objects('aliases_to_identify', {
    type: 'object',
    required: ['external_id', 'user_alias'],
    properties: { external_id: kit.FILLED_TEXT, user_alias: ALIAS },
  }),
  'POST /users/merge': objects('merge_updates', {
    type: 'object',
    required: ['identifier_to_merge', 'identifier_to_keep'],
    properties: { identifier_to_merge: EXTERNAL_ID, identifier_to_keep: EXTERNAL_ID },
  }),
  'POST /v2/subscription/status/set': objects('subscription_groups', {
    type: 'object',
    required: ['subscription_group_id', 'subscription_state'],
    properties: { subscription_state: { enum: ['subscribed', 'unsubscribed'] } },
    oneOf: [{ required: ['emails'] }, { required: ['phones'] }],
  }),
};
