import { describe, expect, it } from '@jest/globals';
import { reachOf, redacted, requireTestRights } from './principal.js';

describe('requireTestRights', () => {
  const plain = { stage: { send_to_destination: false }, force: false };

  it('lets a read-only token test what neither sends nor overrides', () => {
    expect(() => requireTestRights('read-only', plain)).not.toThrow();
  });

  it.each([
    ['sending', { ...plain, stage: { send_to_destination: true } }],
    ['force', { ...plain, force: true }],
    ['a destinationConfig', { ...plain, destinationConfig: {} }],
  ])('refuses %s to a read-only token and grants it to the others', (_, wishes) => {
    for (const role of ['read', 'read-only'] as const) {
      expect(() => requireTestRights(role, wishes)).toThrow(expect.objectContaining({ code: 'forbidden' }));
    }
    for (const role of ['write', 'read-write'] as const) expect(() => requireTestRights(role, wishes)).not.toThrow();
    expect(() => requireTestRights('admin', wishes)).not.toThrow();
  });
});

it('a caller of area D reaches its own workspace, and the operator all of them', () => {
  expect(reachOf({ workspaceId: 'w' })).toBe('w');
  expect(reachOf(true)).toBeUndefined();
});

it('masks likely secrets at any depth, and nothing else', () => {
  const event = {
    type: 'identify',
    traits: {
      email: 'a@b.c',
      password: 'p',
      api_key: 'k',
      cards: [{ cardNumber: 4111, brand: 'visa' }],
      passengers: 2,
    },
    context: { headers: { Authorization: 'Bearer x' }, token: { kind: 'none' } },
  };
  expect(redacted(event)).toEqual({
    type: 'identify',
    traits: {
      email: 'a@b.c',
      password: '***',
      api_key: '***',
      cards: [{ cardNumber: '***', brand: 'visa' }],
      passengers: 2,
    },
    context: { headers: { Authorization: '***' }, token: { kind: 'none' } },
  });
});
