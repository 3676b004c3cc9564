import { describe, expect, it } from '@jest/globals';
import { basic, until } from '@weir/testing';
import { TokenRepository } from '../src/accounts/token.repository.js';
import { Bootstrap, WorkspaceRepository } from '../src/accounts/workspace.repository.js';
import { clientOf, newWorkspace } from './client.js';
import { ADMIN, EMAIL, TOKEN, useGateway } from './running-gateway.js';

const gateway = useGateway();

const UNKNOWN = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const KSUID = /^[0-9A-Za-z]{27}$/;
/** Valid requests in sequence that finish while one failing request is delayed. Too many for chance. */
const OVERTAKING = 10;
const admin = () => clientOf(gateway, 'admin');
const as = (authorization: string) => (path: string) =>
  clientOf(gateway, 'nobody').get(path, { headers: { authorization } });

async function newToken(fields: object = {}) {
  const workspace = await newWorkspace(gateway);
  const body = { workspaceId: workspace.id, email: 'ada@example.com', name: 'ci', role: 'read-only', ...fields };
  const { accessToken } = (await admin().post('/admin/access-tokens', body)).body;
  return { ...accessToken, workspaceId: workspace.id } as Record<'id' | 'token' | 'workspaceId', string>;
}

describe('the first workspace', () => {
  it('belongs to the bootstrap token, whichever way it is sent', async () => {
    const ways = [`Bearer ${TOKEN}`, basic(EMAIL, TOKEN), basic('', TOKEN), basic(EMAIL.toUpperCase(), TOKEN)];
    const answers = await Promise.all(ways.map((way) => as(way)('/v2/workspace')));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        workspace: expect.objectContaining({ id: expect.stringMatching(KSUID), name: 'Default' }),
        caller: { email: EMAIL, role: 'admin' },
      });
    }
  });

  it('is made once, whatever starts, and a revoked bootstrap token stays revoked', async () => {
    const { dataSource } = gateway.database;
    const bootstrap = { email: EMAIL, token: 'another-bootstrap-token' };
    const repositories = [new WorkspaceRepository(dataSource), new TokenRepository(dataSource)] as const;
    const start = () => new Bootstrap({ bootstrap }, dataSource, ...repositories).onApplicationBootstrap();
    await Promise.all([start(), start()]);
    const count = 'SELECT count(*)::int AS n FROM workspaces WHERE is_bootstrap';
    expect((await dataSource.run(count)).rows).toEqual([{ n: 1 }]);
    expect((await as(`Bearer ${bootstrap.token}`)('/v2/workspace')).status).toBe(200);
    const { accessTokens } = (await clientOf(gateway).get('/v2/access-tokens')).body;
    expect((await clientOf(gateway).delete(`/v2/access-tokens/${accessTokens[1].id}`)).status).toBe(204);
    await start();
    expect((await as(`Bearer ${bootstrap.token}`)('/v2/workspace')).status).toBe(401);
  });
});

describe('credentials', () => {
  it.each([
    ['none', undefined, 'are missing'],
    ['an unknown token', 'Bearer weir_unknown', 'is unknown, expired or revoked'],
    ['a wrong e-mail address', basic('eve@example.com', TOKEN), 'another e-mail address'],
    ['a token as user name', basic('weir_x', ''), 'where the e-mail address belongs'],
    ['a write key', basic('2MzSdUEcVWnXkPbTqYhLrGjAoFi', ''), 'a write key opens the intake alone'],
    ['an empty pair', basic('', ''), 'are missing'],
    ['the admin pair', basic(ADMIN.user, ADMIN.password), 'the admin pair opens /admin'],
    ['a scheme that contains Basic', `X${basic('', TOKEN)}`, 'neither Bearer nor Basic'],
    ['no scheme', TOKEN, 'neither Bearer nor Basic'],
  ])('that are %s: 401 with a challenge, and what to send instead', async (_, authorization, problem) => {
    const headers: Record<string, string> = authorization ? { authorization } : {};
    const answer = await clientOf(gateway, 'nobody').get('/v2/workspace', { headers });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic .*Bearer /);
    const { message } = answer.body;
    expect(answer.body).toEqual({ message, error: message, code: 'UNAUTHORIZED' });
    expect(message).toMatch(/^Invalid Authorization Header: .*Send an access token/);
    expect(message).toContain(problem);
  });

  it('in the query or in a body do not count', async () => {
    const nobody = clientOf(gateway, 'nobody');
    expect((await nobody.get('/v2/workspace', { query: { access_token: TOKEN } })).status).toBe(401);
    expect((await nobody.post('/v2/sources', { access_token: TOKEN, name: 's', type: 'HTTP' })).status).toBe(401);
  });

  it('of /admin are the admin pair alone', async () => {
    for (const authorization of [`Bearer ${TOKEN}`, basic(ADMIN.user, 'wrong'), basic('', ADMIN.password)]) {
      const answer = await as(authorization)('/admin/workspaces');
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="weir"']);
      expect(answer.body.message).toMatch(/^Invalid admin credentials: .*This path takes the admin pair/);
    }
  });

  it('that keep failing are slowed, and nobody else', async () => {
    const wrong = as('Bearer weir_guess-after-guess');
    for (let attempt = 0; attempt < 10; attempt += 1) await wrong('/v2/workspace');
    const overtakes = async () => {
      let isHeld = true;
      const failing = wrong('/v2/workspace').finally(() => {
        isHeld = false;
      });
      for (let n = 0; n < OVERTAKING; n += 1) expect((await clientOf(gateway).get('/v2/workspace')).status).toBe(200);
      const isOvertaken = isHeld;
      expect((await failing).status).toBe(401);
      return isOvertaken;
    };
    // on a busy machine, ten requests may outlast the delay of one second
    await until('valid requests to overtake a delayed one', overtakes);
  });
});

