import type { RequestSchemas } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

const event = (...required: string[]) =>
  kit.objectWith(['type', ...required], {
    name: kit.FILLED_TEXT,
    type: { enum: ['event', 'page', 'screen'] },
    timestamp: { type: 'integer' },
  });
const IDENTIFIER = { type: 'object', anyOf: [{ required: ['id'] }, { required: ['email'] }] };
const OBJECT = kit.objectWith(['type', 'action', 'identifiers'], {
  type: { const: 'object' },
  action: { enum: ['identify', 'delete', 'add_relationships', 'delete_relationships'] },
  identifiers: kit.objectWith(['object_id', 'object_type_id']),
});

/** Requirements of https://docs.customer.io/integrations/api/track/ requires. An object is sent alone as a batch of one. */
export const customerioRequests: RequestSchemas = {
  'PUT /api/v1/customers/{id}': { type: 'object' },
  'POST /api/v1/customers/{id}/events': event(),
  'POST /api/v1/events': event('name', 'anonymous_id'),
  'PUT /api/v1/customers/{id}/devices': kit.objectWith(['device'], { device: kit.objectWith(['id']) }),
  'DELETE /api/v1/customers/{id}/devices/{token}': { type: 'object', maxProperties: 0 },
  'POST /api/v1/merge_customers': kit.objectWith(['primary', 'secondary'], {
    primary: IDENTIFIER,
    secondary: IDENTIFIER,
  }),
  'POST /api/v2/batch': {
    anyOf: [OBJECT, kit.objectWith(['batch'], { batch: { type: 'array', minItems: 1, items: OBJECT } })],
  },
};
