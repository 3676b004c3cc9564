import { describe, expect, it } from '@jest/globals';
import { matchKeysOf, matchKeysOfUsers } from './match-keys.js';

describe('matchKeysOf', () => {
  it.each([
    [{ type: 'track', userId: ' u1 ' }, ['userId=u1']],
    [{ type: 'alias', userId: 'u1', previousId: 7 }, ['userId=u1', 'userId=7']],
    [{ type: 'identify', traits: { email: 'a@b.c', age: 7, tags: ['x'], none: null } }, ['email=a@b.c', 'age=7']],
    [{ type: 'track', context: { traits: { email: 'a@b.c' } }, traits: { email: 'a@b.c' } }, ['email=a@b.c']],
    [{ type: 'track', userId: 'a\0b', context: 'no object' }, ['userId=a\uFFFDb']],
    [{ type: 'track', userId: 'x'.repeat(600) }, ['sha256=VxvN_ppif7wsmkdntVVLggZXri8wQIe1nACMdlAm6ro']],
  ])('of %j are %j', (event, keys) => {
    expect(matchKeysOf(event)).toEqual(keys);
  });
});

it('matchKeysOfUsers names the same keys', () => {
  const long = 'x'.repeat(600);
  const card = '12345678901234567890';
  const users = [{ userId: 'u1', email: 'a@b.c' }, { userId: 2 }, { userId: long }, { userId: 'u', card }];
  const traits = { card: Number(card) };
  const keys = [
    ...['userId=u1', 'email=a@b.c', 'userId=2', ...matchKeysOf({ type: 'track', userId: long })],
    ...['userId=u', `card=${card}`, ...matchKeysOf({ type: 'identify', traits })],
  ];
  expect(matchKeysOfUsers(users)).toEqual(keys);
});
