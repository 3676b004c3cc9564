import { beforeAll, describe, expect, it } from '@jest/globals';
import { AppendAudit } from '@weir/contracts';
import { type Answer, until } from '@weir/testing';
import { clientOf, newWorkspace } from './client.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';

const gateway = useGateway({ TRUSTED_PROXIES: '127.0.0.1' });
const trail = useStub(gateway.nats, AppendAudit, () => ({}));

let tenant: Awaited<ReturnType<typeof newWorkspace>>;
beforeAll(async () => {
  tenant = await newWorkspace(gateway);
});

const nobody = () => clientOf(gateway, 'nobody');
const cookieOf = (answer: Answer) => (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
const newToken = async (role: string) =>
  (await tenant.admin.post('/v2/access-tokens', { name: role, role })).body.accessToken as {
    id: string;
    token: string;
  };

/** A browser that is signed in: its headers come with each request. */
async function signIn(body: object, headers: Record<string, string> = {}) {
  const answer = await nobody().post('/console/session', body, { headers });
  const own = { cookie: cookieOf(answer), origin: gateway.url };
  return { answer, headers: own, id: answer.body?.session?.id as string };
}

async function newLink() {
  const { token } = await newToken('admin');
  return (await clientOf(gateway, { token }).post('/console/links')).body as { code: string; path: string };
}

describe('signing in with an access token', () => {
  it('sets a cookie that scripts cannot read, and answers who is signed in', async () => {
    const { token } = await newToken('read-only');
    const { answer } = await signIn({ token, email: 'TENANT@example.com' }, { 'user-agent': 'x'.repeat(300) });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('set-cookie')).toMatch(
      new RegExp(
        `^weir_session_${new URL(gateway.url).port}=[\\w-]{43}; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict$`,
      ),
    );
    expect(answer.body).toMatchObject({
      session: { email: 'tenant@example.com', role: 'read', method: 'token', userAgent: 'x'.repeat(200) },
      workspace: { id: tenant.id, name: 'Tenant' },
      capabilities: { inventory: ['whoami', 'read'], console: ['session'] },
    });
    expect(answer.text).not.toContain(token);
  });

  it('sets a Secure cookie with a prefix behind a trusted proxy that ends TLS', async () => {
    const { token } = await newToken('read');
    const proxied = {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'weir.example',
      origin: 'https://weir.example',
    };
    const { answer, headers } = await signIn({ token }, proxied);
    expect(answer.headers.get('set-cookie')).toMatch(/^__Host-weir_session=.*; HttpOnly; Secure; SameSite=Strict$/);
    const asked = await nobody().get('/console/session', { headers: { ...headers, ...proxied } });
    expect(asked.status).toBe(200);
    expect((await nobody().get('/console/session', { headers })).status).toBe(401);
  });

  it.each([
    ['an unknown token', { token: 'weir_unknown' }, 401],
    ['an unknown code', { code: 'unknown' }, 401],
    ['both', { token: 'a', code: 'b' }, 400],
    ['neither', {}, 400],
  ])('refuses %s', async (_, body, status) => {
    const { answer } = await signIn(body);
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([status, null]);
    if (status === 401) expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="weir"');
  });

  it('refuses the token of another e-mail address', async () => {
    const { token } = await newToken('read');
    expect((await signIn({ token, email: 'eve@example.com' })).answer.status).toBe(401);
  });
});

it('two servers on one host keep apart, because the name of the cookie ends with the port', async () => {
  const { token } = await newToken('read');
  const { headers } = await signIn({ token });
  const another = headers.cookie.replace(/_\d+=.*/, '_1=of-another-server');
  expect(
    (await nobody().get('/console/session', { headers: { cookie: `${another}; ${headers.cookie}` } })).status,
  ).toBe(200);
  expect((await nobody().get('/console/session', { headers: { cookie: another } })).status).toBe(401);
});

