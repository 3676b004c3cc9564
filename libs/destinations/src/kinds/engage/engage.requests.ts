import type { RequestSchemas } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

const FLAT = { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } };
const ATTRIBUTES = {
  first_name: kit.FILLED_TEXT,
  last_name: kit.FILLED_TEXT,
  email: kit.FILLED_TEXT,
  number: { type: ['string', 'number'], pattern: '^[0-9]{7,15}$' },
  meta: FLAT,
};
const SUBSCRIBED = kit.objectWith(['subscribed'], { subscribed: { type: 'boolean' } });

/** https://engage.so/docs/api/users and https://engage.so/docs/api/lists. Merging is a call of the vendor's own SDK. */
export const engageRequests: RequestSchemas = {
  'PUT /v1/users/{uid}': {
    type: 'object',
    properties: { ...ATTRIBUTES, lists: kit.filledList(kit.FILLED_TEXT) },
  },
  'POST /v1/users/{uid}/events': kit.objectWith(['event'], { event: kit.FILLED_TEXT, properties: FLAT }),
  'POST /v1/users/merge': kit.objectWith(['source', 'destination'], {
    source: kit.FILLED_TEXT,
    destination: kit.FILLED_TEXT,
  }),
  'POST /v1/lists/{id}/subscribers': {
    type: 'object',
    properties: ATTRIBUTES,
    anyOf: [{ required: ['email'] }, { required: ['number'] }],
  },
  'PUT /v1/lists/{id}/subscribers/{uid}': SUBSCRIBED,
  'DELETE /v1/lists/{id}/subscribers/{uid}': SUBSCRIBED,
};
