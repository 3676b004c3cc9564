import { describe, expect, it } from '@jest/globals';
import { reachOf, requireTestRights } from './principal.js';

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
