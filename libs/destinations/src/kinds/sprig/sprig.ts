import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import { type ApiCall, required, userIdsOf } from '../../deletion/api-call.js';
import { deleteByCall } from '../../deletion/api-deletion.js';
import * as kit from '../../toolkit/index.js';

const API = 'https://api.sprig.com/v2';

const USER: kit.Mapping = {
  userId: { from: kit.KNOWN_USER_ID, as: [kit.onlyId, kit.toText], required: true },
  emailAddress: { from: kit.EMAIL, as: kit.onlyText },
};
const TIME: kit.Mapping = { timestamp: { from: kit.TIMESTAMP, as: kit.toUnixMillis } };

/** https://docs.sprig.com/reference/sprig-api/v2/post-user-v2-1: one user a request, with the latest events if any. */
export default defineKind({
  name: 'SPRIG',
  displayName: 'Sprig',
  messageTypes: ['identify', 'track'],
  config: { apiKey: kit.secret('API key') },
  example: {},
  requests: {
    'POST /v2/users': kit.objectWith(['userId'], {
      userId: kit.FILLED_TEXT,
      emailAddress: kit.FILLED_TEXT,
      attributes: { type: 'object' },
      events: kit.filledList(kit.objectWith(['event'], { event: kit.FILLED_TEXT, timestamp: { type: 'number' } })),
    }),
  },
  transform(event, config) {
    const headers = { accept: 'application/json', authorization: `API-Key ${kit.requiredText(config, 'apiKey')}` };
    const send = (more: JsonObject) => [
      kit.jsonRequest(`${API}/users`, { ...kit.mapFields(event, USER), ...more }, { headers }),
    ];
    return kit.byType(event, {
      identify: () => send(kit.compact({ attributes: kit.givenTraits(event) })),
      track: () => send({ events: [{ event: kit.eventName(event), ...kit.mapFields(event, TIME) }] }),
    });
  },
  deletion: {
    usersMax: 100,
    identifiers: ['userId'],
    /** Sprig deletes ten days later by default: https://docs.sprig.com/reference/post-v2-purge-visitors-1 */
    delete: async ({ config, users }, outbound) => {
      // Other senders use `API-Key …`. The documentation says Bearer.
      const headers = kit.bearerAuth(required(config, 'apiKey'));
      const call: ApiCall = {
        method: 'POST',
        url: `${API}/purge/visitors`,
        headers,
        body: { userIds: userIdsOf(users) },
      };
      return deleteByCall(outbound, call, { vendor: 'Sprig', success: 'forwarded' }, users);
    },
  },
});
