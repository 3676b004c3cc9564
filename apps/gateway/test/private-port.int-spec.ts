import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { basic, useDatabase, useNats } from '@weir/testing';
import { entities } from '../src/app.module.js';
import { migrations } from '../src/migrations/index.js';
import { ADMIN, startGateway, TOKEN } from './running-gateway.js';

const database = useDatabase('gateway', migrations, entities);
const nats = useNats();
let gateway: Awaited<ReturnType<typeof startGateway>> | undefined;
let [inPublic, inPrivate] = ['', ''];
const operator = { authorization: basic(ADMIN.user, ADMIN.password) };

/** The headers of a browser that is signed in to the console. */
async function signedIn() {
  const headers = { 'content-type': 'application/json', origin: inPublic };
  const answer = await fetch(`${inPublic}/console/session`, {
    ...{ method: 'POST', headers, body: JSON.stringify({ token: TOKEN }) },
  });
  expect(answer.status).toBe(201);
  return { cookie: (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '', origin: inPublic };
}

afterAll(() => gateway?.app.close());
beforeAll(async () => {
  gateway = await startGateway({ DATABASE_URL: database.url, NATS_URL: nats.url, PRIVATE_PORT: '0' });
  const port = await gateway.privatePort?.listen();
  [inPublic, inPrivate] = [gateway.url, `http://127.0.0.1:${port}`];
});

describe('beside a private port, the first port', () => {
  it.each(['/admin/workspaces', '/schemas/event-models'])('knows nothing at %s, whoever asks', async (path) => {
    for (const headers of [{}, operator]) {
      const [hidden, unknown] = [
        await fetch(`${inPublic}${path}`, { headers }),
        await fetch(`${inPublic}${path}-no`, { headers }),
      ];
      expect([hidden.status, await hidden.text()]).toEqual([unknown.status, await unknown.text()]);
      expect(hidden.status).toBe(404);
    }
  });

  it('serves schemas to a session of the console, and to nobody who brings other credentials', async () => {
    const { cookie, origin } = await signedIn();
    const ofSession = await fetch(`${inPublic}/schemas/event-models`, { headers: { cookie, origin } });
    expect(ofSession.status).not.toBe(404);
    const both = { ...operator, cookie, origin };
    expect((await fetch(`${inPublic}/schemas/event-models`, { headers: both })).status).toBe(404);
    expect((await fetch(`${inPublic}/admin/workspaces`, { headers: { cookie, origin } })).status).toBe(404);
  });

  it('serves the other areas', async () => {
    const headers = { authorization: basic('', TOKEN) };
    expect((await fetch(`${inPublic}/v2/sources`, { headers })).status).toBe(200);
    expect((await fetch(`${inPublic}/openapi.json`)).status).toBe(200);
    expect((await fetch(`${inPublic}/v1/track`, { method: 'POST', body: '{}' })).status).toBe(401);
  });
});

describe('the private port', () => {
  it('serves every area, with the same checks', async () => {
    expect((await fetch(`${inPrivate}/admin/workspaces`, { headers: operator })).status).toBe(200);
    expect((await fetch(`${inPrivate}/admin/workspaces`)).status).toBe(401);
    expect((await fetch(`${inPrivate}/v2/sources`, { headers: { authorization: basic('', TOKEN) } })).status).toBe(200);
  });

  it('ends with the process, kept connections included', async () => {
    await (await fetch(`${inPrivate}/openapi.json`)).text();
    await gateway?.app.close();
    gateway = undefined;
    await expect(fetch(`${inPrivate}/openapi.json`)).rejects.toThrow();
  });
});
