import { defineKind } from '../../define-kind.js';
import { type ApiCall, required, userIdsOf } from '../../deletion/api-call.js';
import { deleteByCalls } from '../../deletion/api-deletion.js';
import * as kit from '../../toolkit/index.js';

export default defineKind({
  name: 'CUSTIFY',
  displayName: 'Custify',
  config: { apiKey: kit.secret('API key') },
  example: {},
  deletion: {
    usersMax: 1,
    identifiers: ['userId'],
    /** https://docs.custify.com, Delete person. */
    delete: async ({ config, users }, outbound) => {
      const calls = userIdsOf(users).map((userId): ApiCall => {
        const url = new URL('https://api.custify.com/people');
        url.searchParams.set('user_id', userId);
        return { method: 'DELETE', url: url.href, headers: kit.bearerAuth(required(config, 'apiKey')) };
      });
      return deleteByCalls(outbound, calls, { vendor: 'Custify', success: 'complete', isAddressed: true }, users);
    },
  },
});
