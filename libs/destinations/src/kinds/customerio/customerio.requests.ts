import type { JsonObject } from '@weir/contracts';
import type { RequestSchemas } from '../../kind.js';

const objectWith = (required: readonly string[], properties: JsonObject = {}): JsonObject => ({
  type: 'object',
  required,
  properties,
});
const event = (...required: string[]) =>
  objectWith(['name', 'type', ...required], {
    name: { type: 'string', minLength: 1 },
    type: { enum: ['event', 'page', 'screen'] },
    timestamp: { type: 'integer' },
  });
const IDENTIFIER = { type: 'object', anyOf: [{ required: ['id'] }, { required: ['email'] }] };
const OBJECT = objectWith(['type', 'action', 'identifiers'], {
  type: { const: 'object' },
  action: { enum: ['identify', 'delete', 'add_relationships', 'delete_relationships'] },
  identifiers: objectWith(['object_id', 'object_type_id']),
});

/** Requirements of https://docs.customer.io/integrations/api/track/ requires. An object is sent alone as a batch of one. */
export const customerioRequests: RequestSchemas = {
  'PUT /api/v1/customers/{id}': { type: 'object' },
  'POST /api/v1/customers/{id}/events': event(),
  'POST /api/v1/events': event('anonymous_id'),
  'PUT /api/v1/customers/{id}/devices': objectWith(['device'], { device: objectWith(['id']) }),
  'DELETE /api/v1/customers/{id}/devices/{token}': { type: 'object', maxProperties: 0 },
  'POST /api/v1/merge_customers': objectWith(['primary', 'secondary'], { primary: IDENTIFIER, secondary: IDENTIFIER }),
  'POST /api/v2/batch': {
    anyOf: [OBJECT, objectWith(['batch'], { batch: { type: 'array', minItems: 1, items: OBJECT } })],
  },
};
