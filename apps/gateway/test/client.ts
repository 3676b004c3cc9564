import type { Role } from '@weir/contracts';
import { type Answer, api, type Caller } from '@weir/testing';
import { ADMIN, EMAIL, type RunningGateway, TOKEN } from './running-gateway.js';

/** Clients of the gateway under test, by caller. */
export const clientOf = (gateway: RunningGateway, caller: Caller = 'bearer') =>
  api({ urls: [gateway.url], email: EMAIL, accessToken: TOKEN, admin: ADMIN }, caller);

/** Creates a workspace with a token of each of the earlier roles. */
export async function newWorkspace(gateway: RunningGateway) {
  const admin = clientOf(gateway, 'admin');
  const { workspace } = created(await admin.post('/admin/workspaces', { name: 'Tenant' }));
  const tokenOf = async (role: Role) => {
    const body = { workspaceId: workspace.id, email: 'tenant@example.com', name: role, role };
    const { accessToken } = created(await admin.post('/admin/access-tokens', body));
    // HTTP Basic, which every area takes
    return clientOf(gateway, { user: '', password: accessToken.token });
  };
  return {
    id: workspace.id as string,
    admin: await tokenOf('admin'),
    writer: await tokenOf('read-write'),
    reader: await tokenOf('read-only'),
    /** Makes one more token. */
    tokenOf,
  };
}

function created(answer: Answer) {
  if (answer.status !== 201) throw new Error(`not created: ${answer.status} ${answer.text}`);
  return answer.body;
}
