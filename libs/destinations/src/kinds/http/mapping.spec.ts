import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import http from './http.js';

const event = {
  type: 'track',
  event: 'Bought',
  userId: 'ada/1',
  none: null,
  properties: {
    items: [
      { sku: 'a', price: 2, tags: ['x', 'y'] },
      { sku: 'b', price: 1 },
    ],
    one: [{ sku: 'a' }],
    orders: [{ id: 1, items: [{ sku: 'a' }, { sku: 'b' }] }, { id: 2 }],
    holes: [null, { sku: 'c' }],
    ...{ total: 7, note: '<&>', 'k-x': 'dash', deep: { a: null, list: [1, null] }, empty: [] },
  },
};
const bodyOf = (...pairs: [from: unknown, to: unknown][]) => {
  const propertiesMapping = pairs.map(([from, to]) => ({ from, to }));
  return http.transform(event, { apiUrl: 'https://api.example.com', propertiesMapping })[0]?.body.JSON;
};
const P = '$.properties';

describe('a source', () => {
  it.each<[string, unknown]>([
    ['$.event', 'Bought'],
    [`${P}['k-x']`, 'dash'],
    [`${P}["k-x"]`, 'dash'],
    [`${P}.'k-x'`, 'dash'],
    [`${P}."k-x"`, 'dash'],
    [`${P}.items[1].sku`, 'b'],
    [`${P}.items[2].sku`, undefined],
    [`${P}.items.sku`, undefined],
    [`${P}.event[0]`, undefined],
    [`${P}.items[*].sku`, ['a', 'b']],
    [`${P}.one[*].sku`, 'a'],
    [`${P}.items[*].tags[*]`, ['x', 'y']],
    [`${P}.nothing[*].sku`, undefined],
    [`${P}.deep.list[*]`, 1],
    [`${P}.deep`, { list: [1, null] }],
    [`${P}.deep.*`, [1, null]],
    [`${P}..sku`, ['a', 'b', 'a', 'a', 'b', 'c']],
    [`${P}.one..*`, [{ sku: 'a' }, 'a']],
    [`${P}..'k-x'`, 'dash'],
    [`${P}.items[?(@.price > 1)].sku`, 'a'],
    [`${P}.items[?(@.price >= 1)].sku`, ['a', 'b']],
    [`${P}.items[?(@.price < 2)].sku`, 'b'],
    [`${P}.items[?(@.price <= 2)].sku`, ['a', 'b']],
    [`${P}.items[?(@.sku > 'a')].sku`, 'b'],
    [`${P}.items[?(@.sku > 1)].sku`, undefined],
    [`${P}.items[?(@.sku == "b")].price`, 1],
    [`${P}.items[?(@.sku === 'b')].price`, 1],
    [`${P}.items[?(@.sku != 'b')].price`, 2],
    [`${P}.items[?(@.sku !== 'b')].price`, 2],
    [`${P}.items[?(@.tags)].sku`, 'a'],
    ['$.none', undefined],
    ['plain', 'plain'],
    ['"double"', '"double"'],
    ["it's", "it's"],
    ["'text $.event'", 'text $.event'],
    ["$.userId + '-s'", 'ada/1-s'],
    [`${P}.total + 1`, 8],
    [`2 * (${P}.total)`, 'refused'],
    [`2 * ${P}.total - 4 / 2`, 12],
    [`${P}.note * 2`, undefined],
    [`${P}.nothing + '-s'`, undefined],
    [`${P}.total / 0`, undefined],
    ["$.nope ?? $.none ?? 'd'", 'd'],
    ['$.nope ?? true', true],
    ["'a' + 'b'", 'ab'],
    ['cost $5', 'refused'],
    ["'it''s' + $.event", 'refused'],
    ["'it''s", 'refused'],
    [`${P}.k-x`, 'refused'],
    [`${P}.holes[*].sku`, 'refused'],
    [`${P}.items[?(@.price > )].sku`, 'refused'],
    [`${P}.items[?(@.price > 1].sku`, 'refused'],
    [`$.${'a'.repeat(3_000)}`, 'refused'],
    ['', undefined],
    [' ', undefined],
  ])('%s gives %j', (from, value) => {
    if (value === 'refused') expect(() => bodyOf([from, 'to'])).toThrow(expect.objectContaining({ code: 'invalid' }));
    else expect(bodyOf([from, 'to'])).toEqual(value === undefined ? {} : { to: value });
  });

  it('is limited in what it finds', () => {
    const many = { list: Array(200).fill({ list: Array(60).fill(1) }) };
    const config = { apiUrl: 'https://a.example', propertiesMapping: [{ from: '$..list[*]', to: 'a' }] };
    expect(() => http.transform({ ...many, type: 'track' }, config)).toThrow('more than 10000 values');
  });
});

