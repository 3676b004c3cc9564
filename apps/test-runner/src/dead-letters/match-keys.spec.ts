import { describe, expect, it } from '@jest/globals';
import { matchKeysOf, matchKeysOfUsers } from './match-keys.js';

describe('matchKeysOf', () => {
  it.each([
    [{ type: 'track', userId: ' u1 ' }, ['userId=u1']],
    [{ type: 'alias', userId: 'u1', previousId: 7 }, ['userId=u1', 'userId=7']],
    [{ type: 'identify', traits: { email: 'a@b.c', age: 7, tags: ['x'], none: null } }, ['email=a@b.c', 'age=7']],
    [{ type: 'track', context: { traits: { email: 'a@b.c' } }, traits: { email: 'a@b.c' } }, ['email=a@b.c']],
    [{ type: 'track', userId: 'a\0b', context: 'no object' }, ['userId=ab']],
    [{ type: 'track', userId: 'x'.repeat(600) }, []],
  ])('of %j are %j', (event, keys) => {
    expect(matchKeysOf(event)).toEqual(keys);
  });
});

it('matchKeysOfUsers names the same keys', () => {
  const users = [{ userId: 'u1', email: 'a@b.c' }, { userId: 2 }];
  expect(matchKeysOfUsers(users)).toEqual(['userId=u1', 'email=a@b.c', 'userId=2']);
});
