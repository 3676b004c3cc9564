import { describe, expect, it } from '@jest/globals';
import type { Answer } from '@weir/testing';
import { clientOf } from './client.js';
import { ADMIN, startGateway, useGateway } from './running-gateway.js';

const gateway = useGateway();
const PATH = '/admin/session';

const nobody = () => clientOf(gateway, 'nobody');
const basic = (password = ADMIN.password) => `Basic ${Buffer.from(`${ADMIN.user}:${password}`).toString('base64')}`;
const cookieOf = (answer: Answer) => (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
const own = () => ({ origin: gateway.url, 'sec-fetch-site': 'same-origin' });

/** The headers of a browser in which the operator signed in. */
async function signIn() {
  const answer = await nobody().post(PATH, undefined, { headers: { ...own(), authorization: basic() } });
  expect(answer.status).toBe(201);
  return { answer, headers: { ...own(), cookie: cookieOf(answer) } };
}

describe('the session of the operator', () => {
  it('has a cookie that scripts cannot read, for the routes of the operator alone', async () => {
    const { answer, headers } = await signIn();
    expect(answer.headers.get('set-cookie')).toMatch(
      /^weir_operator_\d+=[\w-]{43}; Max-Age=3600; Path=\/admin; HttpOnly; SameSite=Strict$/,
    );
    expect((await nobody().get(PATH, { headers })).body).toEqual({ isSignedIn: true });
    const made = await nobody().post('/admin/workspaces', { name: 'Made in the console' }, { headers });
    expect([made.status, made.body.workspace.name]).toEqual([201, 'Made in the console']);
    const { workspaces } = (await nobody().get('/admin/workspaces', { headers })).body;
    expect(workspaces).toContainEqual(expect.objectContaining({ name: 'Made in the console' }));
  });

  it('opens nothing else: no workspace, no schemas, no other session', async () => {
    const { headers } = await signIn();
    for (const path of ['/v2/sources', '/console/session', '/schemas/event-models'])
      expect([path, (await nobody().get(path, { headers })).status >= 400]).toEqual([path, true]);
    expect((await nobody().post(PATH, undefined, { headers })).status).toBe(403);
    // a header decides alone
    expect((await clientOf(gateway).get('/admin/workspaces', { headers })).status).toBe(401);
  });

  it('needs the right pair, and a page of this server', async () => {
    const post = (headers: Record<string, string>) => nobody().post(PATH, undefined, { headers });
    expect((await post({ ...own(), authorization: basic('a wrong password') })).status).toBe(401);
    expect((await post({ authorization: basic(), origin: 'https://evil.example' })).status).toBe(403);
    const { headers } = await signIn();
    const foreign = { cookie: headers.cookie, origin: 'https://evil.example' };
    expect((await nobody().post('/admin/workspaces', { name: 'Evil' }, { headers: foreign })).status).toBe(403);
    expect(
      (await nobody().get('/admin/workspaces', { headers: { cookie: headers.cookie, 'sec-fetch-site': 'cross-site' } }))
        .status,
    ).toBe(403);
  });

  it('ends at once when the operator signs out, and by its time', async () => {
    const [first, second] = [await signIn(), await signIn()];
    const gone = await nobody().delete(PATH, { headers: first.headers });
    expect([gone.status, gone.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    const statusOf = async (headers: Record<string, string>) =>
      (await nobody().get('/admin/workspaces', { headers })).status;
    expect([await statusOf(first.headers), await statusOf(second.headers)]).toEqual([401, 200]);
    await gateway.database.dataSource.query(
      `UPDATE operator_sessions SET last_seen_at = now() - interval '15 minutes'`,
    );
    expect(await statusOf(second.headers)).toBe(401);
  });

  it('ends with the admin pair that it came from', async () => {
    const { headers } = await signIn();
    const { database, nats } = gateway;
    const after = await startGateway({
      DATABASE_URL: database.url,
      NATS_URL: nats.url,
      SERVICE_ADMIN_PASSWORD: 'fresh:password',
    });
    const sameName = headers.cookie.replace(/_\d+=/, `_${new URL(after.url).port}=`);
    try {
      const restarted = clientOf({ ...gateway, url: after.url }, 'nobody');
      const asked = await restarted.get('/admin/workspaces', { headers: { cookie: sameName, origin: after.url } });
      expect([asked.status, asked.body.message]).toEqual([
        401,
        expect.stringContaining('session of the operator has ended'),
      ]);
    } finally {
      await after.app.close();
    }
  });
});
