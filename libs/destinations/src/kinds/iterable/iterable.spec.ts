import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada, jsonOf, payloadsOf } from '../../../test/events.fixtures.js';

const config = { apiKey: 'k', dataCenter: 'USDC', trackAllPages: true };
const send = (event: JsonObject, more: JsonObject = {}) =>
  payloadsOf('ITERABLE', { ...ada, ...event }, { ...config, ...more });
const json = (event: JsonObject, more: JsonObject = {}) =>
  jsonOf('ITERABLE', { ...ada, ...event }, { ...config, ...more });
const pathsOf = (event: JsonObject, more: JsonObject = {}) =>
  send(event, more).map(({ endpoint }) => new URL(endpoint).pathname);

const SETTINGS = { preferUserId: true, mergeNestedObjects: true };
const AT = Date.parse(ada.timestamp);

describe('a user for Iterable', () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      'traits',
      { traits: { email: 'a@b.c', n: { m: 1 } } },
      { email: 'a@b.c', dataFields: { email: 'a@b.c', n: { m: 1 } } },
    ],
    ['the context', { context: { traits: { email: 'a@b.c' } } }, { email: 'a@b.c', dataFields: { email: 'a@b.c' } }],
    ['empty traits', { traits: {}, context: { traits: { email: 'a@b.c' } } }, { email: 'a@b.c', dataFields: {} }],
    ['nothing else', { properties: { email: 'a@b.c' } }, {}],
  ])('has an address and data of %s', (_, event, expected) => {
    expect(json({ type: 'identify', ...event })).toEqual({ userId: 'ada', ...SETTINGS, ...expected });
  });

  it.each<[JsonObject, string]>([
    [{ traits: { userId: 'a', id: 'b' } }, 'a'],
    [{ traits: { id: 7 } }, '7'],
    [{ context: { traits: { userId: 'c', id: 'd' } } }, 'c'],
    [{ context: { traits: { id: 'd' } } }, 'd'],
    [{}, 'anon-1'],
  ])('with %j has the id %s', (event, userId) => {
    expect(json({ type: 'identify', ...event, userId: '' })).toMatchObject({ userId });
  });

  it.each<[JsonObject, JsonObject]>([
    [
      { preferUserId: false, mergeNestedObjects: false },
      { preferUserId: false, mergeNestedObjects: false },
    ],
    [{}, SETTINGS],
    [{ preferUserId: null }, { mergeNestedObjects: true }],
  ])('with the settings %j has %j', (more, expected) => {
    expect(json({ type: 'identify' }, more)).toEqual({ userId: 'ada', ...expected });
  });

  it('is updated at the configured data center', () => {
    expect(send({ type: 'identify' }, { dataCenter: 'EUDC' })).toMatchObject([
      { endpoint: 'https://api.eu.iterable.com/api/users/update', headers: { api_key: 'k' } },
    ]);
    expect(pathsOf({ type: 'identify' }, { dataCenter: null })).toEqual(['/api/users/update']);
  });

  it('changes the email address with an alias', () => {
    const body = json({ type: 'alias', previousId: 'old@example.com', userId: 'new@example.com' });
    expect(body).toEqual({ currentEmail: 'old@example.com', newEmail: 'new@example.com' });
  });
});

describe('a token for Iterable', () => {
  const key = { registerDeviceOrBrowserApiKey: 'r' };
  const event = { type: 'identify', traits: { email: 'a@b.c' }, properties: { a: 1 } };
  const registered = (context: JsonObject, more: JsonObject = {}) =>
    send({ ...event, context }, { ...key, ...more })[1];

  it.each([
    ['iOS', 'APNS'],
    ['tvos', 'APNS'],
    ['android', 'GCM'],
    [undefined, 'GCM'],
  ])('registers a device of type %s at %s', (type, platform) => {
    const device = { token: 't', name: 'app', type };
    expect(registered({ device, os: { token: 'b', name: 'ios' } }, { packageName: 'other' })).toMatchObject({
      endpoint: 'https://api.iterable.com/api/users/registerDeviceToken',
      headers: { api_key: 'r' },
      body: {
        JSON: {
          ...{ email: 'a@b.c', userId: 'ada', preferUserId: true },
          device: { token: 't', applicationName: 'app', platform, dataFields: { a: 1 } },
        },
      },
    });
  });

  it('has the configured app if the device names none', () => {
    expect(registered({ device: { token: 't' } }, { packageName: 'com.shop' })?.body.JSON).toMatchObject({
      device: { applicationName: 'com.shop' },
    });
    for (const packageName of [undefined, null, { web: 'my-website' }]) {
      expect(registered({ device: { token: 't' } }, { packageName })?.body.JSON).not.toHaveProperty(
        'device.applicationName',
      );
    }
  });

  it('registers a browser', () => {
    expect(registered({ os: { token: 'b' } })).toMatchObject({
      endpoint: 'https://api.iterable.com/api/users/registerBrowserToken',
      body: { JSON: { browserToken: 'b', email: 'a@b.c', userId: 'ada' } },
    });
  });

  it('may be a number', () => {
    expect(registered({ device: { token: 54 } })?.body.JSON).toMatchObject({ device: { token: 54 } });
    expect(registered({ os: { token: 54 } })?.body.JSON).toMatchObject({ browserToken: 54 });
  });

  it('is ignored without a key, and a key without a token', () => {
    expect(pathsOf({ ...event, context: { device: { token: 't' } } })).toEqual(['/api/users/update']);
    expect(pathsOf(event, key)).toEqual(['/api/users/update']);
  });
});

