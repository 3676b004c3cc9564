import { describe, expect, it } from '@jest/globals';
import { matches, parseEventFilters, parseHours, parseTab } from './filters.js';

describe('filters in the address', () => {
  it('keep what they know and forget the rest', () => {
    const raw = { type: 'track', outcome: 'dead', text: 42, source: '', other: 'x', event: ['a'] };
    expect(parseEventFilters(raw)).toEqual({ type: 'track', outcome: 'dead', text: '42' });
    expect(parseEventFilters({ type: 'evil', outcome: 'none', source: 'no id' })).toEqual({});
    const source = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
    expect(parseEventFilters({ source, destination: source })).toEqual({ source, destination: source });
    expect([parseHours({ hours: 168 }), parseHours({ hours: '24' }), parseHours({ hours: 9e9 })]).toEqual([
      { hours: 168 },
      { hours: 24 },
      {},
    ]);
    expect(parseTab({ tab: 'history', find: 'ada' })).toEqual({ tab: 'history', find: 'ada' });
  });
});

describe('matches', () => {
  const row = {
    outcome: 'accepted',
    name: 'Bought',
    messageId: 'm-1',
    event: { userId: 'ada', properties: { a: 1 } },
  } as const;

  it('finds text in the name, the id and anywhere in the event', () => {
    for (const text of ['bought', 'M-1', 'ada', '"a":1']) expect(matches(row, { text })).toBe(true);
    expect(matches(row, { text: 'grace' })).toBe(false);
  });

  it('looks at the outcome first', () => {
    expect(matches(row, { outcome: 'dead', text: 'ada' })).toBe(false);
    expect(matches({ outcome: 'dead', reason: 'HTTP 500' }, { outcome: 'dead', text: 'http' })).toBe(true);
  });
});
