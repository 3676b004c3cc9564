import { defineKind } from '../../define-kind.js';
import { type ApiCall, required, userIdsOf } from '../../deletion/api-call.js';
import { deleteByCall } from '../../deletion/api-deletion.js';
import * as kit from '../../toolkit/index.js';

export default defineKind({
  name: 'SPRIG',
  displayName: 'Sprig',
  config: { apiKey: kit.secret('API key') },
  example: {},
  deletion: {
    usersMax: 100,
    identifiers: ['userId'],
    /** Sprig deletes ten days later by default: https://docs.sprig.com/reference/post-v2-purge-visitors-1 */
    delete: async ({ config, users }, outbound) => {
      const url = 'https://api.sprig.com/v2/purge/visitors';
      // Other senders use `API-Key …`. The documentation says Bearer.
      const headers = kit.bearerAuth(required(config, 'apiKey'));
      const call: ApiCall = { method: 'POST', url, headers, body: { userIds: userIdsOf(users) } };
      return deleteByCall(outbound, call, { vendor: 'Sprig', success: 'forwarded' }, users);
    },
  },
});
