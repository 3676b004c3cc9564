import { describe, expect, it } from '@jest/globals';
import { flowIn, grantOf, newFlow, safePath } from './oidc.flow.js';

describe('safePath', () => {
  it.each(['/console', '/console/', '/console/live?a=1#b', '/console/events/a%2Fb'])('keeps %s', (path) => {
    expect(safePath(path)).toBe(path);
  });

  it.each([
    ...['https://evil.example/console', '//evil.example/console', '/\\evil.example/console', 'javascript:alert(1)', ''],
    ...['/consolex', '/v2/sources', '/console/../v2/sources', '/console/%2e%2e/docs', '\t//evil.example', undefined],
    `/console/${'x'.repeat(2_000)}`,
  ])('replaces %p', (path) => {
    expect(safePath(path)).toBe('/console');
  });
});

describe('a sign-in', () => {
  it('comes back from its cookie', () => {
    const flow = newFlow('/console/live');
    expect(flowIn(flow.cookie)).toEqual(flow);
    expect(new Set([flow.state, flow.nonce, flow.verifier]).size).toBe(3);
  });

  it.each([undefined, '', 'short', `${'a'.repeat(42)}!.`])('has no cookie like %p', (cookie) => {
    expect(flowIn(cookie)).toBeUndefined();
  });

  it('checks the path in the cookie again', () => {
    const { cookie } = newFlow('/console/live');
    const forged = `${cookie.split('.')[0]}.${Buffer.from('//evil.example').toString('base64url')}`;
    expect(flowIn(forged)?.returnTo).toBe('/console');
  });
});

describe('grantOf', () => {
  const grants = [
    { group: 'admins', workspaceId: 'a', role: 'admin' },
    { group: 'staff', workspaceId: 'b', role: 'read' },
  ] as const;

  it.each([
    [['staff', 'admins'], 'admin'],
    ['staff', 'read'],
    [['others'], undefined],
    [undefined, undefined],
    [{ admins: true }, undefined],
  ])('of %j is the first of the list', (claim, role) => {
    expect(grantOf(grants, claim)?.role).toBe(role);
  });
});
