import type { RequestSchemas } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

const FLAT = { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } };
const USER = { user_id: kit.FILLED_TEXT, email: kit.FILLED_TEXT };
const KNOWN = { type: 'object', anyOf: [{ required: ['user_id'] }, { required: ['email'] }] };
const MEMBERSHIP = { company_id: kit.FILLED_TEXT, remove: { type: 'boolean' } };

/** https://docs.custify.com. A person is known by an id or an e-mail, a company by its id. */
export const custifyRequests: RequestSchemas = {
  'POST /people': {
    ...KNOWN,
    properties: {
      ...USER,
      custom_attributes: FLAT,
      companies: kit.filledList(kit.objectWith(['company_id'], MEMBERSHIP)),
    },
  },
  'POST /company': kit.objectWith(['company_id'], { company_id: kit.FILLED_TEXT, custom_attributes: FLAT }),
  'POST /event': {
    ...KNOWN,
    required: ['name'],
    properties: { ...USER, name: kit.FILLED_TEXT, company_id: kit.FILLED_TEXT, metadata: FLAT },
  },
};
