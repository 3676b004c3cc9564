import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import appsflyer from './appsflyer.js';

const config = { authVersion: 'v2', s2sKey: 'k', androidAppId: 'com.example.app', appleAppId: '123' };
const externalId = [{ type: 'appsflyerExternalId', id: 'af' }];
const android = { os: { name: 'Android', version: '15' }, externalId };
const ios = { os: { name: 'iPadOS' }, externalId };
const send = (event: JsonObject, more: JsonObject = {}) => {
  const sample = { ...ada, type: 'track', event: 'Paid', context: android };
  const [payload] = appsflyer.transform({ ...sample, ...event }, { ...config, ...more });
  if (!payload) throw new Error('no payload');
  return payload;
};
const body = (event: JsonObject, more: JsonObject = {}) => send(event, more).body.JSON;
const sentValue = (event: string, properties: JsonObject, more: JsonObject = {}) =>
  JSON.parse(String(body({ event, properties }, more)['eventValue']));

describe('an AppsFlyer request', () => {
  it.each<[JsonObject, JsonObject, string, string]>([
    [android, {}, 'https://api3.appsflyer.com/inappevent/com.example.app', 'k'],
    [ios, {}, 'https://api3.appsflyer.com/inappevent/id123', 'k'],
    [ios, { appleAppId: 'id123' }, 'https://api3.appsflyer.com/inappevent/id123', 'k'],
    [ios, { authVersion: 'v1', devKey: 'd' }, 'https://api2.appsflyer.com/inappevent/id123', 'd'],
    [android, { authVersion: null, devKey: 'd' }, 'https://api2.appsflyer.com/inappevent/com.example.app', 'd'],
  ])('of %j with %j goes to %s', (context, more, endpoint, authentication) => {
    expect(send({ context }, more)).toMatchObject({ endpoint, headers: { authentication } });
  });

  const device = { id: 'd', advertisingId: 'ad', attTrackingStatus: 0 };
  const usual = { customer_user_id: 'ada', eventName: 'Paid', eventValue: '', appsflyer_id: 'af' };

  it.each<[JsonObject, JsonObject, JsonObject]>([
    [{}, {}, { os: '15', eventTime: ada.timestamp }],
    [{ timestamp: '2026-01-01 later', context: ios }, {}, { eventTime: '2026-01-01 later' }],
    [{ timestamp: null, originalTimestamp: 'x', context: ios }, {}, {}],
    [{ timestamp: '', context: { ...ios, device } }, {}, { idfa: 'ad', idfv: 'd', att: 0 }],
    [{ timestamp: '', context: { ...android, device } }, {}, { os: '15', advertising_id: 'ad', att: 0 }],
    [{ timestamp: '', context: { ...ios, os: { name: 'tvos', version: 9 } } }, {}, { os: 9 }],
    [{ timestamp: '', context: { ...ios, os: { name: 'ios', version: '' } } }, {}, { os: '' }],
    [{ timestamp: '', context: { ...ios, ip: '1.2.3.4' }, request_ip: '5.6.7.8' }, {}, { ip: '1.2.3.4' }],
    [{ timestamp: '', context: ios, request_ip: '5.6.7.8' }, {}, { ip: '5.6.7.8' }],
    [
      { timestamp: '', context: { ...ios, app: { version: '2', namespace: 'n' } } },
      {},
      { app_version_name: '2', bundleIdentifier: 'n' },
    ],
    [{ timestamp: '', userId: '', traits: { id: 7 }, context: ios }, {}, { customer_user_id: '7' }],
    [{ timestamp: '', context: ios }, { sharingFilter: 'all' }, { sharing_filter: 'all' }],
    [{ timestamp: '', context: ios }, { sharingFilter: ['a'] }, { sharing_filter: ['a'] }],
    [{ timestamp: '', context: ios }, { sharingFilter: [] }, {}],
  ])('of %j with %j says %j', (event, more, expected) => {
    expect(body(event, more)).toEqual({ ...usual, ...expected });
  });

  it('has no user id when none is known', () => {
    expect(body({ userId: '' })).not.toHaveProperty('customer_user_id');
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ context: { os: { name: 'Android' } } }, {}, 'appsflyerExternalId'],
    [{ context: { os: { name: 'Android' } }, integrations: { AF: { af_uid: 'x' } } }, {}, 'appsflyerExternalId'],
    [{ context: { externalId } }, {}, 'context.os.name'],
    [{ context: { externalId, os: { name: 'Windows' } } }, {}, 'context.os.name'],
    [{}, { s2sKey: '' }, 's2sKey is required'],
    [{}, { authVersion: 'v1' }, 'devKey is required'],
    [{}, { androidAppId: '' }, 'androidAppId is required'],
    [{ context: ios }, { appleAppId: '' }, 'appleAppId is required'],
    [{ event: '' }, {}, 'Event name is required'],
    [{ type: 'identify' }, {}, 'Event type identify is not supported'],
  ])('is refused: %j with %j', (event, more, message) => {
    expect(() => send(event, more)).toThrow(message);
  });
});

