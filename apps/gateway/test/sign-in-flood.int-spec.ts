import { once } from 'node:events';
import { request } from 'node:http';
import { afterEach, expect, it } from '@jest/globals';
import { until } from '@weir/testing';
import { clientOf } from './client.js';
import { TOKEN, useGateway } from './running-gateway.js';

const gateway = useGateway();
const PATH = '/console/session';
/** As many as once filled the memory for bodies that belong to no workspace. */
const BODIES = 130;

const open: ReturnType<typeof request>[] = [];
afterEach(() => {
  for (const one of open) one.destroy();
});

function post(bytes: number, localAddress: string) {
  const headers = { 'content-type': 'application/json', 'content-length': bytes, origin: gateway.url };
  const sent = request(`${gateway.url}${PATH}`, { method: 'POST', headers, agent: false, localAddress });
  sent.on('error', () => undefined);
  return sent;
}

async function signIn(localAddress: string) {
  const body = JSON.stringify({ token: TOKEN });
  const sent = post(Buffer.byteLength(body), localAddress).end(body);
  const [answer] = await once(sent, 'response');
  answer.resume();
  return answer.statusCode;
}

it('bodies of strangers that never end keep nobody else from signing in, and the operator from nothing', async () => {
  const refused: number[] = [];
  for (const bytes of [4_000, 64_000])
    for (let n = 0; n < BODIES; n += 1) {
      const sent = post(bytes, '127.0.0.2');
      sent.on('response', ({ statusCode = 0 }) => refused.push(statusCode));
      sent.write('x'.repeat(bytes - 1));
      open.push(sent);
    }
  await until('most to be refused', () => refused.length > BODIES + 9);
  // some may already be cut as too slow
  expect(refused.filter((status) => status === 413 || status === 503).length).toBeGreaterThan(BODIES);
  expect(await signIn('127.0.0.1')).toBe(201);
  expect((await clientOf(gateway, 'admin').post('/admin/workspaces', { name: 'Still open' })).status).toBe(201);
});
