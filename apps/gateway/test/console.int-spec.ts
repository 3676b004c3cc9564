import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clientOf } from './client.js';
import { CLIENT, startIdentityProvider } from './identity-provider.js';
import { useGateway } from './running-gateway.js';

const ORIGIN = 'https://weir.example';
const WORKSPACE = '2nVbmVzvVS3oSZWHUWDq4pRdEWT';
const PEOPLE = { ada: ['everyone', 'data'], bob: ['everyone'], eve: ['gone'] };
const PROXIED = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'weir.example' };

const dir = mkdtempSync(join(tmpdir(), 'console-'));
const env: Record<string, string> = { TRUSTED_PROXIES: '127.0.0.1', CONSOLE_DIR: dir, CONSOLE_URL: ORIGIN };
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
beforeAll(async () => {
  mkdirSync(join(dir, 'assets'));
  writeFileSync(join(dir, 'index.html'), '<title>Console</title>');
  writeFileSync(join(dir, 'assets/app-1a2b.js'), 'let app;');
  writeFileSync(join(dir, '.hidden'), 'hidden');
  provider = await startIdentityProvider(PEOPLE, `${ORIGIN}/console/callback`);
  const grants = [
    { group: 'data', workspaceId: WORKSPACE, role: 'write' },
    { group: 'gone', workspaceId: 'no-such-workspace', role: 'admin' },
  ];
  const client = { OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret, OIDC_GRANTS: JSON.stringify(grants) };
  Object.assign(env, { OIDC_ISSUER: provider.issuer, ...client });
});
const gateway = useGateway(env);
beforeAll(async () => {
  await gateway.database.dataSource.run(`INSERT INTO workspaces (id, name) VALUES ($1, 'Shop')`, [WORKSPACE]);
});
afterAll(async () => {
  await provider.stop();
  rmSync(dir, { recursive: true });
});

const nobody = () => clientOf(gateway, 'nobody');

describe('the files of the console', () => {
  it.each(['/console', '/console/', '/console/live?sourceId=1', '/console/.hidden', '/console/a%2f..%2f..%2fb'])(
    'are the page at %s, under a strict policy and asked for anew each time',
    async (path) => {
      const answer = await nobody().get(path);
      expect([answer.status, answer.text]).toEqual([200, '<title>Console</title>']);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
      const names = ['cache-control', 'x-content-type-options', 'referrer-policy'];
      expect(names.map((name) => answer.headers.get(name))).toEqual(['no-cache', 'nosniff', 'no-referrer']);
    },
  );

  it('are kept forever where their name has a hash, and never replaced by the page', async () => {
    const asset = await nobody().get('/console/assets/app-1a2b.js');
    expect([asset.status, asset.text, asset.headers.get('cache-control')]).toEqual([
      ...[200, 'let app;', 'public, max-age=31536000, immutable'],
    ]);
    expect((await nobody().get('/console/assets/app-old.js')).status).toBe(404);
  });
});

/** A browser: cookies by host, and redirects one by one. */
function newBrowser() {
  const cookies = new Map<string, string>();
  return {
    cookies,
    /** Follows redirects until the console shows. Its public address leads to the gateway under test. */
    async open(address: string): Promise<{ url: URL; status: number }> {
      let url = new URL(address, ORIGIN);
      for (;;) {
        const isOwn = url.origin === ORIGIN;
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const answer = await fetch(isOwn ? gateway.url + url.pathname + url.search : url, {
          redirect: 'manual',
          headers: { cookie, ...(isOwn && PROXIED) },
        });
        await answer.arrayBuffer();
        for (const line of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          if (value === '') cookies.delete(name);
          else cookies.set(name, value);
        }
        const to = answer.headers.get('location');
        if (to === null || answer.status >= 400) return { url, status: answer.status };
        url = new URL(to, url);
      }
    },
  };
}

const sessionOf = (cookies: Map<string, string>) =>
  nobody().get('/console/session', {
    headers: { ...PROXIED, cookie: `__Host-weir_session=${cookies.get('__Host-weir_session')}` },
  });

describe('sign-in by OpenID Connect', () => {
  it('is offered, and gives a person the role and workspace of a group', async () => {
    expect((await nobody().get('/console/sign-in')).body).toEqual({ methods: ['oidc', 'token', 'link'] });
    provider.become('ada');
    const browser = newBrowser();
    const { url } = await browser.open('/console/login?returnTo=%2Fconsole%2Flive%3Fa%3D1');
    expect(url.href).toBe(`${ORIGIN}/console/live?a=1`);
    expect([...browser.cookies.keys()].filter((name) => name.startsWith('__Host-'))).toEqual(['__Host-weir_session']);
    expect((await sessionOf(browser.cookies)).body).toMatchObject({
      session: { email: 'ada@example.com', role: 'write', method: 'oidc' },
      workspace: { id: WORKSPACE, name: 'Shop' },
    });
  });

  it.each([
    ['bob', 'in no group of the list'],
    ['eve', 'in a group of a workspace that is gone'],
  ])('refuses %s, who is %s', async (person) => {
    provider.become(person);
    const browser = newBrowser();
    expect((await browser.open('/console/login')).url.href).toBe(`${ORIGIN}/console?signIn=no-access`);
    expect((await sessionOf(browser.cookies)).status).toBe(401);
  });

  it('asks with PKCE, state and nonce for the address of the configuration, whatever the host says', async () => {
    const headers = { ...PROXIED, 'x-forwarded-host': 'evil.example' };
    const answer = await nobody().get('/console/login', { headers });
    expect(answer.status).toBe(302);
    const asked = new URL(answer.headers.get('location') ?? '').searchParams;
    expect(asked.get('redirect_uri')).toBe(`${ORIGIN}/console/callback`);
    expect(asked.get('code_challenge_method')).toBe('S256');
    const secret = /__Host-weir_login=([\w-]{43})\./.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? '';
    expect(secret).toHaveLength(43);
    expect(answer.headers.get('set-cookie')).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)).toMatch(/^[\w-]{43}$/);
    expect(answer.headers.get('location')).not.toContain(secret);
  });

  it('leads nowhere but to the console', async () => {
    provider.become('ada');
    const { url } = await newBrowser().open('/console/login?returnTo=%2F%2Fevil.example%2Fconsole');
    expect(url.href).toBe(`${ORIGIN}/console`);
  });

  it('ends only in the browser that began it', async () => {
    provider.become('ada');
    const [one, two] = [newBrowser(), newBrowser()];
    const begin = async (browser: ReturnType<typeof newBrowser>) => {
      const answer = await nobody().get('/console/login', { headers: PROXIED });
      const [, value = ''] = /__Host-weir_login=([^;]*)/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
      browser.cookies.set('__Host-weir_login', value);
      return answer.headers.get('location') ?? '';
    };
    const address = await begin(one);
    await begin(two);
    expect((await two.open(address)).url.href).toBe(`${ORIGIN}/console?signIn=failed`);
    expect((await newBrowser().open('/console/callback?code=c&state=s')).url.href).toBe(
      `${ORIGIN}/console?signIn=failed`,
    );
  });
});
