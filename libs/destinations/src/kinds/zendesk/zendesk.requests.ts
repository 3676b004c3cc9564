import type { RequestSchemas } from '../../kind.js';

const word = { type: 'string', minLength: 1 };
const id = { type: ['string', 'number'], minLength: 1 };
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
        properties: { name: word, external_id: word, user_fields: fields, verified: { const: true } },
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
        properties: { name: word, external_id: word, organization_fields: fields },
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
        properties: { type: word, source: word, properties: { type: 'object' } },
      },
      profile: {
        type: 'object',
        required: ['type', 'source', 'identifiers'],
        properties: {
          ...{ type: word, source: word },
          identifiers: {
            type: 'array',
            minItems: 1,
            items: { type: 'object', required: ['type', 'value'], properties: { type: word, value: id } },
          },
        },
      },
    },
  },
};
