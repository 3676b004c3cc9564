import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada, jsonOf, payloadsOf } from '../../test/events.fixtures.js';

const config = { apiKey: 'k', dataCenter: 'USDC', trackAllPages: true };
const json = (event: JsonObject, more: JsonObject = {}) =>
  jsonOf('ITERABLE', { ...ada, ...event }, { ...config, ...more });
const pathsOf = (event: JsonObject, more: JsonObject = {}) =>
  payloadsOf('ITERABLE', { ...ada, ...event }, { ...config, ...more }).map(
    ({ endpoint }) => new URL(endpoint).pathname,
  );

describe('a user for Iterable', () => {
  it('is updated by id and email, with all traits', () => {
    const traits = { email: 'ada@example.com', plan: 'pro' };
    expect(json({ type: 'identify', traits }, { preferUserId: false })).toEqual({
      ...{ userId: 'ada', email: 'ada@example.com', dataFields: traits },
      ...{ preferUserId: false, mergeNestedObjects: true },
    });
    const [payload] = payloadsOf('ITERABLE', { ...ada, type: 'identify' }, { ...config, dataCenter: 'EUDC' });
    expect(payload).toMatchObject({
      endpoint: 'https://api.eu.iterable.com/api/users/update',
      headers: { api_key: 'k' },
    });
  });

  it('brings its devices when there is a key for them', () => {
    const event = { type: 'identify', context: { device: { token: 't', type: 'iOS' }, os: { token: 'b' } } };
    expect(pathsOf(event)).toEqual(['/api/users/update']);
    const more = { registerDeviceOrBrowserApiKey: 'r', packageName: 'com.shop' };
    const [, device, browser] = payloadsOf('ITERABLE', { ...ada, ...event }, { ...config, ...more });
    expect(device).toMatchObject({
      headers: { api_key: 'r' },
      body: { JSON: { userId: 'ada', device: { token: 't', platform: 'APNS', applicationName: 'com.shop' } } },
    });
    expect(browser?.body.JSON).toEqual({ userId: 'ada', browserToken: 'b' });
  });

  it('changes the email address with an alias', () => {
    const body = json({ type: 'alias', previousId: 'old@example.com', userId: 'new@example.com' });
    expect(body).toEqual({ currentEmail: 'old@example.com', newEmail: 'new@example.com' });
  });
});

describe('an event for Iterable', () => {
  it('has a name, a time and the campaign that it comes from', () => {
    const properties = { campaignId: '7', color: 'red' };
    expect(json({ type: 'track', event: 'Liked', properties })).toEqual({
      ...{ userId: 'ada', eventName: 'Liked', campaignId: 7, dataFields: properties },
      createdAt: Date.parse(ada.timestamp),
    });
  });

  it('is a cart or a purchase when the vocabulary says so', () => {
    const product = { product_id: 'p1', name: 'Tea', price: '2.5', quantity: '3', category: 'food, drink' };
    const item = { id: 'p1', name: 'Tea', price: 2.5, quantity: 3, categories: ['food', 'drink'] };
    expect(pathsOf({ type: 'track', event: 'Product Added', properties: product })).toEqual([
      '/api/commerce/updateCart',
    ]);
    expect(json({ type: 'track', event: 'product_added', properties: product })).toMatchObject({ items: [item] });
    const order = { order_id: 9, products: [product] };
    expect(json({ type: 'track', event: 'Order Completed', properties: order })).toMatchObject({
      ...{ id: '9', total: 7.5, items: [item], user: { userId: 'ada' }, dataFields: order },
    });
  });

  it.each([
    ['page', { name: 'Home' }, {}, 'Home page'],
    ['screen', { properties: { category: 'Docs' } }, {}, 'Docs screen'],
    ['page', {}, {}, 'Loaded a Page'],
    ['screen', { name: 'Home' }, { mapToSingleEvent: true }, 'Loaded a Screen'],
    ['page', { name: 'Home' }, { trackAllPages: false, trackNamedPages: true }, 'Home page'],
  ])('is a view of a %s %j with %j: %s', (type, event, more, eventName) => {
    expect(json({ type, ...event }, more)).toMatchObject({ eventName });
  });

  it.each<[JsonObject, JsonObject]>([
    [
      { type: 'page', name: 'Home' },
      { trackAllPages: false, trackCategorisedPages: true },
    ],
    [{ type: 'group' }, {}],
    [{ type: 'alias' }, {}],
    [{ type: 'identify', userId: '', anonymousId: '' }, {}],
    [{ type: 'track', event: 'Liked' }, { apiKey: '' }],
  ])('is refused: %j with %j', (event, more) => {
    expect(() => json(event, more)).toThrow(expect.objectContaining({ code: 'invalid' }));
  });
});
