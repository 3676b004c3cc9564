import { describe, expect, it } from '@jest/globals';
import { fieldsIn, matches, parseEventFilters, parseOverview, textOf } from './filters.js';

describe('filters in the address', () => {
  it('keep what they know and forget the rest', () => {
    const raw = { type: 'track', outcome: 'dead', text: 42, source: '', other: 'x', event: ['a'] };
    expect(parseEventFilters(raw)).toEqual({ type: 'track', outcome: 'dead', text: '42' });
    expect(parseEventFilters({ type: 'evil', outcome: 'none', source: 'no id' })).toEqual({});
    const source = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
    expect(parseEventFilters({ source, destination: source })).toEqual({ source, destination: source });
    expect([{ hours: 168, all: true }, { hours: '24', all: 'x' }, { hours: 9e9 }].map(parseOverview)).toEqual([
      { hours: 168, all: true },
      { hours: 24 },
      {},
    ]);
    const raw2 = { tab: 'history', find: 7, other: 'x', version: '' };
    expect(fieldsIn('tab', 'find', 'version')(raw2)).toEqual({ tab: 'history', find: '7' });
  });
});

describe('matches', () => {
  const row = {
    outcome: 'accepted',
    name: 'Bought',
    messageId: 'm-1',
  } as const;

  it('finds text in the name, the id and anywhere in the event', () => {
    const event = textOf({ userId: 'Ada', properties: { a: 1 } });
    for (const text of ['bought', 'M-1', 'ada', '"a":1']) expect(matches(row, { text }, event)).toBe(true);
    expect(matches(row, { text: 'grace' }, event)).toBe(false);
    expect(matches(row, { text: 'ada' })).toBe(false);
  });

  it('looks at the outcome first', () => {
    expect(matches(row, { outcome: 'dead', text: 'ada' })).toBe(false);
    expect(matches({ outcome: 'dead', reason: 'HTTP 500' }, { outcome: 'dead', text: 'http' })).toBe(true);
  });
});
