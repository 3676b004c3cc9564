import { describe, expect, it } from '@jest/globals';
import { diffJson, pathText } from './json-diff.js';

describe('diffJson', () => {
  it('names what was added, removed and replaced, at any depth', () => {
    const before = { type: 'track', properties: { price: 1, coupon: 'A' }, list: [1, 2] };
    const after = { type: 'track', properties: { price: 2, tax: 0.1 }, list: [1, 2, 3] };
    expect(diffJson(before, after)).toEqual({
      changes: [
        { op: 'replace', path: '/properties/price', from: 1, to: 2 },
        { op: 'remove', path: '/properties/coupon', from: 'A' },
        { op: 'add', path: '/properties/tax', to: 0.1 },
        { op: 'add', path: '/list/2', to: 3 },
      ],
      left: 0,
    });
  });

  it('replaces a value that became another kind of value as a whole', () => {
    expect(diffJson({ a: [1] }, { a: { 0: 1 } }).changes).toEqual([
      { op: 'replace', path: '/a', from: [1], to: { 0: 1 } },
    ]);
    expect(diffJson(null, 'x').changes).toEqual([{ op: 'replace', path: '', from: null, to: 'x' }]);
  });

  it('says how many changes of a huge difference it leaves out', () => {
    const wide = Object.fromEntries(Array.from({ length: 700 }, (_, at) => [`key${at}`, at]));
    expect(diffJson({}, wide)).toMatchObject({ changes: { length: 500 }, left: 200 });
  });

  it('sees a key that JavaScript treats as special', () => {
    expect(diffJson(JSON.parse('{"__proto__":1}'), {}).changes).toEqual([
      { op: 'remove', path: '/__proto__', from: 1 },
    ]);
  });
});

it('shows pointers as people read them', () => {
  expect([pathText(''), pathText('/a~1b/c~0d')]).toEqual(['the whole event', 'a/b.c~d']);
});
