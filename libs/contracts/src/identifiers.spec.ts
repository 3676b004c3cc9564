import { describe, expect, it } from '@jest/globals';
import { identifiersOf, identifiersOfUsers } from './identifiers.js';

describe('identifiersOf', () => {
  it.each([
    [{ type: 'track', userId: ' u1 ' }, ['userId=u1']],
    [{ type: 'alias', userId: 'u1', previousId: 7 }, ['userId=u1', 'userId=7']],
    [{ type: 'identify', traits: { email: 'a@b.c', age: 7, tags: ['x'], none: null } }, ['email=a@b.c', 'age=7']],
    [{ type: 'track', context: { traits: { email: 'a@b.c' } }, traits: { email: 'a@b.c' } }, ['email=a@b.c']],
    [{ type: 'track', userId: 'a\0b', context: 'no object' }, ['userId=a\uFFFDb']],
    [{ type: 'track', userId: 'x'.repeat(600) }, ['sha256=VxvN_ppif7wsmkdntVVLggZXri8wQIe1nACMdlAm6ro']],
  ])('of %j are %j', (event, identifiers) => {
    expect(identifiersOf(event)).toEqual(identifiers);
  });
});

it('identifiersOfUsers names the same identifiers', () => {
  const long = 'x'.repeat(600);
  const card = '12345678901234567890';
  const users = [{ userId: 'u1', email: 'a@b.c' }, { userId: 2 }, { userId: long }, { userId: 'u', card }];
  const traits = { card: Number(card) };
  const identifiers = [
    ...['userId=u1', 'email=a@b.c', 'userId=2', ...identifiersOf({ type: 'track', userId: long })],
    ...['userId=u', `card=${card}`, ...identifiersOf({ type: 'identify', traits })],
  ];
  expect(identifiersOfUsers(users)).toEqual(identifiers);
});
