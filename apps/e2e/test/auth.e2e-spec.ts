import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { type Answer, type Api, api, basic, type Caller, uniqueName, until } from '@weir/testing';
import { newSource } from './support/inventory.js';
import { expectMsg, expectRefusal, expectText, KSUID, TIME } from './support/matchers.js';
import {
  EMAIL,
  made,
  newToken,
  newWorkspace,
  nobody,
  operator,
  UNKNOWN_ID,
  type Workspace,
} from './support/workspace.js';

const as = (caller: Caller): Api => api(sharedStack(), caller);
const withHeader = (authorization: string) => ({ headers: { authorization } });

/** Paths of each area that accepts access tokens. */
const TOKEN_PATHS = [
  ['A', '/transformations'],
  ['A', '/libraries'],
  ['B', '/v2/regulations'],
  ['inventory', '/v2/sources'],
  ['inventory', '/v2/workspace'],
] as const;

/** Time in which a token that is about to expire is made. It passes while other tests run. */
const SOON_MS = 10_000;

let own: Workspace;
let ending: string;
beforeAll(async () => {
  own = await newWorkspace();
  ending = await newToken(own.id, 'read-only', { expiresAt: new Date(Date.now() + SOON_MS).toISOString() });
});

describe('credentials of areas A, B, C and the inventory', () => {
  const forms: [string, (token: string) => string][] = [
    ['Bearer token', (token) => `Bearer ${token}`],
    ['a lower-case scheme', (token) => `bearer ${token}`],
    ['Basic email:token', (token) => basic(EMAIL, token)],
    ['Basic with the e-mail in another case', (token) => basic(EMAIL.toUpperCase(), token)],
    ['Basic with an empty user', (token) => basic('', token)],
  ];
  describe.each(forms)('as %s', (_, form) => {
    it.each(TOKEN_PATHS)('open area %s at %s', async (_area, path) => {
      expect((await nobody().get(path, withHeader(form(own.tokens['read-only'])))).status).toBe(200);
    });

    it('open area C', async () => {
      const options = withHeader(form(own.tokens['read-only']));
      const answer = await nobody().post(`/v0/testDestination/${UNKNOWN_ID}`, { message: { type: 'track' } }, options);
      expectRefusal(answer, 404);
    });
  });

  const refused: [string, () => string][] = [
    ['no credentials', () => ''],
    ['an unknown token', () => 'Bearer weir_unknown'],
    ['an empty token', () => 'Bearer '],
    ['an empty password', () => basic(EMAIL, '')],
    ['an empty user and password', () => basic('', '')],
    ["another account's e-mail", () => basic('someone@example.com', own.tokens.admin)],
    ['a token as the user name', () => basic(own.tokens.admin, '')],
    ['a token with something after a colon', () => basic(EMAIL, `${own.tokens.admin}:more`)],
    ['text that is no Base64', () => 'Basic %%%'],
    ['Basic without a colon', () => `Basic ${Buffer.from(own.tokens.admin).toString('base64')}`],
    ['another scheme', () => `Digest ${own.tokens.admin}`],
    ['the admin pair', () => basic(sharedStack().admin.user, sharedStack().admin.password)],
  ];
  describe.each(refused)('%s', (_, header) => {
    it.each(TOKEN_PATHS)('does not open area %s at %s', async (_area, path) => {
      const authorization = header();
      const answer = await nobody().get(path, authorization ? withHeader(authorization) : {});
      expectRefusal(answer, 401);
      expect(answer.headers.get('www-authenticate')).toMatch(/Basic|Bearer/);
    });
  });

  it.each(['/v0/testDestination/x', '/v0/testSource/x', '/transformations/libraries/publish'])(
    'are asked for before the body of %s is looked at',
    async (path) => {
      const answer = await nobody().post(path, '{"broken');
      expectRefusal(answer, 401);
      expect(answer.headers.get('www-authenticate')).toMatch(/Basic/);
    },
  );

  it('are not read from the query or the body', async () => {
    const { admin } = own.tokens;
    const inQuery = await nobody().get('/v2/sources', { query: { access_token: admin } });
    const inBody = await nobody().post('/v2/sources', { access_token: admin, name: uniqueName('s'), type: 'HTTP' });
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    const inForm = await nobody().post('/v2/sources', `access_token=${admin}`, form);
    for (const answer of [inQuery, inBody, inForm]) expectRefusal(answer, 401);
  });

  it('are needed for the destination definitions too', async () => {
    for (const path of ['/destination-definitions', '/destination-definitions/WEBHOOK']) {
      expectRefusal(await nobody().get(path), 401);
      expectRefusal(await as({ token: uniqueName('wrong') }).get(path), 401);
      expect((await own.reader.get(path)).status).toBe(200);
    }
  });
});

