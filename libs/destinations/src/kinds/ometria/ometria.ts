import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';
import { ometriaBatch } from './ometria.batch.js';
import { contactOf, OPTINS } from './ometria.contact.js';
import { customEventOf } from './ometria.events.js';
import { orderOf, statusOf } from './ometria.orders.js';
import { ometriaRequests } from './ometria.requests.js';

/** https://docs.ometria.com/docs/ometria-data-api-introduction. Takes records of every type, in a list. */
const ENDPOINT = 'https://api.ometria.com/v2/push';

export default defineKind({
  name: 'OMETRIA',
  displayName: 'Ometria',
  messageTypes: ['identify', 'track'],
  transformAtV1: 'router',
  config: {
    apiKey: kit.secret('API key'),
    marketingOptin: kit.choice(OPTINS, 'Whether contacts take marketing, unless the event tells'),
    allowMarketing: kit.flag('Contacts take marketing by SMS, unless the event tells'),
    allowTransactional: kit.flag('Contacts take transactional SMS, unless the event tells'),
  },
  example: { marketingOptin: 'NOT_SPECIFIED' },
  requests: ometriaRequests,
  transform(event, config) {
    const headers = { 'X-Ometria-Auth': kit.requiredText(config, 'apiKey') };
    const push = (record: JsonObject) => [
      kit.restPayload({
        ...{ method: 'POST', endpoint: ENDPOINT, headers },
        body: { JSON_ARRAY: { batch: JSON.stringify([record]) } },
      }),
    ];
    return kit.byType(event, {
      identify: () => push(contactOf(event, config)),
      track: () => {
        const name = kit.eventName(event);
        const status = statusOf(name);
        return push(status === undefined ? customEventOf(event, name) : orderOf(event, status));
      },
    });
  },
  batch: ometriaBatch,
});