describe('a record of a reverse ETL source for Iterable', () => {
  const mapped = (externalId: unknown, traits: JsonObject = { a: 1 }) => ({
    type: 'identify',
    traits,
    context: { mappedToDestination: true, externalId },
  });

  it('is a user with its identifier', () => {
    const ids = [{ type: 'ITERABLE-users', identifierType: 'email', id: 'a@b.c' }];
    expect(json(mapped(ids))).toMatchObject({ email: 'a@b.c', userId: 'ada', dataFields: { a: 1, email: 'a@b.c' } });
    expect(json(mapped([{ type: 'ITERABLE-users', id: 'x' }]))).toMatchObject({ dataFields: { a: 1 } });
  });

  it.each<[unknown]>([
    [
      [
        { type: 'other-x', id: 'x' },
        { type: 'ITERABLE-y', id: 'y' },
        { type: 'ITERABLE-dogs', id: 'rex' },
      ],
    ],
    [{ type: 'ITERABLE-dogs', id: 'rex' }],
  ])('is an item of the catalog that %j names', (ids) => {
    const [payload, ...more] = send(mapped(ids), { registerDeviceOrBrowserApiKey: 'r' });
    expect([payload?.endpoint, payload?.body.JSON, more]).toEqual([
      'https://api.iterable.com/api/catalogs/dogs/items',
      { catalogId: 'rex', update: { a: 1 } },
      [],
    ]);
  });

  it('is refused without an object or without traits', () => {
    expect(() => json(mapped([{ type: 'dogs', id: 'rex' }]))).toThrow('whose type is ITERABLE-');
    expect(() => json(mapped([{ type: 'ITERABLE-dogs', id: 'rex' }], {}))).toThrow('traits are required');
  });
});

describe('an event for Iterable', () => {
  it('has a name, an id, a time and the campaign that it comes from', () => {
    const properties = { event_id: 5, campaignId: '7', templateId: 8.9, email: 'p@b.c', color: null };
    expect(json({ type: 'track', event: 'Liked', properties, traits: { email: 't@b.c' } })).toEqual({
      ...{ userId: 'ada', email: 'p@b.c', eventName: 'Liked', id: '5', campaignId: 7, templateId: 8 },
      ...{ createdAt: AT, dataFields: properties },
    });
  });

  it.each<[JsonObject, JsonObject]>([
    [{ event: '' }, {}],
    [{ event: 7 }, { eventName: 7 }],
    [{ event: 'order_completed' }, { eventName: 'order_completed' }],
    [{ event: ' Product Added' }, { eventName: ' Product Added' }],
    [
      { properties: { campaignId: 0, templateId: 'x' } },
      { templateId: null, dataFields: { campaignId: 0, templateId: 'x' } },
    ],
    [{ properties: { templateId: '0' } }, { templateId: 0, dataFields: { templateId: '0' } }],
    [{ properties: {} }, { dataFields: {} }],
    [{ properties: null }, {}],
    [{ context: { traits: { email: 'c@b.c' } } }, { email: 'c@b.c' }],
  ])('with %j has %j', (event, expected) => {
    expect(json({ type: 'track', ...event })).toEqual({ userId: 'ada', createdAt: AT, ...expected });
  });

  it.each<[JsonObject, number | null]>([
    [{ traits: { createdAt: '2020-01-02' }, context: { traits: { createdAt: '2021-01-02' } } }, Date.UTC(2020, 0, 2)],
    [{ context: { traits: { createdAt: 1_600_000_000 } } }, 1_600_000_000],
    [{ timestamp: undefined, originalTimestamp: '2022-01-02T00:00:00Z' }, Date.UTC(2022, 0, 2)],
    [{ timestamp: 'soon' }, null],
    [{ timestamp: undefined }, null],
  ])('with %j happened at %s', (event, createdAt) => {
    expect(json({ type: 'track', event: 'e', ...event })['createdAt']).toBe(createdAt);
  });

  it.each([
    ['page', { name: 'Home' }, {}, 'Home page'],
    ['screen', { properties: { name: 'Docs' } }, {}, 'Docs screen'],
    ['page', {}, {}, 'Loaded a Page'],
    ['screen', { name: 'Home' }, { mapToSingleEvent: true }, 'Loaded a Screen'],
    ['page', { name: 'Home' }, { trackAllPages: false, trackNamedPages: true }, 'Home page'],
    ['page', { name: 'a', category: 'b' }, { trackAllPages: false, trackCategorisedPages: true }, 'a page'],
    [
      'page',
      { name: 'a', properties: { category: 'b' } },
      { trackAllPages: null, trackCategorisedPages: true },
      'a page',
    ],
  ])('is a view of a %s %j with %j: %s', (type, event, more, eventName) => {
    expect(json({ type, ...event }, more)).toMatchObject({ eventName, userId: 'ada', createdAt: AT });
  });

  const nobody = { userId: '', anonymousId: '' };
  it.each<[JsonObject, JsonObject, string]>([
    [{ type: 'page', name: 'a' }, { trackAllPages: false, trackCategorisedPages: true }, 'does not want this page'],
    [{ type: 'screen' }, { trackAllPages: false, trackNamedPages: true }, 'does not want this screen'],
    [{ type: 'page', name: 'a' }, { trackAllPages: false, mapToSingleEvent: true }, 'does not want this page'],
    [{ type: 'group' }, {}, 'not supported'],
    [{ type: 'alias' }, {}, 'previousId is required'],
    [{ type: 'alias', previousId: 'p', userId: '' }, {}, 'userId is required'],
    [{ type: 'identify', ...nobody }, {}, 'userId or email'],
    [{ type: 'track', event: 'e', traits: { email: 'a@b.c' }, ...nobody }, {}, 'userId or email'],
    [{ type: 'track', event: 'Liked' }, { apiKey: '' }, 'apiKey'],
  ])('is refused: %j with %j', (event, more, reason) => {
    expect(() => json(event, more)).toThrow(reason);
  });
});

