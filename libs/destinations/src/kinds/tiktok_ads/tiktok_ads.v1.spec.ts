import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { asItIs, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import { property, sha256, valueAt } from '../../toolkit/index.js';
import tiktokAds from './tiktok_ads.js';

const EVENT = { ...ada, type: 'track', event: 'Search' };
const bodyOf = (values: JsonObject, config: JsonObject = {}): JsonObject => {
  const event = withValues(EVENT, values);
  return tiktokAds.transform(event, { accessToken: 't', pixelCode: 'P1', ...config })[0]?.body.JSON ?? {};
};
const user = (key: string) => `properties.context.user.${key}`;

describe('Events API 1.0', () => {
  it.each<SourcesRow>([
    ['event_id', [...property('eventId', 'event_id'), 'messageId'], asItIs],
    ['timestamp', ['timestamp'], asItIs],
    ['test_event_code', property('testEventCode'), asItIs],
    ['properties.content_category', property('category'), asItIs],
    ['properties.content_name', property('name'), asItIs],
    ['properties.content_id', property('product_id', 'productId'), asItIs],
    ['properties.shop_id', property('shop_id', 'shopId'), asItIs],
    ['properties.order_id', property('order_id', 'orderId'), asItIs],
    ['properties.content_type', property('contentType', 'content_type'), asItIs],
    ['properties.status', property('status'), asItIs],
    ['properties.currency', property('currency'), asItIs],
    ['properties.value', property('value'), asItIs],
    ['properties.description', property('description'), asItIs],
    ['properties.query', property('query'), asItIs],
    ['context.ad.callback', ['properties.clickId', 'properties.context.ad.callback'], asItIs],
    ['context.ad.callback', ['context.ad.callback'], asItIs],
    ['context.ip', ['context.ip', 'request_ip'], asItIs],
    ['context.user_agent', ['context.userAgent'], asItIs],
    ['context.user.email', [user('email'), 'traits.email'], asItIs],
    ['context.user.phone_number', [user('phone_number'), 'context.traits.phone'], asItIs],
  ])('has %s from %j', (...row) => {
    expectSources((values) => bodyOf(values), row);
  });

  it('is one request for each event, with nothing of what is not known', () => {
    expect(
      bodyOf({ timestamp: undefined, originalTimestamp: 'o', 'properties.products': [{ product_id: 'p' }] }),
    ).toEqual({
      ...{ pixel_code: 'P1', event: 'Search', event_id: 'm-1', partner_name: expect.any(String) },
    });
    const eventsToStandard = ['Contact', 'Lead', 'Lead'].map((to) => ({ from: 'search', to }));
    const payloads = tiktokAds.transform(EVENT, { accessToken: 't', pixelCode: 'P1', eventsToStandard });
    expect(payloads).toMatchObject(
      ['Contact', 'Lead'].map((event) => ({
        endpoint: 'https://business-api.tiktok.com/open_api/v1.3/pixel/track/',
        headers: { 'access-token': 't' },
        body: { JSON: { event } },
      })),
    );
  });

  it('has the page, the ad and the user as wholes', () => {
    const own = { page: { url: 'u', own: 1 }, ad: { own: 2 }, user: { email: '', own: 3 } };
    const values = { 'properties.context': own, 'context.page': { url: 'other' }, 'context.ad': { callback: 'c' } };
    expect(bodyOf({ ...values, 'properties.clickId': 'click' })['context']).toEqual({
      ...{ page: own.page, ad: { own: 2, callback: 'click' }, user: { own: 3 } },
    });
    expect(bodyOf({ 'context.page': { a: 1 }, 'context.ad': 'ad' })['context']).toEqual({ page: { a: 1 } });
  });

  it.each<[JsonObject, string, unknown, unknown]>([
    [{ 'traits.email': ' A@b' }, 'email', ' A@b', sha256('a@b')],
    [{ 'traits.phone': ' +1' }, 'phone_number', ' +1', sha256('+1')],
    [{ traits: {}, 'context.traits.email': 'a' }, 'email', undefined, undefined],
    [{ 'properties.email': 'a' }, 'email', undefined, undefined],
    [{ [user('phone_number')]: '', 'traits.phone': '1' }, 'phone_number', '1', sha256('1')],
    [
      { [user('external_id')]: 'own', 'context.externalId': [{ type: 'tiktokExternalId', id: ' x' }] },
      ...(['external_id', ' x', sha256('x')] as [string, unknown, unknown]),
    ],
    [{ 'context.externalId': [{ type: 'tiktokExternalId', id: 7 }] }, 'external_id', undefined, undefined],
  ])('of the user of %j has %s: %j, or hashed %j', (values, key, given, hashed) => {
    const seen = [{}, { hashUserProperties: true }].map((config) =>
      valueAt(bodyOf(values, config), `context.user.${key}`),
    );
    expect(seen).toEqual([given, hashed]);
  });

  it.each<[JsonObject, JsonObject[] | undefined]>([
    [
      { contents: [{ content_id: 'x' }, { content_type: 'own' }] },
      [{ content_id: 'x', content_type: 'product_group' }, { content_type: 'own' }],
    ],
    [{ contents: { a: 1 }, contentType: 'product' }, [{ a: 1, content_type: 'product' }]],
    [
      { products: [{ product_id: 7, price: '1' }], value: 0 },
      [{ content_id: '7', price: '1', content_type: 'product' }],
    ],
    [
      { products: [{ contentType: 'own', brand: 'b' }, { sku: 's' }], content_type: 'type' },
      [{ content_type: 'own', brand: 'b' }, { content_type: 'type' }],
    ],
    [{ products: [], value: 1 }, []],
    [{ products: [{ product_id: 'p' }] }, undefined],
    [{ value: 1 }, undefined],
  ])('of %j has the contents %j', (properties, contents) => {
    expect(valueAt(bodyOf({ properties }), 'properties.contents')).toEqual(contents);
  });
});
