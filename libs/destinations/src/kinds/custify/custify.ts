import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import { type ApiCall, required, userIdsOf } from '../../deletion/api-call.js';
import { deleteByCalls } from '../../deletion/api-deletion.js';
import * as kit from '../../toolkit/index.js';
import { companyOf, eventOf, isKnown, memberOf, personOf } from './custify.fields.js';
import { custifyRequests } from './custify.requests.js';

/** https://docs.custify.com */
const API = 'https://api.custify.com';

export default defineKind({
  name: 'CUSTIFY',
  displayName: 'Custify',
  messageTypes: ['identify', 'track', 'group'],
  transformAtV1: 'router',
  config: {
    apiKey: kit.secret('API key'),
    sendAnonymousId: kit.flag('Users without a userId are known by their anonymousId'),
  },
  example: { sendAnonymousId: false },
  requests: custifyRequests,
  transform(event, config) {
    const headers = { accept: 'application/json', ...kit.bearerAuth(kit.requiredText(config, 'apiKey')) };
    const users = kit.isOn(config, 'sendAnonymousId') ? kit.USER_ID : kit.KNOWN_USER_ID;
    const send = (path: string, body: JsonObject) =>
      kit.jsonRequest(`${API}/${path}`, body, { headers, userId: kit.textAt(event, users) });
    return kit.byType(event, {
      identify: () => [send('people', personOf(event, users))],
      track: () => [send('event', eventOf(event, users))],
      group: () => {
        const company = companyOf(event);
        const member = memberOf(event, users, company);
        return [send('company', company), ...(isKnown(member) ? [send('people', member)] : [])];
      },
    });
  },
  deletion: {
    usersMax: 1,
    identifiers: ['userId'],
    /** https://docs.custify.com, Delete person. */
    delete: async ({ config, users }, outbound) => {
      const calls = userIdsOf(users).map((userId): ApiCall => {
        const url = new URL(`${API}/people`);
        url.searchParams.set('user_id', userId);
        return { method: 'DELETE', url: url.href, headers: kit.bearerAuth(required(config, 'apiKey')) };
      });
      return deleteByCalls(outbound, calls, { vendor: 'Custify', success: 'complete', isAddressed: true }, users);
    },
  },
});