describe('commerce for Iterable', () => {
  const product = {
    ...{ product_id: 1, sku: 's', name: 'Tea', description: 'Green', price: '2.5 EUR', quantity: '3.7' },
    ...{ category: 'food, drink', image_url: 'i', url: 'u', properties: { a: 1 }, other: 1 },
  };
  const item = {
    ...{ id: 1, sku: 's', name: 'Tea', description: 'Green', price: 2.5, quantity: 3 },
    ...{ categories: ['food', ' drink'], imageUrl: 'i', url: 'u', dataFields: { a: 1 } },
  };
  const traits = { email: 'a@b.c' };
  const user = { email: 'a@b.c', userId: 'ada', dataFields: traits, ...SETTINGS };

  it.each(['Product Added', 'PRODUCT REMOVED'])('updates the cart for %s', (event) => {
    const sent = { type: 'track', event, traits };
    expect(pathsOf({ ...sent, properties: product })).toEqual(['/api/commerce/updateCart']);
    expect(json({ ...sent, properties: product })).toEqual({ user, items: [item] });
    expect(json({ ...sent, properties: { products: [] } })).toEqual({ user, items: [] });
  });

  it.each<[JsonObject, JsonObject]>([
    [
      { order_id: 9, orderId: 8, total: '7.5 EUR', campaignId: 2 },
      { id: '9', total: 7.5, campaignId: 2 },
    ],
    [
      { orderId: 8, event_id: 7, total: 0 },
      { id: '8', total: 0 },
    ],
    [
      { event_id: 7, total: 1 },
      { id: '7', total: 1 },
    ],
  ])('tracks the purchase %j', (order, expected) => {
    const properties = { ...order, products: [product, { ...product, category: ['x'], quantity: 0 }] };
    const items = [item, { ...item, categories: ['x'], quantity: 0 }];
    const sent = { type: 'track', event: 'Order Completed', traits, properties };
    expect(pathsOf(sent)).toEqual(['/api/commerce/trackPurchase']);
    expect(json(sent)).toEqual({ createdAt: AT, dataFields: properties, user, items, ...expected });
  });

  it.each<[string, JsonObject, string]>([
    ['Order Completed', { products: [product], revenue: 3 }, 'total is required'],
    ['Order Completed', { products: [product], total: 'much' }, 'total is required'],
    ['Product Added', { ...product, product_id: '' }, 'id is required'],
    ['Product Added', { ...product, name: null }, 'name is required'],
    ['Product Added', { ...product, price: 'free' }, 'price is required'],
    ['Product Added', { products: [product, { ...product, quantity: {} }] }, 'quantity is required'],
  ])('refuses %s of %j', (event, properties, reason) => {
    expect(() => json({ type: 'track', event, properties })).toThrow(reason);
  });
});
