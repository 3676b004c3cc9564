import type { RequestSchemas } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

const KEY = { key_id: kit.FILLED_ID };
const VALUE = { type: ['string', 'number', 'boolean', 'null', 'array'] };

/** https://dev.emarsys.com: contacts, contact lists, external events. */
export const emarsysRequests: RequestSchemas = {
  'PUT /api/v2/contact/': kit.objectWith(['key_id', 'contacts'], {
    ...KEY,
    contacts: kit.filledList({ type: 'object', minProperties: 1, additionalProperties: VALUE }),
    contact_list_id: kit.FILLED_TEXT,
  }),
  'POST /api/v2/contactlist/{list}/add': kit.objectWith(['key_id', 'external_ids'], {
    ...KEY,
    external_ids: kit.filledList(kit.FILLED_ID),
  }),
  'POST /api/v2/event/{event}/trigger': kit.objectWith(['key_id', 'external_id'], {
    ...KEY,
    external_id: kit.FILLED_ID,
    trigger_id: kit.FILLED_TEXT,
    data: { type: 'object' },
    attachment: { type: 'array' },
    event_time: kit.FILLED_TEXT,
  }),
};
