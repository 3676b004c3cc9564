import { describe, expect, it } from '@jest/globals';
import { Role } from '@weir/contracts';
import { requireAccess, requireTestRights } from './roles.js';

describe('requireAccess', () => {
  const granted = { 'read-only': 'read test', 'read-write': 'read test write', admin: 'read test write tokens' };

  it.each(Role.options)('gives %s what the role says and nothing else', (role) => {
    const allowed = (['read', 'test', 'write', 'tokens'] as const).filter((access) => {
      try {
        requireAccess(role, access);
        return true;
      } catch {
        return false;
      }
    });
    expect(allowed.join(' ')).toBe(granted[role]);
  });

  it('says which role is needed', () => {
    expect(() => requireAccess('read-only', 'write')).toThrow(
      expect.objectContaining({ code: 'forbidden', message: expect.stringContaining('read-write') }),
    );
  });
});

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
    expect(() => requireTestRights('read-only', wishes)).toThrow(expect.objectContaining({ code: 'forbidden' }));
    expect(() => requireTestRights('read-write', wishes)).not.toThrow();
    expect(() => requireTestRights('admin', wishes)).not.toThrow();
  });
});
