import { describe, expect, it } from '@jest/globals';
import { UserTraces } from './traces.js';

const traces = new UserTraces([
  { userId: ' u1 ', email: 'ada@example.com', locale: 'en', phone: 4_912_345, card: '12345678901234567890' },
  { userId: 'customer-7' },
]);

describe('an event', () => {
  it.each([
    ['is of the user', { type: 'track', userId: 'u1' }],
    ['is of the user, with blanks', { type: 'track', userId: 'u1 ' }],
    ['is the alias of the user', { type: 'alias', userId: 'new', previousId: 'u1' }],
    ['names the user anywhere', { type: 'track', context: { traits: [{ id: 'customer-7' }] } }],
    ['names a custom identifier', { type: 'identify', traits: { mail: 'ada@example.com' } }],
    ['has an identifier as a number', { type: 'track', properties: { tel: 4_912_345 } }],
    ['has one as a number that was rounded', { type: 'track', properties: { card: Number('12345678901234567890') } }],
    ['has an identifier as a key', { type: 'track', properties: { 'customer-7': true } }],
  ])('is found when it %s', (_, event) => expect(traces.isIn(event)).toBe(true));

  it.each([
    ['has other users', { type: 'track', userId: 'u2', properties: { friend: 'ada@example.org' } }],
    ['has a short identifier elsewhere', { type: 'track', userId: 'u2', properties: { seat: 'u1', lang: 'en' } }],
    ['is no alias', { type: 'track', userId: 'u2', previousId: 'u1' }],
    ['only contains an identifier in a text', { type: 'track', properties: { note: 'to ada@example.com' } }],
  ])('is left when it %s', (_, event) => expect(traces.isIn(event)).toBe(false));

  it('may be deep', () => {
    let event: Record<string, unknown> = { id: 'customer-7' };
    for (let depth = 0; depth < 10_000; depth += 1) event = { event };
    expect(traces.isIn(event)).toBe(true);
  });
});

it('finds frequent values: long identifiers anywhere, short user ids where user ids are', () => {
  expect(traces.isValue('ada@example.com', 'properties.referrer')).toBe(true);
  expect(traces.isValue('u1', 'userId')).toBe(true);
  expect(traces.isValue('yes', 'properties.invited.customer-7.at')).toBe(true);
  expect(traces.isValue('yes', 'properties.customer-70')).toBe(false);
  expect(traces.isValue('u1', 'properties.seat')).toBe(false);
  expect(traces.isValue('en', 'context.locale')).toBe(false);
});
