import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Msg } from '@nats-io/transport-node';
import * as contracts from '@weir/contracts';
import { ROLES, type RoleName } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import type { Api } from '@weir/testing';
import { PLANE_MODULES } from '../src/app.module.js';
import { AREA_RULES } from '../src/http/areas.js';
import { rolesOf } from '../src/http/roles.js';
import { controllersOf, routesOf } from '../src/http/routes.js';
import { clientOf, newWorkspace } from './client.js';
import { useGateway } from './running-gateway.js';

const gateway = useGateway();

/** No id has this form. Past the guards, the answer is some 4xx, never a 2xx that changes anything. */
const NO_ID = 'no-such-id';
const routes = routesOf(controllersOf(...PLANE_MODULES.control, ...PLANE_MODULES.data)).map((route) => ({
  ...route,
  path: route.path.replaceAll(/:\w+/g, NO_ID),
  scheme: route.api && AREA_RULES[route.api.area].scheme,
}));
const ofTokens = routes.filter(({ scheme }) => scheme?.startsWith('token'));
/** Excludes endless streams, which have their own tests. */
const ending = ofTokens.filter(({ api }) => api?.reply.meta()?.['contentMediaType'] !== 'text/event-stream');

let workspace: Awaited<ReturnType<typeof newWorkspace>>;
let clients: Record<RoleName, Api>;
beforeAll(async () => {
  refuseCalls();
  workspace = await newWorkspace(gateway);
  const made = ROLES.map(async (role) => [role, await workspace.tokenOf(role)] as const);
  clients = Object.fromEntries(await Promise.all(made)) as typeof clients;
});

/** Refuses every call of the gateway at once. Without an answer, each would wait seconds for its service. */
function refuseCalls(): void {
  const err = { code: 'unavailable', message: 'not in this test' };
  const callback = (_error: Error | null, message: Msg) =>
    void message.respond(JSON.stringify({ err, isDisposed: true }));
  const calls = (Object.values(contracts) as unknown[]).filter(isCall);
  for (const { subject } of calls.filter(({ subject }) => !subject.startsWith('gateway.')))
    gateway.nats.connection.subscribe(subject, { callback });
}

const isCall = (value: unknown): value is contracts.Call =>
  typeof value === 'object' && value !== null && 'subject' in value && 'deadlineMs' in value;

async function statusOf(client: Api, method: string, path: string): Promise<number> {
  const verbs: Record<string, () => ReturnType<Api['get']>> = {
    GET: () => client.get(path),
    POST: () => client.post(path, '{'),
    PUT: () => client.put(path, '{'),
    PATCH: () => client.patch(path, '{'),
    DELETE: () => client.delete(path),
  };
  const verb = verbs[method];
  if (!verb) throw new Error(`no test for ${method}`);
  return (await verb()).status;
}

describe('every route that takes tokens', () => {
  it('is in the matrix', () => {
    expect(ofTokens.length).toBeGreaterThan(20);
  });

  it.each(ending)('$method $path grants what the role allows', async ({ method, path, api }) => {
    const allowed = api && rolesOf(api);
    for (const role of ROLES) {
      const status = await statusOf(clients[role], method, path);
      if (allowed?.includes(role)) expect([role, status]).not.toEqual([role, 403]);
      else expect([role, status]).toEqual([role, 403]);
    }
  });

  it.each(ofTokens)('$method $path is closed to everybody else', async ({ method, path, scheme }) => {
    // A new token each time, because a token that keeps failing gets slower answers.
    for (const caller of ['nobody', { user: '', password: `weir_${newKsuid()}` }] as const) {
      expect(await statusOf(clientOf(gateway, caller), method, path)).toBe(scheme === 'token' ? 401 : 400);
    }
  });
});

describe('every route of the operator', () => {
  it.each(routes.filter(({ scheme }) => scheme === 'admin'))('$method $path is closed to tokens', async (route) => {
    expect(await statusOf(workspace.admin, route.method, route.path)).toBe(401);
  });
});
