import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { Pepper } from '@weir/service-kit';
import { UserKeys } from './user-keys.js';

const secret = randomBytes(32).toString('base64');
const keys = new UserKeys(new Pepper(secret));

it('tells users and workspaces apart, always in the same way', () => {
  const key = keys.userKey('workspace', 'ada');
  expect(key).toMatch(/^[\w-]{11}$/);
  expect(new UserKeys(new Pepper(secret)).userKey('workspace', 'ada')).toBe(key);
  const others = [
    keys.userKey('workspace', 'bob'),
    keys.userKey('workspacea', 'da'),
    new UserKeys(new Pepper(randomBytes(32).toString('base64'))).userKey('workspace', 'ada'),
  ];
  expect(others).not.toContain(key);
});

it('names nothing like a user', () => {
  expect(keys.name('workspace', 'ada')).not.toContain(keys.userKey('workspace', 'ada'));
});
