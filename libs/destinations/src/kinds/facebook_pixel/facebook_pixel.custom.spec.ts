import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { withValues } from '../../../test/sources.fixtures.js';
import { sha256, valueAt } from '../../toolkit/index.js';
import facebookPixel from './facebook_pixel.js';

const CONFIG = { pixelId: 'p', accessToken: 't' };
const timestamp = new Date(Date.now() - 1_000).toISOString();
const EVENT = { type: 'track', event: 'Bet', userId: 'ada', timestamp };
const customOf = (values: JsonObject, config: JsonObject = {}): JsonObject => {
  const [payload] = facebookPixel.transform(withValues(EVENT, values), { ...CONFIG, ...config });
  return JSON.parse(String([payload?.body.FORM['data']].flat()[0])).custom_data;
};

describe('custom data', () => {
  it('has all properties as flat keys, but not those of the event', () => {
    const properties = {
      ...{ a: null, b: { c: [1, { d: 2 }] }, opt_out: false, event_id: 'e', action_source: 'chat' },
      ...{ content_ids: ['x'], contents: [{ id: 'x', quantity: 1 }] },
    };
    const flat = { a: null, 'b.c[0]': 1, 'b.c[1].d': 2, content_ids: ['x'], contents: [{ id: 'x', quantity: 1 }] };
    expect(customOf({ properties })).toEqual(flat);
    expect(customOf({ type: 'page', properties })).toEqual(flat);
    expect(customOf({ properties: { contents: { id: 'x' } } })).toEqual({ 'contents.id': 'x' });
  });

  it.each<[JsonObject, JsonObject]>([
    [{ revenue: '$12.345', value: 1 }, { value: 12.35 }],
    [{ revenue: 0 }, { value: 0 }],
    [
      { revenue: '', value: '7' },
      { revenue: '', value: '7' },
    ],
    [{ price: 3 }, { price: 3 }],
    [{ currency: 'EUR' }, { currency: 'EUR' }],
  ])('of the properties %j of any event is %j', (properties, expected) => {
    expect(customOf({ properties })).toEqual(expected);
    expect(customOf({ event: 'AddToWishlist', properties })).toEqual(expected);
  });

  it('has no personal property that is not allowed, and hashes those that are listed', () => {
    const config = {
      blacklistPiiProperties: [
        { blacklistPiiProperties: 'code', blacklistPiiHash: true },
        { blacklistPiiProperties: 'phone', blacklistPiiHash: true },
        { blacklistPiiProperties: 'plan', blacklistPiiHash: false },
        { blacklistPiiProperties: 'city', blacklistPiiHash: false },
        { blacklistPiiProperties: '', blacklistPiiHash: false },
      ],
      whitelistPiiProperties: [{ whitelistPiiProperties: 'zip' }],
    };
    const personal = { email: 'e', first_name: 'f', lastName: 'l', gender: 'g', birthday: 'b', city: 'c', zip: 'z' };
    expect(customOf({ properties: { ...personal, code: 7, phone: 'p', plan: 'pro' } }, config)).toEqual({
      ...{ zip: 'z', plan: 'pro', code: sha256('7'), phone: sha256('p') },
    });
  });

  it.each<[unknown, unknown]>([
    ['2025-10-09', '2025-10-09'],
    ['2025-10-09T14:30', '2025-10-09T14:30'],
    ['2025-10-09T14:30:00', '2025-10-09T14:30:00'],
    ['2025-10-09T14:30:00+02:00', '2025-10-09T12:30:00'],
    ['Thu Oct 09 2025 14:30:00 GMT+0000 (UTC)', '2025-10-09T14:30:00'],
    ['soon', 'soon'],
    [5, 5],
  ])('tells the date of a journey %s as %s', (given, expected) => {
    expect(customOf({ properties: { checkinDate: given, travelEnd: given, other: given } })).toEqual({
      ...{ checkinDate: expected, travelEnd: expected, other: given },
    });
  });
});

