import type { JsonObject } from '@weir/contracts';
import type { RequestSchemas } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

const LISTED = ['em', 'ph', 'ge', 'db', 'ln', 'fn', 'ct', 'st', 'zp', 'country', 'hashed_maids', 'external_id'];
const SINGLE = ['client_ip_address', 'client_user_agent', 'click_id', 'partner_id'];
const schemaOf = (keys: readonly string[], schema: JsonObject) => kit.objectOf(keys.map((key) => [key, schema]));

const USER: JsonObject = {
  type: 'object',
  anyOf: [['em'], ['hashed_maids'], ['client_ip_address', 'client_user_agent']].map((required) => ({ required })),
  properties: { ...schemaOf(LISTED, kit.filledList(kit.FILLED_TEXT)), ...schemaOf(SINGLE, kit.FILLED_TEXT) },
};
const TEXTS_OF_ITEM = ['id', 'item_name', 'item_category', 'item_brand', 'item_price'];
const CUSTOM = kit.objectWith(['num_items', 'contents'], {
  num_items: { type: 'number' },
  content_ids: { type: 'array', items: kit.FILLED_TEXT },
  contents: {
    type: 'array',
    items: {
      type: 'object',
      properties: { ...schemaOf(TEXTS_OF_ITEM, kit.FILLED_TEXT), quantity: { type: 'number' } },
    },
  },
  ...schemaOf(['value', 'order_id', 'content_name', 'content_category', 'content_brand', 'np'], kit.FILLED_TEXT),
});

const event = (more: readonly string[]): JsonObject =>
  kit.objectWith(['event_name', 'action_source', 'event_time', 'user_data', ...more], {
    event_name: kit.FILLED_TEXT,
    action_source: { enum: ['app_android', 'app_ios', 'web', 'offline'] },
    event_time: { type: 'integer' },
    event_id: kit.FILLED_ID,
    opt_out: { type: 'boolean' },
    wifi: { const: true },
    user_data: USER,
    custom_data: CUSTOM,
  });
/** A payload is an event. A request lists events, which `pinterestTagDeliver` sees to. */
const oneOrList = (one: JsonObject): JsonObject => ({
  anyOf: [kit.objectWith(['data'], { data: kit.filledList(one) }), one],
});

/** Requirements of https://developers.pinterest.com/docs/api/v5/events-create, and the advertiser of version 3. */
export const pinterestTagRequests: RequestSchemas = {
  'POST /v5/ad_accounts/{account}/events': oneOrList(event([])),
  'POST /events/v3': oneOrList(event(['advertiser_id'])),
};
