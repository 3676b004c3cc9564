import type { JsonObject } from '@weir/contracts';
import type { RequestSchemas } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

const HASH = { type: 'string', pattern: '^[a-f0-9]{64}$' };
/** A text of the sender, its hash, or several of them. A phone may be a number. */
const PERSONAL = { type: ['string', 'number', 'array'], minLength: 1, minItems: 1, items: kit.FILLED_ID };
const CONTENTS = { type: 'array', items: { type: 'object' } };

const user = (phone: string): JsonObject => ({
  type: 'object',
  properties: {
    ...{ email: PERSONAL, [phone]: PERSONAL, external_id: PERSONAL },
    ...{ first_name: HASH, last_name: HASH, zip_code: HASH },
    att_status: { enum: ['AUTHORIZED', 'DENIED', 'NOT_DETERMINED', 'RESTRICTED', 'NOT_APPLICABLE'] },
  },
});
const PROPERTIES = {
  type: 'object',
  minProperties: 1,
  properties: {
    contents: CONTENTS,
    contents_ids: kit.filledList({}),
    num_items: { type: 'integer', minimum: 1 },
    shop_id: kit.FILLED_TEXT,
    order_id: kit.FILLED_TEXT,
  },
};

/** Requirements of both Events APIs, as far as the pages that `tiktok_ads.v1.ts` and `tiktok_ads.v2.ts` name say them. */
export const tiktokAdsRequests: RequestSchemas = {
  'POST /open_api/v1.3/pixel/track/': kit.objectWith(['pixel_code', 'event', 'partner_name'], {
    pixel_code: kit.FILLED_TEXT,
    event: kit.FILLED_TEXT,
    properties: PROPERTIES,
    context: { type: 'object', minProperties: 1, properties: { ad: { type: 'object' }, user: user('phone_number') } },
  }),
  'POST /open_api/v1.3/event/track/': kit.objectWith(['event_source', 'event_source_id', 'data'], {
    event_source: { enum: ['web', 'app', 'offline', 'crm'] },
    event_source_id: kit.FILLED_TEXT,
    test_event_code: kit.FILLED_TEXT,
    data: kit.filledList(
      kit.objectWith(['event', 'event_time'], {
        event: kit.FILLED_TEXT,
        event_time: { type: 'integer' },
        user: user('phone'),
        properties: PROPERTIES,
        ...kit.objectOf(['page', 'app', 'ad', 'lead'].map((key) => [key, { type: 'object', minProperties: 1 }])),
      }),
    ),
  }),
};
