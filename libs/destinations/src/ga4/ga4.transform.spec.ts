import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ga4Transform } from './ga4.transform.js';

const config = { apiSecret: 's', measurementId: 'G-1', typesOfClient: 'gtag' };
const timestamp = new Date(Date.now() - 3_600_000).toISOString();
const send = (event: JsonObject, more: JsonObject = {}) => {
  const [payload] = ga4Transform({ userId: 'ada', anonymousId: 'anon', timestamp, ...event }, { ...config, ...more });
  if (!payload) throw new Error('no payload');
  return payload;
};
const sent = (event: JsonObject, more: JsonObject = {}) => {
  const [found] = send(event, more).body.JSON['events'] as JsonObject[];
  return found as { name: string; params: JsonObject };
};

describe('a GA4 event', () => {
  it('goes to its data stream, with who, when and what', () => {
    const payload = send({
      type: 'track',
      event: 'Sign up now',
      properties: { plan: 'pro', deep: { a: [1] }, none: null },
    });
    expect(payload.params).toEqual({ api_secret: 's', measurement_id: 'G-1' });
    expect(payload.body.JSON).toEqual({
      client_id: 'anon',
      user_id: 'ada',
      timestamp_micros: Date.parse(timestamp) * 1_000,
      events: [{ name: 'Sign_up_now', params: { plan: 'pro', deep_a_0: 1, engagement_time_msec: 1 } }],
    });
    expect(send({ type: 'page' }, { debugMode: true }).endpoint).toContain('/debug/mp/collect');
  });

  it('of an app has its instance', () => {
    const firebase = { typesOfClient: 'firebase', firebaseAppId: '1:2' };
    const context = { externalId: [{ type: 'ga4AppInstanceId', id: 'i' }] };
    expect(send({ type: 'track', event: 'e', context }, firebase)).toMatchObject({
      ...{ params: { firebase_app_id: '1:2' }, body: { JSON: { app_instance_id: 'i' } } },
    });
    expect(() => send({ type: 'track', event: 'e' }, firebase)).toThrow('ga4AppInstanceId');
  });

  it('has the client and session of the page in hybrid mode', () => {
    const event = {
      type: 'track',
      event: 'e',
      integrations: { GA4: { clientId: 'c', sessionId: '5', sessionNumber: 2 } },
    };
    expect(send(event, { connectionMode: 'hybrid' }).body.JSON['client_id']).toBe('c');
    expect(sent(event, { connectionMode: 'hybrid' }).params).toMatchObject({ session_id: '5', session_number: 2 });
    expect(send(event).body.JSON['client_id']).toBe('anon');
  });

  it('carries consent and what may be known of the user', () => {
    const traits = { plan: 'pro', email: 'a@b.c', bio: 'x'.repeat(37), tags: ['a'], firebase_x: 1 };
    const context = { traits, device: { adTrackingEnabled: false } };
    const integrations = { GA4: { consents: { ad_user_data: 'GRANTED', ad_personalization: 'MAYBE' } } };
    const more = { piiPropertiesToIgnore: [{ piiProperty: 'email' }] };
    expect(send({ type: 'track', event: 'e', context, integrations }, more).body.JSON).toMatchObject({
      non_personalized_ads: true,
      consent: { ad_user_data: 'GRANTED' },
      user_properties: { plan: { value: 'pro' } },
    });
  });

  it.each<[JsonObject, JsonObject]>([
    [
      { type: 'page', properties: { url: 'https://a.b/', title: 'T', view: 'v' } },
      { name: 'page_view', params: { page_location: 'https://a.b/', page_title: 'T', view: 'v' } },
    ],
    [
      { type: 'group', groupId: 'g', traits: { size: 5 } },
      { name: 'join_group', params: { group_id: 'g', size: 5 } },
    ],
    [{ type: 'track', event: 'login', properties: { engagementTimeMsec: 9 } }, { params: { engagement_time_msec: 9 } }],
  ])('%j', (event, expected) => {
    expect(sent(event)).toMatchObject(expected);
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ type: 'track', event: 'session_start' }, {}, 'reserved by Google'],
    [{ type: 'track', event: '1st' }, {}, 'must start with a letter'],
    [{ type: 'track', event: 5 }, {}, 'must be a text'],
    [{ type: 'track', event: 'e', timestamp: '2020-01-01T00:00:00Z' }, {}, 'last 72 hours'],
    [{ type: 'track', event: 'e', anonymousId: '' }, {}, 'anonymousId'],
    [{ type: 'track', event: 'e' }, { measurementId: '' }, 'measurementId is required'],
    [{ type: 'track', event: 'Products Searched' }, {}, 'search_term is required'],
    [{ type: 'track', event: 'Order Completed', properties: { order_id: 'o' } }, {}, 'purchase needs products'],
    [{ type: 'track', event: 'Order Refunded' }, {}, 'transaction_id is required'],
    [{ type: 'identify' }, {}, 'Event type identify is not supported'],
  ])('is refused: %j with %j', (event, more, message) => {
    expect(() => send(event, more)).toThrow(message);
  });
});

describe("an order in Google's words", () => {
  const product = { product_id: 'p', name: 'Tea', price: '2.5', quantity: 2, position: '1', color: 'green' };
  const item = { item_id: 'p', item_name: 'Tea', price: 2.5, quantity: 2, index: 1, color: 'green' };

  it('has items, and the rest of its properties', () => {
    const properties = { order_id: 'o', total: '5', currency: 'EUR', gift: true, products: [product] };
    expect(sent({ type: 'track', event: 'Order Completed', properties })).toEqual({
      name: 'purchase',
      params: { transaction_id: 'o', value: 5, currency: 'EUR', gift: true, items: [item], engagement_time_msec: 1 },
    });
  });

  it('is worth its one product', () => {
    expect(sent({ type: 'track', event: 'product_added', properties: { ...product, shop: 's' } })).toMatchObject({
      name: 'add_to_cart',
      params: { value: 5, items: [{ item_id: 'p' }], shop: 's' },
    });
  });

  it('is refused for a product that nothing names', () => {
    const properties = { products: [{ price: 1 }] };
    expect(() => sent({ type: 'track', event: 'Cart Viewed', properties })).toThrow('a product_id or a name');
  });
});