describe('credentials that keep failing', () => {
  /** Valid requests in a row that pass while one failing request is held. More than chance allows. */
  const OVERTAKING = 10;

  it('are slowed to one a second, and valid ones are not', async () => {
    const wrong = as({ token: uniqueName('wrong') });
    for (let n = 0; n < 10; n++) expectRefusal(await wrong.get('/v2/sources'), 401);
    const overtakes = async () => {
      let isHeld = true;
      const failing = wrong.get('/v2/sources').finally(() => {
        isHeld = false;
      });
      for (let n = 0; n < OVERTAKING; n++) expect((await own.reader.get('/v2/sources')).status).toBe(200);
      const isOvertaken = isHeld;
      expectRefusal(await failing, 401);
      return isOvertaken;
    };
    // on a busy machine, ten requests may outlast the hold of one second
    await until('valid requests to overtake a held one', overtakes);
  });
});

describe('credentials of area D', () => {
  const paths = [
    '/schemas/event-models',
    '/schemas/event-versions?EventID=x',
    '/schemas/event-model/x/metadata',
    '/schemas/event-version/x/metadata',
    '/schemas/event-model/x/key-counts',
    '/schemas/event-version/x/missing-keys',
  ];
  it.each(paths)('failing at %s is 400 with a msg', async (path) => {
    const { admin } = sharedStack();
    expectMsg(await nobody().get(path), 400, 'Basic auth credentials missing');
    expectMsg(await as({ user: admin.user, password: 'wrong' }).get(path), 400, 'Invalid admin credentials');
    expectMsg(await as({ user: 'wrong', password: admin.password }).get(path), 400, 'Invalid admin credentials');
    expectMsg(await as({ user: '', password: '' }).get(path), 400);
    expectMsg(await as({ token: own.tokens.admin }).get(path), 400, 'Basic auth credentials missing');
    expectMsg(await as({ user: EMAIL, password: 'weir_unknown' }).get(path), 400, 'Invalid admin credentials');
    expectMsg(await as({ user: 'another@example.com', password: own.tokens.admin }).get(path), 400);
  });

  it('are the admin pair, or a token in either of its Basic forms', async () => {
    expect((await operator().get('/schemas/event-models')).status).toBe(200);
    const { admin } = own.tokens;
    for (const way of [
      { user: EMAIL, password: admin },
      { user: '', password: admin },
    ]) {
      expect(made(await as(way).get('/schemas/event-models'))).toEqual([]);
    }
  });
});

describe('credentials of the intake', () => {
  it('are a write key as user name; the password does not matter', async () => {
    const { writeKey } = await newSource(own.writer);
    const event = { userId: 'u', event: 'Signed in' };
    expect((await as({ writeKey }).post('/v1/track', event)).status).toBe(200);
    expect((await as({ user: writeKey, password: 'any:thing' }).post('/v1/track', event)).status).toBe(200);
  });

  it('are refused in plain text', async () => {
    const missing = await nobody().post('/v1/track', { userId: 'u', event: 'e' });
    expectText(missing, 401, 'failed to read writekey from header');
    expectText(await as({ writeKey: '' }).post('/v1/track', {}), 401, 'failed to read writekey from header');
    expectText(await as({ writeKey: UNKNOWN_ID }).post('/v1/track', {}), 401, 'invalid write key');
  });
});

describe('a role', () => {
  const source = () => ({ name: uniqueName('source'), type: 'HTTP' });
  const code = 'export function transformEvent(event) { return event; }';
  const writes: [string, (client: Api) => Promise<Answer>][] = [
    ['a source is made', (client) => client.post('/v2/sources', source())],
    ['a source is changed', (client) => client.put(`/v2/sources/${UNKNOWN_ID}`, source())],
    ['a source is deleted', (client) => client.delete(`/v2/sources/${UNKNOWN_ID}`)],
    ['a destination is made', (client) => client.post('/v2/destinations', {})],
    ['a connection is made', (client) => client.post('/v2/connections', {})],
    ['a link is made', (client) => client.put(`/v2/destinations/${UNKNOWN_ID}/transformation`, {})],
    ['a transformation is made', (client) => client.post('/transformations', { name: 't', code })],
    ['a transformation is deleted', (client) => client.delete(`/transformations/${UNKNOWN_ID}`)],
    ['a library is made', (client) => client.post('/libraries', { name: 'l', code })],
    ['revisions are published', (client) => client.post('/transformations/libraries/publish', {})],
    ['a user is suppressed', (client) => client.post('/v2/regulations', {})],
    ['a regulation is cancelled', (client) => client.delete(`/v2/regulations/${UNKNOWN_ID}`)],
  ];
  it.each(writes)('read-only is refused with 403 where %s', async (_, write) => {
    expectRefusal(await write(own.reader), 403, /admin or write/);
  });

  it('read-only may read and test, but neither send nor override', async () => {
    expect((await own.reader.get('/v2/sources')).status).toBe(200);
    const path = `/v0/testDestination/${UNKNOWN_ID}`;
    const message = { type: 'track', event: 'e', userId: 'u' };
    const stage = { dest_transform: true, send_to_destination: true };
    expectRefusal(await own.reader.post(path, { message, stage }), 403, /send/i);
    expectRefusal(await own.reader.post(path, { message }, { query: { force: true } }), 403, /force/);
    expectRefusal(await own.reader.post(path, { message, destinationConfig: {} }), 403, /destinationConfig/);
    expectRefusal(await own.reader.post(path, { message }), 404);
  });

  it('read-write may write, but not see to tokens', async () => {
    expect((await own.writer.post('/v2/sources', source())).status).toBe(200);
    expectRefusal(await own.writer.get('/v2/access-tokens'), 403, /role admin/);
    const token = { name: 't', role: 'admin' };
    expectRefusal(await own.writer.post('/v2/access-tokens', token), 403, /role admin/);
    expectRefusal(await own.writer.delete(`/v2/access-tokens/${UNKNOWN_ID}`), 403, /role admin/);
  });
});

