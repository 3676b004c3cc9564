import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { changesOf, isLarge } from './event-changes.js';

const event = { type: 'track', properties: { price: 5, 'a/b~c': 1, items: [{ sku: 'x' }] } };

describe('changesOf', () => {
  it.each<[string, JsonObject, unknown[]]>([
    ['nothing', structuredClone(event), []],
    ['a value', { ...event, type: 'page' }, [{ op: 'replace', path: '/type', from: 'track', to: 'page' }]],
    ['a new key', { ...event, plan: 'pro' }, [{ op: 'add', path: '/plan', to: 'pro' }]],
    ['a key that is gone', { properties: event.properties }, [{ op: 'remove', path: '/type', from: 'track' }]],
    [
      'a key that a pointer has to escape',
      { ...event, properties: { ...event.properties, 'a/b~c': 2 } },
      [{ op: 'replace', path: '/properties/a~1b~0c', from: 1, to: 2 }],
    ],
    [
      'an item of a list',
      { ...event, properties: { ...event.properties, items: [{ sku: 'y' }, 2] } },
      [
        { op: 'replace', path: '/properties/items/0/sku', from: 'x', to: 'y' },
        { op: 'add', path: '/properties/items/1', to: 2 },
      ],
    ],
    [
      'an object that becomes a list',
      { ...event, properties: [] },
      [{ op: 'replace', path: '/properties', from: event.properties, to: [] }],
    ],
  ])('lists %s', (_, after, changes) => {
    expect(changesOf(event, after)).toEqual({ changes, more: 0 });
  });

  it('tells long values by their length, and counts what it does not list', () => {
    const after: JsonObject = {
      text: 'x'.repeat(1_000),
      ...Object.fromEntries([...Array(60).keys()].map((n) => [n, n])),
    };
    const { changes, more } = changesOf({ text: '' }, after);
    expect(changes).toContainEqual({ op: 'replace', path: '/text', from: '', to: '(1002 characters)' });
    expect([changes.length, more]).toEqual([50, 11]);
  });
});

describe('isLarge', () => {
  const events = (fields: JsonObject): JsonObject => ({ type: 'track', properties: fields });
  const lists = (count: number, item: unknown) => Array.from({ length: count }, () => item);

  it.each<[string, JsonObject, boolean]>([
    ['an ordinary event', event, false],
    ['an event of many values', events({ items: lists(9_000, 0) }), false],
    ['too many values', events({ items: lists(10_001, 0) }), true],
    ['too many values in small lists', events({ items: lists(4_000, [1, 2]) }), true],
    ['too many keys', Object.fromEntries(lists(10_001, 0).map((_, n) => [`k${n}`, n])), true],
    ['a long text', events({ text: 'x'.repeat(60_000) }), false],
    ['a longer text', events({ text: 'x'.repeat(66_000) }), true],
    ['long keys', events({ ['k'.repeat(66_000)]: 1 }), true],
  ])('of %s', (_, given, expected) => {
    expect(isLarge(given)).toBe(expected);
  });
});
