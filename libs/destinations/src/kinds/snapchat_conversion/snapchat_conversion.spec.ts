import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { withValues } from '../../../test/sources.fixtures.js';
import { valueAt } from '../../toolkit/index.js';
import snapchatConversion, { snapchatConversionBatch } from './snapchat_conversion.js';

const DAY_MS = 86_400_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const CONFIG = { apiKey: 'k', pixelId: 'px', snapAppId: 'sa', appId: 'app' };
const newApi = { apiVersion: 'newApi' };
const EVENT = { type: 'track', event: 'save', channel: 'web', timestamp: ago(60_000), properties: { adId: 'ad' } };

const transformed = (values: JsonObject, config: JsonObject = {}) =>
  snapchatConversion.transform(withValues({ ...EVENT, messageId: 'm' }, values), { ...CONFIG, ...config });
const version2 = (values: JsonObject, config: JsonObject = {}): JsonObject =>
  transformed(values, config)[0]?.body.JSON ?? {};
const version3 = (values: JsonObject, config: JsonObject = {}): JsonObject => {
  const [item] = [transformed(values, { ...newApi, ...config })[0]?.body.JSON['data']].flat();
  return item as JsonObject;
};

describe('the events', () => {
  const products = [
    { product_id: 'p', price: '2.5', quantity: '2.9' },
    { product_id: 'q', price: 3 },
    { sku: 's', price: 'x' },
  ];
  const list = { 'properties.products': [...products, { product_id: 't', price: 4, quantity: 'many' }] };
  const data = {
    ...list,
    ...Object.fromEntries(
      [
        ...['transaction_id', 'order_id', 'checkout_id', 'item_ids', 'product_id', 'category', 'item_category'],
        ...['search_string', 'signUpMethod'],
      ].map((name) => [`properties.${name}`, name]),
    ),
  };
  const usual = { item_category: 'category', search_string: 'search_string', sign_up_method: 'signUpMethod' };
  const standard = { ...usual, item_ids: 'item_ids', transaction_id: 'transaction_id' };
  const ofList = { ...standard, item_ids: ['p', 'q', 't'], price: '8' };
  const ofCheckout = { ...ofList, transaction_id: 'order_id', sign_up_method: undefined };

  it.each<[string, JsonObject]>([
    ['Products  Searched', { ...standard, event_type: 'SEARCH' }],
    ['product_list_viewed', { ...ofList, event_type: 'VIEW_CONTENT' }],
    [' Promotion Viewed ', { ...standard, event_type: 'AD_VIEW' }],
    ['Promotion Clicked', { ...standard, event_type: 'AD_CLICK' }],
    ['PRODUCT VIEWED', { ...standard, item_ids: 'product_id', event_type: 'VIEW_CONTENT' }],
    ['Product Added', { ...standard, item_ids: 'product_id', event_type: 'ADD_CART' }],
    ['Product Added_to Wishlist', { ...standard, item_ids: 'product_id', event_type: 'ADD_TO_WISHLIST' }],
    ['Checkout Started', { ...ofCheckout, event_type: 'START_CHECKOUT' }],
    ['Payment Info Entered', { ...standard, transaction_id: 'checkout_id', event_type: 'ADD_BILLING' }],
    [
      'Order Completed',
      { ...ofCheckout, item_category: 'item_category', search_string: undefined, event_type: 'PURCHASE' },
    ],
    ['custom event 5', { ...standard, event_type: 'CUSTOM_EVENT_5' }],
  ])('%s is %j', (event, expected) => {
    const body = version2({ ...data, event });
    const keys = ['item_ids', 'price', 'transaction_id', ...Object.keys(usual), 'event_type'];
    const shown = Object.fromEntries(keys.map((key) => [key, body[key]]));
    expect(shown).toEqual({ price: undefined, ...expected });
    expect(version3({ ...data, event })).toMatchObject({
      event_name: expected['event_type'],
      event_id: expected['transaction_id'],
    });
  });

  it.each<[string, JsonObject, unknown, unknown]>([
    ['a price of zero gives way to the sum', { ...list, 'properties.price': 0 }, '8', ['p', 'q', 't']],
    ['a price stays as it is', { ...list, 'properties.price': '1' }, '1', ['p', 'q', 't']],
    ['an empty list is an empty list', { 'properties.products': [] }, '0', []],
    ['without a list there is none', { 'properties.products': 'p', list: ['x'] }, undefined, undefined],
  ])('%s', (_, values, price, ids) => {
    const event = 'Order Completed';
    expect(version2({ ...values, event })).toMatchObject({ ...(price !== undefined && { price, item_ids: ids }) });
    const custom = version3({ ...values, event })['custom_data'] ?? {};
    expect([valueAt(custom, 'value'), valueAt(custom, 'content_ids')]).toEqual([price, ids]);
  });

  it('searches by the text, then by the query', () => {
    const values = { event: 'Products Searched', 'properties.query': 'tea' };
    expect(version2(values)['search_string']).toBe('tea');
    expect(version2({ ...values, 'properties.search_string': 'mint' })['search_string']).toBe('mint');
  });

  it('are all that the configuration names, once each, but not for pages', () => {
    const rudderEventsToSnapEvents = [
      { from: 'my_event', to: 'Product Added' },
      { from: ' My  Event', to: 'sign_up' },
      { from: 'my event', to: 'sign_up' },
      { from: 'other', to: 'save' },
      { from: 'page_view', to: 'save' },
    ];
    const typesOf = (values: JsonObject, config: JsonObject = {}) =>
      transformed(values, { rudderEventsToSnapEvents, ...config }).map(({ body }) => body.JSON);
    expect(typesOf({ event: 'My Event' }).map((body) => body['event_type'])).toEqual(['ADD_CART', 'SIGN_UP']);
    expect(typesOf({ event: 'My Event' }, newApi)).toMatchObject([
      { data: [{ event_name: 'ADD_CART' }, { event_name: 'SIGN_UP' }] },
    ]);
    expect(typesOf({ type: 'page' })).toMatchObject([{ event_type: 'PAGE_VIEW' }]);
  });

  it.each<[JsonObject, string]>([
    [{ 'properties.eventConversionType': 'Mobile_App' }, 'MOBILE_APP'],
    [{ 'properties.eventConversionType': 'offline' }, 'OFFLINE'],
    [{ 'properties.eventConversionType': 'kiosk', channel: 'mobile' }, 'MOBILE_APP'],
    [{ channel: 'sources' }, 'OFFLINE'],
    [{ channel: undefined }, 'OFFLINE'],
  ])('of %j are of type %s', (values, type) => {
    expect(version2(values)['event_conversion_type']).toBe(type);
    expect(version3(values)['action_source']).toBe(type);
  });

  it.each<[JsonObject, unknown]>([
    [{}, undefined],
    [{ enableDeduplication: true }, 'm'],
    [{ enableDeduplication: true, deduplicationKey: 'properties.own' }, 7],
    [{ enableDeduplication: true, deduplicationKey: 'properties.none' }, undefined],
  ])('are told apart with %j by %j', (config, id) => {
    const values = {
      'properties.own': 7,
      ...(config['enableDeduplication'] === true && { 'properties.client_dedup_id': 'c' }),
    };
    expect([version2(values, config)['client_dedup_id'], version3(values, config)['event_id']]).toEqual([id, id]);
  });
});