describe('access tokens', () => {
  it('are rotated by making a second one and revoking the first', async () => {
    const first = made(await own.admin.post('/v2/access-tokens', { name: 'first', role: 'admin' }), 201).accessToken;
    expect(first).toMatchObject({ id: KSUID, workspaceId: own.id, email: EMAIL, role: 'admin', createdAt: TIME });
    const withFirst = as({ token: first.token });
    const second = made(await withFirst.post('/v2/access-tokens', { name: 'second', role: 'admin' }), 201).accessToken;
    const withSecond = as({ token: second.token });
    expect((await withSecond.delete(`/v2/access-tokens/${first.id}`)).status).toBe(204);
    expectRefusal(await withFirst.get('/v2/sources'), 401);
    expect((await withSecond.get('/v2/sources')).status).toBe(200);
    expectRefusal(await withSecond.delete(`/v2/access-tokens/${first.id}`), 404);
  });

  it('are shown once and list without their secret, with their last use', async () => {
    const { id, token } = made(
      await own.admin.post('/v2/access-tokens', { name: 'used', role: 'read-only' }),
      201,
    ).accessToken;
    made(await as({ token }).get('/v2/workspace'));
    const listed = await until('the last use', async () => {
      const { accessTokens } = made(await own.admin.get('/v2/access-tokens'));
      return accessTokens.find((one: { id: string; lastUsedAt?: string }) => one.id === id && one.lastUsedAt);
    });
    expect(listed).toEqual({ ...listed, id, name: 'used', lastUsedAt: TIME });
    expect(JSON.stringify(listed)).not.toContain(token);
    expect(listed).not.toHaveProperty('token');
  });

  it('end when they expire', async () => {
    const lasting = await newToken(own.id, 'read-only', { expiresAt: '2100-01-01T00:00:00Z' });
    const statusOf = async (token: string) => (await as({ token }).get('/v2/workspace')).status;
    await until('the end of the token', async () => (await statusOf(ending)) === 401);
    expect(await statusOf(lasting)).toBe(200);
  });

  const bad: [string, object][] = [
    ['role', { role: 'owner' }],
    ['name', { name: '' }],
    ['email', { email: 'nobody' }],
    ['expiresAt', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['expiresAt', { expiresAt: 'tomorrow' }],
  ];
  it.each(bad)('are refused with a bad %s: %j', async (field, fields) => {
    const answer = await own.admin.post('/v2/access-tokens', { name: 'n', role: 'admin', ...fields });
    expectRefusal(answer, 400, new RegExp(field));
  });
});

describe('/admin', () => {
  it('is for the admin pair alone', async () => {
    for (const path of ['/admin/workspaces', `/admin/access-tokens?workspaceId=${own.id}`]) {
      for (const client of [nobody(), own.admin, as({ user: sharedStack().admin.user, password: 'wrong' })]) {
        const answer = await client.get(path);
        expectRefusal(answer, 401);
        expect(answer.headers.get('www-authenticate')).toMatch(/^Basic/);
      }
    }
  });

  it('makes workspaces and tokens, lists them and revokes them', async () => {
    const name = uniqueName('operated');
    const { workspace } = made(await operator().post('/admin/workspaces', { name }), 201);
    expect(workspace).toMatchObject({ id: KSUID, name });
    const body = { workspaceId: workspace.id, email: EMAIL, name: 'ci', role: 'read-write' };
    const { accessToken } = made(await operator().post('/admin/access-tokens', body), 201);
    const client = as({ token: accessToken.token });
    expect(made(await client.get('/v2/workspace')).workspace).toMatchObject({ id: workspace.id, name });
    const query = { workspaceId: workspace.id };
    const { accessTokens } = made(await operator().get('/admin/access-tokens', { query }));
    expect(accessTokens).toHaveLength(1);
    expect(accessTokens[0]).toMatchObject({ id: accessToken.id, name: 'ci', role: 'read-write' });
    expect((await operator().delete(`/admin/access-tokens/${accessToken.id}`)).status).toBe(204);
    expectRefusal(await client.get('/v2/workspace'), 401);
  });

  it('refuses what it cannot do', async () => {
    expectRefusal(await operator().post('/admin/workspaces', {}), 400, /name/);
    const body = { workspaceId: UNKNOWN_ID, email: EMAIL, name: 'n', role: 'admin' };
    expectRefusal(await operator().post('/admin/access-tokens', body), 400, /workspace/i);
    expectRefusal(await operator().get('/admin/access-tokens'), 400, /workspaceId/);
    expectRefusal(await operator().delete(`/admin/access-tokens/${UNKNOWN_ID}`), 404);
  });
});
