import { describe, expect, it } from '@jest/globals';
import { AdminStrategy } from './admin.strategy.js';

describe('the admin pair', () => {
  const strategy = new AdminStrategy({ admin: { user: 'operator', password: 'pass:word' } });

  it('lets in who has both', () => {
    expect(strategy.validate('operator', 'pass:word')).toBe(true);
  });

  it.each([
    ['operator', 'pass'],
    ['operator', ''],
    ['', 'pass:word'],
    ['other', 'pass:word'],
    ['operator', 'pass:word '],
  ])('refuses %p with %p', (user, password) => {
    expect(() => strategy.validate(user, password)).toThrow('Invalid admin credentials');
  });

  it('lets nobody in while it is unset, not even with empty credentials', () => {
    expect(() => new AdminStrategy({ admin: undefined }).validate('', '')).toThrow('Invalid admin credentials');
  });
});