describe('a target', () => {
  const sku = `${P}.items[*].sku`;
  it.each<[[unknown, unknown][], JsonObject | string]>([
    [[['x', '$.deep.er']], { deep: { er: 'x' } }],
    [[['x', 'deep.er']], { deep: { er: 'x' } }],
    [[['x', "$['a b']"]], { 'a b': 'x' }],
    [[['x', '$."c-d"']], { 'c-d': 'x' }],
    [[['x', 'X-Request Source']], { 'X-Request Source': 'x' }],
    [[['x', 'arr[0]']], { 'arr[0]': 'x' }],
    [[['x', '$.arr[0].a']], { arr: [{ a: 'x' }] }],
    [[['x', '$.arr[9]']], { arr: ['x'] }],
    [[['x', '$.list[*]']], { list: ['x'] }],
    [[[sku, '$.ids']], { ids: ['a', 'b'] }],
    [[[sku, '$.ids[*]']], { ids: ['a', 'b'] }],
    [[[sku, '$.list[*].id']], { list: [{ id: 'a' }, { id: 'b' }] }],
    [[[`${P}.one[*].sku`, '$.list[*].id']], { list: [{ id: 'a' }] }],
    [[[`${P}.nothing[*].sku`, '$.list[*].id']], { list: [] }],
    [[[`${P}.items[*].nothing`, '$.list[*]']], { list: [] }],
    [
      [
        [sku, '$.list[*].id'],
        [`${P}.items[*].tags`, '$.list[*].t'],
      ],
      { list: [{ id: 'a', t: ['x', 'y'] }, { id: 'b' }] },
    ],
    [[[`${P}.orders[*].items[*].sku`, '$.o[*].i[*].s']], { o: [{ i: [{ s: 'a' }, { s: 'b' }] }, { i: [] }] }],
    [
      [
        [sku, '$.list[*].id'],
        ['x', '$.list[*].id'],
      ],
      'one value into a list',
    ],
    [
      [
        ['one', 'a'],
        ['two', '$.a'],
      ],
      { a: 'one' },
    ],
    [
      [
        ['one', 'a'],
        ['two', 'a.b'],
      ],
      { a: 'one' },
    ],
    [
      [
        [`${P}.deep`, 'a'],
        ['two', 'a.b'],
      ],
      { a: { list: [1, null], b: 'two' } },
    ],
    [
      [
        ['two', 'a.list'],
        [`${P}.deep`, 'a'],
      ],
      { a: { list: 'two' } },
    ],
    [
      [
        [`${P}.deep`, '$'],
        ['two', 'b'],
      ],
      { list: [1, null], b: 'two' },
    ],
    [[['x', '$']], {}],
    [[['x', '$.__proto__.polluted']], {}],
    [
      [
        ['x', 7],
        [undefined, 'a'],
        ['', 'b'],
        ['x', ''],
        [false, 'c'],
      ],
      { c: 'false' },
    ],
    [[['x', '$.X-Request']], 'not a mapping'],
    [[['x', '$..a']], 'not a mapping'],
    [[['x', '1a']], 'begins with a digit'],
  ])('%j gives %j', (pairs, expected) => {
    if (typeof expected === 'string') expect(() => bodyOf(...pairs)).toThrow(expected);
    else expect(bodyOf(...pairs)).toEqual(expected);
  });
});
