import type { RequestSchemas } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

const PERSONAL = ['external_id', 'em', 'ph', 'ge', 'db', 'ln', 'fn', 'ct', 'st', 'country', 'zp'];

const EVENT = kit.objectWith(['event_name', 'event_time', 'action_source', 'user_data', 'custom_data'], {
  event_name: kit.FILLED_TEXT,
  event_time: { type: 'integer' },
  action_source: kit.FILLED_TEXT,
  user_data: kit.objectWith([], kit.objectOf(PERSONAL.map((key) => [key, kit.FILLED_TEXT]))),
  custom_data: kit.objectWith(['currency'], {
    value: { type: 'number' },
    contents: { type: 'array', items: kit.objectWith(['id', 'quantity']) },
    content_category: kit.FILLED_TEXT,
    num_items: { type: 'integer' },
  }),
  app_data: kit.objectWith(['advertiser_tracking_enabled', 'application_tracking_enabled', 'extinfo'], {
    extinfo: { type: 'array', minItems: 16, maxItems: 16 },
  }),
});

/** Requirements of https://developers.facebook.com/docs/marketing-api/conversions-api/parameters */
export const facebookConversionsRequests: RequestSchemas = {
  'POST /v25.0/{dataset}/events': kit.objectWith(['data'], {
    data: kit.filledList(EVENT),
    test_event_code: kit.FILLED_TEXT,
  }),
};
