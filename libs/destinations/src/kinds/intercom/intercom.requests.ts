import type { RequestSchemas } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

const time = { type: 'integer' };
/** Attributes are of one level. A list stays as it was given, and Intercom refuses it. */
const scalar = { type: ['string', 'number', 'boolean', 'null'] };
const money = { type: 'object', required: ['amount', 'currency'] };
const link = { type: 'object', required: ['url', 'value'] };
const empty = { type: ['array', 'object'], maxItems: 0, maxProperties: 0 };
const custom_attributes = { type: 'object', additionalProperties: { anyOf: [scalar, empty] } };
const company = {
  type: 'object',
  required: ['company_id'],
  properties: { company_id: kit.FILLED_TEXT, custom_attributes },
};

/** https://developers.intercom.com/docs/references/rest-api/api.intercom.io and, for users, .../1.4/rest-api */
export const intercomRequests: RequestSchemas = {
  'POST /contacts': {
    type: 'object',
    properties: { custom_attributes, owner_id: { type: 'number' }, signed_up_at: time, last_seen_at: time },
  },
  'POST /users': {
    type: 'object',
    properties: { custom_attributes, signed_up_at: time, companies: { type: 'array', items: company } },
  },
  'POST /companies': {
    ...company,
    properties: { ...company.properties, size: { type: 'number' }, monthly_spend: { type: 'number' } },
  },
  'POST /events': {
    type: 'object',
    required: ['event_name'],
    anyOf: [{ required: ['user_id'] }, { required: ['email'] }],
    properties: {
      ...{
        event_name: kit.FILLED_TEXT,
        user_id: kit.FILLED_TEXT,
        email: kit.FILLED_TEXT,
        created_at: time,
        created: time,
        id: kit.FILLED_ID,
      },
      metadata: { type: 'object', minProperties: 1, additionalProperties: { anyOf: [scalar, money, link, empty] } },
    },
  },
};