describe('a standard event', () => {
  const products = [
    { product_id: 'p', price: 2, delivery_category: 'in_store' },
    { sku: 's', id: 'i', quantity: 3 },
    { name: 'n' },
    'odd',
  ];
  const of = { quantity: 4, price: 9, delivery_category: 'home' };
  const list = [
    { id: 'p', quantity: 4, item_price: 2 },
    { id: 's', quantity: 3, item_price: 9 },
  ];
  const one = { contents: [{ id: 'r', quantity: 4, item_price: 9 }], content_ids: ['r'], content_type: 'product' };
  const many = { contents: list, content_ids: ['p', 's'], content_type: 'product' };
  const none = { contents: [], content_ids: [], content_type: 'product', currency: 'USD' };
  const names = { contentName: 'cn', product_name: 'pn', name: 'n' };
  const keys = [
    ...['content_ids', 'contents', 'content_type', 'content_name', 'content_category', 'search_string', 'num_items'],
    ...['currency', 'value'],
  ];

  it.each<[string, JsonObject, JsonObject]>([
    [
      'Product List Viewed',
      { ...of, ...names, products, value: 5, category: ['a', 1] },
      { ...many, content_name: 'cn', content_category: 'a,1', currency: 'USD', value: 5 },
    ],
    [
      'Product List Viewed',
      { category: 'c', product_id: 'r', currency: 'EUR' },
      {
        ...{ contents: [{ id: 'c', quantity: 1 }], content_ids: ['c'], content_type: 'product_group' },
        ...{ content_category: 'c', currency: 'EUR', value: 0 },
      },
    ],
    ['Product List Viewed', { plan: 'p' }, { ...none, content_type: 'product_group', value: 0 }],
    [
      'Product Viewed',
      { ...of, ...names, product_id: 'r', value: 5, products },
      { ...one, content_name: 'pn', value: 0 },
    ],
    ['Product Added', { ...of, id: 'r', category: 3 }, { ...one, content_name: '', content_category: '3', value: 0 }],
    [
      'Products Searched',
      { ...of, ...names, sku: 'r', query: 'q', value: '5.555' },
      { ...one, content_type: undefined, search_string: 'q', value: 5.56 },
    ],
    ['Products Searched', { query: 7 }, { ...none, content_type: undefined, search_string: 7, value: 0 }],
    [
      'Order Completed',
      { ...of, ...names, products, revenue: '100' },
      {
        ...many,
        contents: [
          { ...list[0], delivery_category: 'in_store' },
          { ...list[1], delivery_category: 'home' },
        ],
        ...{ content_name: 'cn', num_items: 2, value: 100 },
      },
    ],
    ['Order Completed', { ...of, product_id: 'r', value: 5 }, { ...none, num_items: 0, value: 0 }],
    ['Checkout Started', { ...of, ...names, products, revenue: 1 }, { ...many, num_items: 2, value: 1 }],
    ['InitiateCheckout', { ...of, products, revenue: 1 }, { ...many, num_items: 2, value: 1 }],
  ])('%s with %j', (event, properties, expected) => {
    const custom = customOf({ event, properties });
    expect(Object.fromEntries(keys.map((key) => [key, valueAt(custom, key)]))).toEqual({
      ...Object.fromEntries(keys.map((key) => [key, undefined])),
      ...{ currency: 'USD', ...expected },
    });
  });

  it('keeps the other properties beside, flat', () => {
    expect(customOf({ event: 'Order Completed', properties: { revenue: 1, products: [{ id: 'p' }] } })).toEqual({
      ...{ revenue: 1, 'products[0].id': 'p', content_ids: ['p'], contents: [{ id: 'p', quantity: 1 }] },
      ...{ content_type: 'product', num_items: 1, currency: 'USD', value: 1 },
    });
  });

  it.each<[unknown, unknown]>([
    ['properties.price', 9],
    ['properties.value', 5],
    ['', 0],
    [null, 0],
    ['properties.revenue', 0],
  ])('is worth the field %s of a product', (valueFieldIdentifier, value) => {
    const properties = { ...of, value: 5, revenue: 7 };
    expect(customOf({ event: 'Product Added', properties }, { valueFieldIdentifier })['value']).toBe(value);
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ 'properties.content_type': 'own', 'properties.category': 'shoes' }, {}, 'own'],
    [{ 'properties.category': 'shoes', 'integrations.FacebookPixel': { contentType: 'option' } }, {}, 'option'],
    [{ 'properties.category': 'shoes' }, {}, 'boots'],
    [{ 'properties.products': [{ id: 'p', category: 'shoes' }] }, {}, 'boots'],
    [{ 'properties.category': 'Shoes' }, {}, 'product_group'],
    [{ 'properties.category': 'shoes' }, { categoryToContent: null }, 'product_group'],
  ])('of %j with %j has products of the type %s', (values, config, type) => {
    const settings = {
      categoryToContent: [{ from: 'shoes', to: 'boots' }],
      eventsToEvents: [{ from: 'Bet', to: 'ViewContent' }],
    };
    expect(customOf(values, { ...settings, ...config })['content_type']).toBe(type);
  });
});
