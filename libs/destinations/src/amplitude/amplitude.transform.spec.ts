import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../test/events.fixtures.js';
import { amplitudeTransform } from './amplitude.transform.js';

const send = (event: JsonObject, config: JsonObject = {}) =>
  amplitudeTransform({ ...ada, ...event }, { apiKey: 'k', ...config });
const events = (event: JsonObject, config: JsonObject = {}) =>
  send(event, config).map(({ body }) => (body.JSON['events'] as JsonObject[])[0] as JsonObject);

describe('an Amplitude event', () => {
  it('has ids, time and place, and its traits without the place', () => {
    const traits = { plan: 'pro', address: { city: 'Turin', street: 'Via Po' } };
    expect(events({ type: 'track', event: 'Paid', properties: { a: 1 }, context: { traits } })).toEqual([
      {
        event_type: 'Paid',
        user_id: 'ada',
        device_id: 'anon-1',
        insert_id: 'm-1',
        time: Date.parse(ada.timestamp),
        session_id: -1,
        city: 'Turin',
        event_properties: { a: 1 },
        user_properties: { plan: 'pro', address: { street: 'Via Po' } },
        library: expect.any(String),
      },
    ]);
  });

  it.each([
    [{ residencyServer: 'EU' }, 'https://api.eu.amplitude.com/2/httpapi'],
    [{}, 'https://api2.amplitude.com/2/httpapi'],
  ])('goes, with %j, to %s', (config, endpoint) => {
    expect(send({ type: 'track', event: 'e' }, config)[0]?.endpoint).toBe(endpoint);
  });

  it.each([
    [1_700_000_000_000, 1_700_000_000_000],
    ['web:17', 17],
    ['not-a-number', -1],
  ])('of session %j has session %j', (session_id, expected) => {
    expect(events({ type: 'track', event: 'e', session_id })[0]?.['session_id']).toBe(expected);
  });

  it('knows the browser and, on phones, the advertising ids', () => {
    const userAgent =
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
    expect(events({ type: 'page', channel: 'web', context: { userAgent } })[0]).toMatchObject({
      ...{ os_name: 'Chrome', os_version: '120.0.0.0', device_model: 'Windows', platform: 'Web' },
    });
    const device = { id: 'd', type: 'ios', manufacturer: 'Apple', advertisingId: 'ad' };
    expect(events({ type: 'screen', channel: 'mobile', context: { device } })[0]).toMatchObject({
      ...{ device_id: 'd', device_brand: 'Apple', idfa: 'ad', idfv: 'd', platform: 'ios' },
    });
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ type: 'page', name: 'Home' }, {}, 'Viewed Home Page'],
    [{ type: 'screen', event: 'Start' }, {}, 'Viewed Start Screen'],
    [
      { type: 'page', name: 'Home' },
      { useUserDefinedPageEventName: true, userProvidedPageEventString: 'P: {{ name }}' },
      'P: Home',
    ],
  ])('%j with %j is named %s', (event, config, name) => {
    expect(events(event, config)[0]?.['event_type']).toBe(name);
  });

  it('needs a user or a device', () => {
    expect(() => amplitudeTransform({ type: 'track', event: 'e' }, { apiKey: 'k' })).toThrow(
      'a user id or a device id',
    );
  });
});

describe('an order', () => {
  const products = [
    { product_id: 'p1', price: 2, quantity: 3, color: 'red' },
    { sku: 's2', price: 5 },
  ];
  const order = { type: 'track', event: 'Order Completed', properties: { revenue: 11, tax: 1, products } };

  it('is a revenue, and an event for each product', () => {
    const [main, first, second] = events(order);
    expect(main).toMatchObject({
      revenue: 11,
      price: 11,
      quantity: 1,
      revenueType: 'Purchased',
      event_properties: { tax: 1 },
    });
    expect(first).toMatchObject({ event_type: 'Product Purchased', insert_id: 'm-1-1', event_properties: products[0] });
    expect(second).not.toHaveProperty('revenue');
  });

  it('keeps its products, or has its revenue counted by product', () => {
    expect(events(order, { trackProductsOnce: true })).toHaveLength(1);
    const [main, first] = events(order, { trackRevenuePerProduct: true });
    expect(main).not.toHaveProperty('revenue');
    expect(first).toMatchObject({ productId: 'p1', price: 2, quantity: 3, event_properties: { color: 'red' } });
  });
});

describe('people and groups', () => {
  it('are updated by the operations that are configured', () => {
    const traits = { visits: 1, first: 'x', tag: 'a', plan: 'pro' };
    const lists = {
      traitsToIncrement: [{ traits: 'visits' }],
      traitsToSetOnce: [{ traits: 'first' }],
      traitsToAppend: [{ traits: 'tag' }, { traits: 'absent' }],
    };
    const operations = { $add: { visits: 1 }, $setOnce: { first: 'x' }, $append: { tag: 'a' } };
    const properties = (config: JsonObject) => events({ type: 'identify', traits }, config)[0]?.['user_properties'];
    expect(properties(lists)).toEqual({ plan: 'pro', ...operations });
    expect(properties({ ...lists, enableEnhancedUserOperations: true })).toEqual({
      $set: { plan: 'pro' },
      ...operations,
    });
  });

  it('join by two calls', () => {
    const config = { groupTypeTrait: 'kind', groupValueTrait: 'name' };
    const [first, second] = send({ type: 'group', traits: { kind: 'company', name: 'Weir' } }, config);
    expect(first?.body.JSON['events']).toMatchObject([{ event_type: '$identify', groups: { company: 'Weir' } }]);
    expect(second?.endpoint).toBe('https://api2.amplitude.com/groupidentify');
    expect(JSON.parse(String(second?.body.FORM['identification']))).toEqual({
      ...{ group_type: 'company', group_value: 'Weir', group_properties: { kind: 'company', name: 'Weir' } },
    });
    expect(() => send({ type: 'group', traits: {} }, config)).toThrow('groupTypeTrait');
  });

  it('are mapped to one another by aliases', () => {
    const [payload] = send({ type: 'alias', previousId: 'old' });
    expect(payload?.body.FORM['mapping']).toEqual(['{"global_user_id":"ada","user_id":"old"}']);
  });
});
