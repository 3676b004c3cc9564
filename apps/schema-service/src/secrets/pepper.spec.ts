import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { Pepper } from './pepper.js';

const secret = randomBytes(32).toString('base64');
const pepper = new Pepper(secret);

it('tells users and workspaces apart, always in the same way', () => {
  const key = pepper.userKey('workspace', 'ada');
  expect(key).toMatch(/^[\w-]{11}$/);
  expect(new Pepper(secret).userKey('workspace', 'ada')).toBe(key);
  const others = [
    pepper.userKey('workspace', 'bob'),
    pepper.userKey('workspacea', 'da'),
    new Pepper(randomBytes(32).toString('base64')).userKey('workspace', 'ada'),
  ];
  expect(others).not.toContain(key);
});

it('names nothing like a user', () => {
  expect(pepper.name('workspace', 'ada')).not.toContain(pepper.userKey('workspace', 'ada'));
});
