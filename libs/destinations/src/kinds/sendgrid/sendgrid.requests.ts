import type { JsonObject } from '@weir/contracts';
import type { RequestSchemas } from '../../kind.js';

const objectWith = (required: readonly string[], properties: JsonObject = {}): JsonObject => ({
  type: 'object',
  required,
  properties,
});
const listOf = (items: JsonObject): JsonObject => ({ type: 'array', minItems: 1, items });
const ADDRESS = objectWith(['email']);

/** Requirements of Marketing contacts and Mail Send v3. Delivery makes a list of a contact with `contactDetails`. */
export const sendgridRequests: RequestSchemas = {
  'PUT /v3/marketing/contacts': {
    anyOf: [
      objectWith(['contactDetails'], { contactDetails: ADDRESS }),
      objectWith(['contacts'], { contacts: listOf(ADDRESS) }),
    ],
  },
  'POST /v3/mail/send': {
    ...objectWith(['personalizations', 'from'], {
      personalizations: listOf(objectWith(['to'], { to: listOf(ADDRESS) })),
      from: ADDRESS,
      categories: { type: 'array', maxItems: 10, items: { type: 'string' } },
      custom_args: { type: 'object' },
    }),
    anyOf: [{ required: ['template_id'] }, { required: ['content'] }],
  },
};
