import type { RequestSchemas } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

/** https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide and .../events-send-event-completions-v3 */
const INPUTS_MAX = 100;
const inputs = (required: string[], properties: object) => ({
  type: 'object',
  required: ['inputs'],
  properties: {
    inputs: { type: 'array', minItems: 1, maxItems: INPUTS_MAX, items: { type: 'object', required, properties } },
  },
});
const record = { id: kit.FILLED_TEXT, properties: { type: 'object' } };
const end = { type: 'object', required: ['id'], properties: { id: kit.FILLED_ID } };
const occurrence = {
  type: 'object',
  required: ['eventName', 'properties'],
  anyOf: [{ required: ['email'] }, { required: ['utk'] }, { required: ['objectId'] }],
  properties: {
    eventName: kit.FILLED_TEXT,
    occurredAt: kit.FILLED_TEXT,
    properties: { type: 'object' },
    ...{ email: kit.FILLED_ID, utk: kit.FILLED_ID, objectId: kit.FILLED_ID },
  },
} as const;

export const hubspotRequests: RequestSchemas = {
  'POST /crm/v3/objects/{type}/batch/upsert': inputs(['id', 'idProperty', 'properties'], {
    ...record,
    idProperty: kit.FILLED_TEXT,
  }),
  'POST /crm/v3/objects/{type}/batch/update': inputs(['id', 'properties'], record),
  'POST /crm/v3/associations/{from}/{to}/batch/create': inputs(['from', 'to', 'type'], {
    from: end,
    to: end,
    type: kit.FILLED_ID,
  }),
  'POST /events/v3/send': occurrence,
  'POST /events/v3/send/batch': inputs([...occurrence.required], occurrence.properties),
  'POST /contacts/v1/contact/batch/': {
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      required: ['email', 'properties'],
      properties: {
        email: { type: 'string', minLength: 3 },
        properties: { type: 'array', items: { type: 'object', required: ['property', 'value'] } },
      },
    },
  },
  /** Its parameters. */
  'GET /v1/event': kit.objectWith(['_a', '_n'], { _n: kit.FILLED_TEXT }),
};
