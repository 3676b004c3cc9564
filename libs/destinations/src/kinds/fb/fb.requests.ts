import type { RequestSchemas } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

const SWITCH = { enum: ['0', '1'] };
const HASH = { type: 'string', pattern: '^[0-9a-fA-F]{64}$' };
const USER = ['em', 'fn', 'ln', 'ph', 'ge', 'db', 'ct', 'st', 'zp', 'country'];

const EVENT = {
  ...kit.objectWith(['_eventName'], {
    _eventName: { type: 'string', pattern: '^[0-9a-zA-Z_][0-9a-zA-Z _-]{0,39}$' },
    _logTime: { type: 'number' },
    _valueToSum: { type: 'number' },
    fb_currency: kit.FILLED_TEXT,
    fb_num_items: { type: 'integer' },
    fb_content_id: { type: ['string', 'array'] },
  }),
  additionalProperties: { type: ['string', 'number', 'boolean'] },
};

/** https://developers.facebook.com/docs/graph-api/reference/application/activities/ */
export const fbRequests: RequestSchemas = {
  'POST /v25.0/{app}/activities': kit.objectWith(
    ['event', 'custom_events', 'advertiser_tracking_enabled', 'application_tracking_enabled'],
    {
      ...kit.objectOf(USER.map((key) => [`ud[${key}]`, HASH])),
      event: { const: 'CUSTOM_APP_EVENTS' },
      custom_events: kit.filledList(EVENT),
      extinfo: { type: 'array', minItems: 16, maxItems: 16 },
      advertiser_tracking_enabled: SWITCH,
      application_tracking_enabled: SWITCH,
    },
  ),
};