describe('an access token', () => {
  it('is shown once and stored as its hash', async () => {
    const { token, workspaceId } = await newToken();
    expect(token).toMatch(/^weir_[\w-]{43}$/);
    const listed = await admin().get('/admin/access-tokens', { query: { workspaceId } });
    expect(listed.text).not.toContain(token);
    const dump = await gateway.database.dataSource.run('SELECT t::text AS row FROM access_tokens t');
    expect(JSON.stringify(dump)).not.toContain(token);
  });

  it('ends at once when it is revoked, and only once', async () => {
    const { id, token } = await newToken();
    expect((await as(`Bearer ${token}`)('/v2/workspace')).status).toBe(200);
    expect((await admin().delete(`/admin/access-tokens/${id}`)).status).toBe(204);
    expect((await as(`Bearer ${token}`)('/v2/workspace')).status).toBe(401);
    expect((await admin().delete(`/admin/access-tokens/${id}`)).status).toBe(404);
  });

  it('ends when it expires', async () => {
    const { id, token } = await newToken({ expiresAt: '2100-01-01T00:00:00Z' });
    expect((await as(`Bearer ${token}`)('/v2/workspace')).status).toBe(200);
    const letTimePass = `UPDATE access_tokens SET expires_at = expires_at - interval '100 years' WHERE id = $1`;
    await gateway.database.dataSource.run(letTimePass, [id]);
    expect((await as(`Bearer ${token}`)('/v2/workspace')).status).toBe(401);
  });

  it('remembers its last use, written at most once a minute', async () => {
    const { id, token } = await newToken();
    const lastUse = async () => {
      const sql = 'SELECT last_used_at AS at FROM access_tokens WHERE id = $1';
      return (await gateway.database.dataSource.run<{ at: Date | null }>(sql, [id])).rows[0]?.at;
    };
    expect(await lastUse()).toBeNull();
    await as(`Bearer ${token}`)('/v2/workspace');
    const first = await lastUse();
    expect(first).toBeInstanceOf(Date);
    await as(`Bearer ${token}`)('/v2/workspace');
    expect(await lastUse()).toEqual(first);
  });

  it.each([
    [{ workspaceId: UNKNOWN }, 'workspaceId'],
    [{ workspaceId: undefined }, 'workspaceId'],
    [{ email: 'no address' }, 'email'],
    [{ role: 'owner' }, 'role'],
    [{ name: '' }, 'name'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  ])('with %j is refused by the name of the field', async (fields, field) => {
    const { id } = await newWorkspace(gateway);
    const body = { workspaceId: id, email: 'a@example.com', name: 'n', role: 'admin', ...fields };
    const answer = await admin().post('/admin/access-tokens', body);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', details: { [field]: expect.any(String) } },
    });
  });
});

describe("an admin token's own workspace", () => {
  it('has tokens that only its admins see and change', async () => {
    const { id, ...tenant } = await newWorkspace(gateway);
    const made = await tenant.admin.post('/v2/access-tokens', {
      name: 'second',
      role: 'read-only',
      workspaceId: UNKNOWN,
    });
    expect(made).toMatchObject({
      status: 201,
      body: { accessToken: { workspaceId: id, email: 'tenant@example.com' } },
    });
    const listed = await tenant.admin.get('/v2/access-tokens');
    expect(listed.body.accessTokens.map(({ name }: { name: string }) => name)).toEqual([
      ...['admin', 'read-write', 'read-only', 'second'],
    ]);
    for (const client of [tenant.writer, tenant.reader]) {
      expect((await client.get('/v2/access-tokens')).status).toBe(403);
      expect((await client.delete(`/v2/access-tokens/${made.body.accessToken.id}`)).status).toBe(403);
    }
  });

  it('does not reach tokens of another', async () => {
    const [mine, other] = [await newWorkspace(gateway), await newToken()];
    const answer = await mine.admin.delete(`/v2/access-tokens/${other.id}`);
    expect(answer.body).toEqual((await mine.admin.delete(`/v2/access-tokens/${UNKNOWN}`)).body);
    expect((await as(`Bearer ${other.token}`)('/v2/workspace')).status).toBe(200);
  });

  it('rotates: a second token, then the first is revoked', async () => {
    const { admin: first } = await newWorkspace(gateway);
    const [{ id }] = (await first.get('/v2/access-tokens')).body.accessTokens;
    const { accessToken } = (await first.post('/v2/access-tokens', { name: 'next', role: 'admin' })).body;
    const second = clientOf(gateway, { token: accessToken.token });
    expect((await second.delete(`/v2/access-tokens/${id}`)).status).toBe(204);
    expect([(await first.get('/v2/workspace')).status, (await second.get('/v2/workspace')).status]).toEqual([401, 200]);
  });
});
