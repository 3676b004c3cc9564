import { sharedStack } from '@weir/local';
import { type Answer, type Api, api, uniqueName } from '@weir/testing';

export type Role = 'read-only' | 'read-write' | 'admin';
type AnyRole = Role | 'read' | 'write' | 'privacy' | 'publish';
export const EMAIL = 'tenant@example.com';
/** A well-formed id that does not exist. */
export const UNKNOWN_ID = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
export const UNKNOWN_UUID = '00000000-0000-4000-8000-000000000000';

export interface Workspace {
  id: string;
  /** Plain tokens by role. */
  tokens: Record<Role, string>;
  admin: Api;
  writer: Api;
  reader: Api;
}

/** The operator of the shared stack, for `/admin/*` and area D. */
export const operator = (): Api => api(sharedStack(), 'admin');
export const nobody = (): Api => api(sharedStack(), 'nobody');

export async function newToken(workspaceId: string, role: AnyRole, fields: object = {}): Promise<string> {
  const body = { workspaceId, email: EMAIL, name: uniqueName(role), role, ...fields };
  return made(await operator().post('/admin/access-tokens', body), 201).accessToken.token;
}

/** A new workspace for one test file, with a token of each role. */
export async function newWorkspace(name = uniqueName('workspace'), email = EMAIL): Promise<Workspace> {
  const { workspace } = made(await operator().post('/admin/workspaces', { name }), 201);
  const [admin, writer, reader] = await Promise.all([
    newToken(workspace.id, 'admin', { name: 'Operations', email }),
    newToken(workspace.id, 'read-write', { name: 'Deployment', email }),
    newToken(workspace.id, 'read-only', { name: 'Dashboards', email }),
  ]);
  const as = (token: string) => api(sharedStack(), { token });
  const tokens = { admin, 'read-write': writer, 'read-only': reader };
  return { id: workspace.id, tokens, admin: as(admin), writer: as(writer), reader: as(reader) };
}

/** Returns the body of an expected answer. Throws with the whole text if the status differs. */
export function made(answer: Answer, status = 200) {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer.body;
}
