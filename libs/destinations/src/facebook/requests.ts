import type { JsonObject } from '@weir/contracts';
import type { RequestSchemas } from '../kind.js';
import * as kit from '../toolkit/index.js';

const PERSONAL = ['external_id', 'em', 'ph', 'ge', 'db', 'ln', 'fn', 'ct', 'st', 'country', 'zp'];

/** Requirements of https://developers.facebook.com/docs/marketing-api/conversions-api/parameters */
export function conversionsRequests(customData: JsonObject, required: readonly string[] = []): RequestSchemas {
  const event = kit.objectWith(['event_name', 'event_time', 'action_source', 'user_data', ...required], {
    event_name: kit.FILLED_TEXT,
    event_time: { type: 'integer' },
    action_source: kit.FILLED_TEXT,
    user_data: kit.objectWith([], kit.objectOf(PERSONAL.map((key) => [key, kit.FILLED_TEXT]))),
    custom_data: customData,
    app_data: kit.objectWith(['advertiser_tracking_enabled', 'application_tracking_enabled', 'extinfo'], {
      extinfo: { type: 'array', minItems: 16, maxItems: 16 },
    }),
  });
  return {
    'POST /v25.0/{receiver}/events': kit.objectWith(['data'], {
      data: kit.filledList(event),
      test_event_code: kit.FILLED_TEXT,
    }),
  };
}
