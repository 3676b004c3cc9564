import type { RequestSchemas } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { STANDARD_NAMES } from './branch.names.js';

const FLAT = { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } };
const WORDS = kit.filledList(kit.FILLED_TEXT);
const ITEM = {
  type: 'object',
  patternProperties: { '^\\$(price|quantity|rating_|latitude|longitude)': { type: 'number' } },
  properties: { $keywords: WORDS, $image_captions: WORDS, $custom_fields: FLAT },
};
const USER = {
  type: 'object',
  properties: {
    os: { type: 'string' },
    os_version: { type: 'string' },
    developer_identity: kit.FILLED_TEXT,
    limit_ad_tracking: { type: 'boolean' },
    screen_dpi: { type: 'number' },
  },
  additionalProperties: { type: ['string', 'number', 'boolean'] },
};
const BODY = { branch_key: kit.FILLED_TEXT, user_data: USER, custom_data: FLAT, content_items: kit.filledList(ITEM) };
const ORDER = {
  type: 'object',
  properties: { revenue: { type: 'number' }, shipping: { type: 'number' }, tax: { type: 'number' } },
  additionalProperties: kit.FILLED_TEXT,
};

/** https://help.branch.io/apidocs/events-api */
export const branchRequests: RequestSchemas = {
  'POST /v2/event/standard': kit.objectWith(['branch_key', 'name', 'user_data'], {
    ...BODY,
    name: { enum: STANDARD_NAMES },
    event_data: ORDER,
  }),
  'POST /v2/event/custom': kit.objectWith(['branch_key', 'name', 'user_data'], { ...BODY, name: kit.FILLED_TEXT }),
};
