import { defineKind } from '../../define-kind.js';
import { type ApiCall, required, userIdsOf } from '../../deletion/api-call.js';
import { deleteByCalls } from '../../deletion/api-deletion.js';
import * as kit from '../../toolkit/index.js';

export default defineKind({
  name: 'ENGAGE',
  displayName: 'Engage',
  config: { publicKey: kit.text('Public key'), privateKey: kit.secret('Private key') },
  example: { publicKey: 'public-1' },
  deletion: {
    usersMax: 1,
    identifiers: ['userId'],
    /** https://engage.so/docs/api/users. A user is addressed by our id. */
    delete: async ({ config, users }, outbound) => {
      const headers = kit.basicAuth(required(config, 'publicKey'), required(config, 'privateKey'));
      const calls = userIdsOf(users).map((userId): ApiCall => {
        const url = `https://api.engage.so/v1/users/${kit.pathSegment(userId, 'unsupported')}`;
        return { method: 'DELETE', url, headers };
      });
      return deleteByCalls(outbound, calls, { vendor: 'Engage', success: 'complete', isAddressed: true }, users);
    },
  },
});
