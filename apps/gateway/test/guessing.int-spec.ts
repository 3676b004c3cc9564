import { describe, expect, it } from '@jest/globals';
import { NETWORK_FAILURES_MAX } from '../src/auth/admin-guesses.js';
import { NETWORK_FAILURES_MAX as TOKEN_FAILURES_MAX } from '../src/http/throttle.js';
import { ADMIN, TOKEN, useGateway } from './running-gateway.js';

const gateway = useGateway({ TRUSTED_PROXIES: '127.0.0.1' });

/** Sends a request as a client behind the proxy. */
const get = (path: string, authorization: string, address: string) =>
  fetch(`${gateway.url}${path}`, { headers: { authorization, 'x-forwarded-for': address } });
const pair = (password: string, user = ADMIN.user) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
const statuses = async (answers: Promise<Response>[]) => (await Promise.all(answers)).map(({ status }) => status);
const among = (all: number[], status: number) => all.filter((one) => one === status).length;

describe('200 passwords of the admin', () => {
  const guesses = Array.from({ length: 200 }, (_, n) => pair(`guess ${n}`));

  it('from one address: few are looked at, and then not even the right one', async () => {
    const all = await statuses(guesses.map((guess) => get('/admin/workspaces', guess, '192.0.2.1')));
    expect([among(all, 401), among(all, 429)]).toEqual([NETWORK_FAILURES_MAX, 200 - NETWORK_FAILURES_MAX]);
    const refused = await get('/admin/workspaces', pair(ADMIN.password), '192.0.2.1');
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
    expect([refused.status, await refused.json()]).toEqual([
      429,
      expect.objectContaining({
        code: 'TOO_MANY_REQUESTS',
        message: expect.stringMatching(/^Too many failed attempts/),
      }),
    ]);
  });

  it('leave the admin elsewhere alone', async () => {
    expect((await get('/admin/workspaces', pair(ADMIN.password), '192.0.2.2')).status).toBe(200);
  });

  it('are the same attempts in area D', async () => {
    const refused = await get('/schemas/event-models', pair('another'), '192.0.2.1');
    expect([refused.status, await refused.json()]).toEqual([429, { msg: expect.stringMatching(/^Too many failed/) }]);
  });

  it('from an address of the admin: the right one still opens', async () => {
    const all = await statuses(guesses.map((guess) => get('/admin/workspaces', guess, '192.0.2.2')));
    expect(among(all, 429)).toBeGreaterThan(0);
    expect((await get('/admin/workspaces', pair(ADMIN.password), '192.0.2.2')).status).toBe(200);
  });

  it('from many addresses: few are looked at, and known addresses do not notice', async () => {
    const from = (n: number) => `203.0.${Math.floor(n / 250)}.${n % 250}`;
    const all = await statuses([...guesses, ...guesses].map((guess, n) => get('/admin/workspaces', guess, from(n))));
    expect(among(all, 429)).toBeGreaterThan(200);
    expect((await get('/admin/workspaces', pair(ADMIN.password), '192.0.2.2')).status).toBe(200);
  });
});

describe('wrong access tokens, one after the other', () => {
  it('are refused in the end, and a right one is not', async () => {
    const wrong = Array.from({ length: TOKEN_FAILURES_MAX + 50 }, (_, n) => `Bearer weir_${n}`);
    const all = await statuses(wrong.map((token) => get('/v2/workspace', token, '192.0.2.3')));
    expect([among(all, 401), among(all, 429)]).toEqual([TOKEN_FAILURES_MAX, 50]);
    expect(
      await statuses(['192.0.2.3', '192.0.2.4'].map((from) => get('/v2/workspace', `Bearer ${TOKEN}`, from))),
    ).toEqual([200, 200]);
    expect((await get('/v2/workspace', 'Bearer weir_x', '192.0.2.4')).status).toBe(401);
  });
});
