import type { RequestSchemas } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

const ADDRESS = kit.objectWith(['email']);

/** Requirements of Marketing contacts and Mail Send v3. Delivery makes a list of a contact with `contactDetails`. */
export const sendgridRequests: RequestSchemas = {
  'PUT /v3/marketing/contacts': {
    anyOf: [
      kit.objectWith(['contactDetails'], { contactDetails: ADDRESS }),
      kit.objectWith(['contacts'], { contacts: kit.filledList(ADDRESS) }),
    ],
  },
  'POST /v3/mail/send': {
    ...kit.objectWith(['personalizations', 'from'], {
      personalizations: kit.filledList(kit.objectWith(['to'], { to: kit.filledList(ADDRESS) })),
      from: ADDRESS,
      categories: { type: 'array', maxItems: 10, items: { type: 'string' } },
      custom_args: { type: 'object' },
    }),
    anyOf: [{ required: ['template_id'] }, { required: ['content'] }],
  },
};