describe('Snapchat', () => {
  it.each<[JsonObject, JsonObject, string]>([
    [{ event: 'Something' }, {}, 'is not an event of Snapchat'],
    [{ event: 'PURCHASE' }, {}, 'is not an event of Snapchat'],
    [{ event: 'a' }, { rudderEventsToSnapEvents: [{ from: 'a', to: 'PURCHASE' }] }, 'is not an event of Snapchat'],
    [{ event: undefined }, {}, 'Event name is required'],
    [{ 'properties.adId': undefined }, {}, 'an email, a phone, an advertising id'],
    [{ 'properties.adId': undefined, 'context.ip': 'i' }, newApi, 'an email, a phone, an advertising id'],
    [{ timestamp: ago(37 * DAY_MS + 5_000) }, {}, 'last 37 days'],
    [{ timestamp: ago(7 * DAY_MS + 5_000) }, newApi, 'last 7 days'],
    [{ timestamp: undefined }, {}, 'timestamp is required'],
    [{ timestamp: 'soon' }, {}, 'timestamp is required'],
    [{ timestamp: 'soon' }, newApi, 'event_time is required'],
    [{ channel: 'mobile' }, { snapAppId: '' }, 'snapAppId is required'],
    [{ channel: 'mobile' }, { appId: null }, 'appId is required'],
    [{}, { pixelId: '' }, 'pixelId is required'],
    [{ channel: 'offline' }, { pixelId: null }, 'pixelId is required'],
    [{ type: 'identify' }, {}, 'Event type identify is not supported'],
    [{ type: '' }, {}, 'Event type is required'],
  ])('refuses %j with %j', (values, config, message) => {
    expect(() => transformed(values, config)).toThrow(message);
  });

  it.each<[JsonObject, JsonObject]>([
    [{ 'properties.adId': undefined, 'context.ip': 'i', 'context.userAgent': 'u' }, {}],
    [{ 'properties.adId': undefined, 'context.ip': 'i', 'context.userAgent': 'u' }, newApi],
    [{ timestamp: ago(37 * DAY_MS - 60_000) }, {}],
    [{ timestamp: ago(7 * DAY_MS - 60_000) }, newApi],
    [{ timestamp: ago(-90 * DAY_MS) }, newApi],
  ])('accepts %j with %j', (values, config) => {
    expect(transformed(values, config)).toHaveLength(1);
  });

  it('takes arrays in version 2 and lists in version 3', () => {
    const [one, two] = [transformed({}), transformed({ event: 'share' })].flat();
    const current = [transformed({}, newApi), transformed({ event: 'share' }, newApi)].flat();
    if (!one || !two || !current[0]) throw new Error('no payload');
    expect(new Set([one, two].map(snapchatConversionBatch.keyOf)).size).toBe(1);
    expect(JSON.parse(String(snapchatConversionBatch.combine([one, two]).body.JSON_ARRAY['batch']))).toHaveLength(2);
    expect(snapchatConversionBatch.combine(current).body.JSON['data']).toHaveLength(2);
    expect(snapchatConversionBatch.keyOf(one)).not.toBe(snapchatConversionBatch.keyOf(current[0]));
  });
});