describe('a link', () => {
  it('signs in once, even if two browsers open it at the same time', async () => {
    const { code, path } = await newLink();
    expect(path).toBe(`/console#code=${code}`);
    const answers = await Promise.all([signIn({ code }), signIn({ code })]);
    expect(answers.map(({ answer }) => answer.status).sort()).toEqual([201, 401]);
    const dump = await gateway.database.dataSource.run('SELECT s::text AS row FROM console_sessions s');
    for (const { headers } of answers) expect(JSON.stringify(dump)).not.toContain(headers.cookie.split('=')[1] || code);
  });

  it('ends after its time, and with its token', async () => {
    const [late, { token, id }] = [await newLink(), await newToken('admin')];
    const orphan = (await clientOf(gateway, { token }).post('/console/links')).body as { code: string };
    await tenant.admin.delete(`/v2/access-tokens/${id}`);
    await gateway.database.dataSource.run(`UPDATE console_links SET expires_at = expires_at - interval '2 minutes'`);
    for (const { code } of [late, orphan]) expect((await signIn({ code })).answer.status).toBe(401);
  });

  it('is made by admin tokens, not by sessions', async () => {
    expect((await tenant.writer.post('/console/links')).status).toBe(403);
    const { headers } = await signIn({ token: (await newToken('admin')).token });
    expect((await nobody().post('/console/links', undefined, { headers })).status).toBe(403);
  });
});

