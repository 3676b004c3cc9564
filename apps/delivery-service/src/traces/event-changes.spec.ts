import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { changesOf } from './event-changes.js';

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