describe('a view in AppsFlyer', () => {
  const rich = { useRichEventName: true };

  it.each<[JsonObject, JsonObject, string, string]>([
    [{ type: 'page', name: 'Home' }, {}, 'page', ''],
    [{ type: 'page', properties: {} }, {}, 'page', '{}'],
    [{ type: 'screen', properties: { a: '', b: null } }, {}, 'screen', '{"a":"","b":null}'],
    [{ type: 'page', name: 'Home' }, rich, 'Viewed Home Page', ''],
    [{ type: 'page', properties: { name: 'n' } }, rich, 'Viewed n Page', '{"name":"n"}'],
    [{ type: 'page' }, rich, 'Viewed  Page', ''],
    [{ type: 'screen', name: 'Home', event: 'e' }, rich, 'Viewed Home Screen', ''],
    [{ type: 'screen', event: 'e', properties: { name: 'n' } }, rich, 'Viewed e Screen', '{"name":"n"}'],
    [{ type: 'screen', event: '' }, rich, 'Viewed  Screen', ''],
    [{ type: 'page', name: 'Home' }, { useRichEventName: 'yes' }, 'page', ''],
  ])('%j with %j is named %s', (event, more, eventName, eventValue) => {
    expect(body(event, more)).toMatchObject({ eventName, eventValue });
    expect(body(event, more)).not.toHaveProperty('eventCurrency');
  });
});

describe("a track event's value in AppsFlyer", () => {
  const one = { price: 2, category: 'c', product_id: 'p', quantity: 3, revenue: 6, order_id: 'o', query: 'q' };
  const viewed = { af_price: 2, af_content_type: 'c', af_content_id: 'p' };
  const added = { ...viewed, af_quantity: 3 };
  const ordered = { ...added, af_revenue: 6, af_order_id: 'o' };
  const other = { af_revenue: 6, af_quantity: 3, af_price: 2 };

  it.each<[string, JsonObject]>([
    ['Wishlist Product Added to Cart', added],
    ['Product Added To Wishlist', added],
    ['Checkout Started', added],
    ['ORDER COMPLETED', ordered],
    ['Product Removed', ordered],
    ['Products Searched', { af_search_string: 'q' }],
    ['Product Viewed', viewed],
    ['Product Added', other],
    ['order_completed', other],
    ['Paid', other],
  ])('of %s has %j', (event, expected) => {
    expect(sentValue(event, one)).toEqual({ properties: one, ...expected });
  });

  const products = [
    { product_id: 'p', price: 2 },
    { quantity: 4, price: null, sku: 's' },
  ];
  const lists = { af_content_id: ['p', null], af_quantity: [null, 4], af_price: [2, null] };

  it.each<[string, JsonObject, JsonObject]>([
    ['Product Viewed', { products, price: 9 }, lists],
    ['Products Searched', { products, query: 'q' }, { ...lists, af_search_string: 'q' }],
    ['Paid', { products, price: 9 }, { af_price: 9 }],
    ['Product Viewed', { products: [], price: 9 }, { af_price: 9 }],
    ['Product Viewed', { products: 'p', price: null }, { af_price: null }],
  ])('of %s with %j has %j', (event, properties, expected) => {
    expect(sentValue(event, properties)).toEqual({ properties, ...expected });
  });

  it('has its properties where the configuration says', () => {
    const properties = { revenue: 5, gift: true, currency: 'EUR', products };
    const lifting = (...names: string[]) => ({ listOfProps: names.map((property) => ({ property })) });
    const { gift, ...rest } = properties;
    expect(sentValue('Paid', properties, lifting('gift', 'none'))).toEqual({ gift, properties: rest, af_revenue: 5 });
    expect(sentValue('Order Completed', { products }, lifting('products'))).toEqual({ products, properties: {} });
    expect(sentValue('Paid', properties, { ...lifting('gift'), addPropertiesAtRoot: true })).toEqual({
      ...properties,
      af_revenue: 5,
    });
    expect(sentValue('Paid', {})).toEqual({ properties: {} });
    expect(body({ properties: {} }, { addPropertiesAtRoot: true })['eventValue']).toBe('');
  });

  it('has its currency beside it, and inside it if wanted', () => {
    const properties = { currency: 'EUR' };
    const atRoot = { afCurrencyAtRoot: true };
    expect(body({ properties })).toMatchObject({ eventCurrency: 'EUR' });
    expect(sentValue('Paid', properties)).not.toHaveProperty('af_currency');
    expect(sentValue('Paid', properties, atRoot)).toEqual({ properties, af_currency: 'EUR' });
    expect(sentValue('Paid', {}, atRoot)).toEqual({ properties: {} });
    const lifted = { ...atRoot, listOfProps: [{ property: 'currency' }] };
    expect(sentValue('Paid', properties, lifted)).toEqual({ currency: 'EUR', properties: {} });
  });
});
