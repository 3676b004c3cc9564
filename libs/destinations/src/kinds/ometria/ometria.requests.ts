import type { JsonObject } from '@weir/contracts';
import type { RequestSchemas } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

const TIME = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}' };
const NUMBER = { type: 'number' };
const record = (type: string, required: readonly string[], properties: JsonObject) =>
  kit.objectWith(['@type', 'id', ...required], {
    ...{ '@type': { const: type }, id: kit.FILLED_ID, timestamp: TIME, properties: { type: 'object' } },
    ...properties,
  });

const LINE = {
  ...kit.objectWith(['product_id', 'quantity'], { product_id: kit.FILLED_ID, quantity: NUMBER, subtotal: NUMBER }),
  anyOf: [{ required: ['subtotal'] }, { required: ['unit_price'] }],
};

/** https://support.ometria.com/hc/en-gb/articles/360011617238-Push-API */
export const ometriaRequests: RequestSchemas = {
  'POST /v2/push': {
    ...kit.filledList({
      anyOf: [
        record('contact', ['email'], { email: kit.FILLED_TEXT, customer_id: kit.FILLED_ID }),
        record('custom_event', ['event_type', 'timestamp'], { identity_email: kit.FILLED_TEXT }),
        record('order', ['timestamp', 'grand_total', 'currency', 'status', 'is_valid'], {
          ...{ grand_total: NUMBER, currency: { type: 'string', minLength: 3, maxLength: 3 } },
          customer: kit.objectWith(['id', 'email'], { id: kit.FILLED_ID, email: kit.FILLED_TEXT }),
          lineitems: kit.filledList(LINE),
        }),
      ],
    }),
    maxItems: 100,
  },
};
