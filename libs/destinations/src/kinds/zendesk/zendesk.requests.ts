import type { RequestSchemas } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

const fields = { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } };

/** https://developer.zendesk.com/api-reference/ticketing/users/users/ and .../organizations/ and .../events-api/ */
export const zendeskRequests: RequestSchemas = {
  'POST /api/v2/users/create_or_update.json': {
    type: 'object',
    required: ['user'],
    properties: {
      user: {
        type: 'object',
        required: ['name'],
        properties: {
          name: kit.FILLED_TEXT,
          external_id: kit.FILLED_TEXT,
          user_fields: fields,
          verified: { const: true },
        },
      },
    },
  },
  'POST /api/v2/organizations/create_or_update.json': {
    type: 'object',
    required: ['organization'],
    properties: {
      organization: {
        type: 'object',
        anyOf: [{ required: ['name'] }, { required: ['external_id'] }],
        properties: { name: kit.FILLED_TEXT, external_id: kit.FILLED_TEXT, organization_fields: fields },
      },
    },
  },
  'POST /api/v2/user_profiles/events': {
    type: 'object',
    required: ['event', 'profile'],
    properties: {
      event: {
        type: 'object',
        required: ['type', 'source', 'properties'],
        properties: { type: kit.FILLED_TEXT, source: kit.FILLED_TEXT, properties: { type: 'object' } },
      },
      profile: {
        type: 'object',
        required: ['type', 'source', 'identifiers'],
        properties: {
          ...{ type: kit.FILLED_TEXT, source: kit.FILLED_TEXT },
          identifiers: {
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              required: ['type', 'value'],
              properties: { type: kit.FILLED_TEXT, value: kit.FILLED_ID },
            },
          },
        },
      },
    },
  },
};