describe('a session', () => {
  it('opens what its token opens, area D too, and no more', async () => {
    const { headers } = await signIn({ token: (await newToken('read')).token });
    expect((await nobody().get('/v2/sources', { headers })).status).toBe(200);
    expect((await nobody().get('/v2/access-tokens', { headers })).status).toBe(403);
    expect((await nobody().post('/v2/sources', { name: 's', type: 'HTTP' }, { headers })).status).toBe(403);
    expect((await nobody().get('/admin/workspaces', { headers })).status).toBe(401);
    // Past the guard, the schema service is missing.
    expect((await nobody().get('/schemas/event-models', { headers })).body.msg).not.toMatch(/credentials/i);
  });

  it('does not count beside an Authorization header', async () => {
    const { headers } = await signIn({ token: (await newToken('admin')).token });
    const wrong = { ...headers, authorization: 'Bearer weir_wrong' };
    expect((await nobody().get('/v2/sources', { headers: wrong })).status).toBe(401);
    const reader = { cookie: headers.cookie, authorization: `Bearer ${(await newToken('read')).token}` };
    expect((await nobody().get('/v2/access-tokens', { headers: reader })).status).toBe(403);
    expect((await nobody().get('/console/session', { headers: reader })).status).toBe(404);
  });

  it('refuses a page that shows another one, because the tabs of a browser share the cookie', async () => {
    const newSession = async () => signIn({ token: (await newToken('admin')).token });
    const [shown, newer] = [await newSession(), await newSession()];
    const asked = (id: string) => ({ headers: { ...newer.headers, 'weir-session': id } });
    const source = { name: 'of the other tab', type: 'HTTP' };
    const refused = await nobody().post('/v2/sources', source, asked(shown.id));
    expect(refused.status).toBe(409);
    expect(refused.body.code).toBe('OTHER_SESSION');
    expect(refused.body.message).toContain('signed in again');
    expect((await nobody().get('/schemas/event-models', asked(shown.id))).status).toBe(409);
    expect((await tenant.admin.get('/v2/sources')).body.sources).toEqual([]);
    expect((await nobody().get('/v2/sources', asked(newer.id))).status).toBe(200);
    // a token decides alone
    expect((await tenant.admin.get('/v2/sources', { headers: { 'weir-session': shown.id } })).status).toBe(200);
  });

  it('ends at once when its token is revoked, and when its owner signs out', async () => {
    const { id, token } = await newToken('read');
    const [kept, left] = [await signIn({ token }), await signIn({ token })];
    const out = await nobody().delete('/console/session', { headers: left.headers });
    expect([out.status, out.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    const statuses = async () => [
      (await nobody().get('/console/session', { headers: left.headers })).status,
      (await nobody().get('/console/session', { headers: kept.headers })).status,
    ];
    expect(await statuses()).toEqual([401, 200]);
    await tenant.admin.delete(`/v2/access-tokens/${id}`);
    expect(await statuses()).toEqual([401, 401]);
  });

  it.each([
    ['twelve hours', 'expires_at', '12 hours'],
    ['two hours without a request', 'last_seen_at', '2 hours'],
  ])('ends after %s', async (_, column, time) => {
    const { id, headers } = await signIn({ token: (await newToken('read')).token });
    const age = (by: string) =>
      gateway.database.dataSource.run(
        `UPDATE console_sessions SET ${column} = ${column} - $2::interval WHERE id = $1`,
        [id, by],
      );
    await age('1 hour');
    expect((await nobody().get('/console/session', { headers })).status).toBe(200);
    await age(time);
    expect((await nobody().get('/console/session', { headers })).status).toBe(401);
  });
});

describe('the sessions of a workspace', () => {
  it('are listed and revoked by its admins, and by others as far as they are their own', async () => {
    const reader = await newToken('read');
    const [first, second] = [await signIn({ token: reader.token }), await signIn({ token: reader.token })];
    const mine = (await nobody().get('/console/sessions', { headers: first.headers })).body.sessions;
    expect(mine.map(({ id, isCurrent }: { id: string; isCurrent: boolean }) => [id, isCurrent])).toEqual([
      [second.id, false],
      [first.id, true],
    ]);
    const admin = await signIn({ token: (await newToken('admin')).token });
    expect((await nobody().delete(`/console/sessions/${admin.id}`, { headers: first.headers })).status).toBe(404);
    const other = await newWorkspace(gateway);
    expect((await other.admin.get('/console/sessions')).body).toEqual({ sessions: [], paging: { total: 0 } });
    expect((await other.admin.delete(`/console/sessions/${first.id}`)).status).toBe(404);
    expect((await nobody().delete(`/console/sessions/${first.id}`, { headers: admin.headers })).status).toBe(204);
    expect((await nobody().get('/console/session', { headers: first.headers })).status).toBe(401);
    expect((await nobody().delete(`/console/sessions/${second.id}`, { headers: second.headers })).status).toBe(204);
  });

  it('stand in the audit trail, with who signed in and out', async () => {
    const workspace = await newWorkspace(gateway);
    const { accessToken } = (await workspace.admin.post('/v2/access-tokens', { name: 'a', role: 'read' })).body;
    const { id, headers } = await signIn({ token: accessToken.token });
    await nobody().delete('/console/session', { headers });
    const acts = () =>
      trail.requests.filter(({ workspaceId, action }) => workspaceId === workspace.id && action.startsWith('session'));
    await until('two acts', async () => new Set(acts().map(({ actId }) => actId)).size === 2);
    const told = new Map(acts().map(({ actId, ...act }) => [actId, act]));
    expect([...told.values()]).toMatchObject([
      { action: 'session.created', actor: 'tenant@example.com', details: { id, role: 'read', method: 'token' } },
      { action: 'session.ended', actor: 'tenant@example.com', details: { id, role: 'read' } },
    ]);
  });
});

describe('a page of another site', () => {
  const change = (headers: Record<string, string>) => nobody().post('/v2/sources', {}, { headers });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['a sibling host', { 'sec-fetch-site': 'same-site' }],
    ['a browser that says cross-site, whatever the origin', { 'sec-fetch-site': 'cross-site' }],
    ['an address bar', { 'sec-fetch-site': 'none' }],
    ['no origin at all', { origin: '' }],
  ])('changes nothing with the session: %s', async (_, from) => {
    const { headers } = await signIn({ token: (await newToken('admin')).token });
    const sent: Record<string, string> = { ...headers, ...from };
    if (sent['origin'] === '') delete sent['origin'];
    const answer = await change(sent);
    expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining('pages of this server')]);
  });

  it('reads nothing with it either, where the browser says so', async () => {
    const { headers } = await signIn({ token: (await newToken('admin')).token });
    const read = (site: string) =>
      nobody().get('/v2/sources', { headers: { cookie: headers.cookie, 'sec-fetch-site': site } });
    expect([(await read('same-site')).status, (await read('none')).status]).toEqual([403, 200]);
  });

  it('signs nobody in', async () => {
    const { token } = await newToken('read');
    expect((await signIn({ token }, { origin: 'https://evil.example' })).answer.status).toBe(403);
  });

  it('is told by the browser, so the own page passes', async () => {
    const { headers } = await signIn({ token: (await newToken('admin')).token });
    for (const own of [{ origin: gateway.url }, { 'sec-fetch-site': 'same-origin' }])
      expect((await change({ cookie: headers.cookie, ...own })).status).toBe(400);
  });
});

it('a script that is refused is not asked for a password by its browser', async () => {
  const challenge = async (headers: Record<string, string>) =>
    (await nobody().get('/v2/sources', { headers })).headers.get('www-authenticate');
  expect([await challenge({ 'sec-fetch-site': 'same-origin' }), await challenge({})]).toEqual([
    'Bearer realm="weir"',
    'Basic realm="weir", Bearer realm="weir"',
  ]);
});
