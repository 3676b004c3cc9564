import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../test/events.fixtures.js';
import { appsflyerTransform } from './appsflyer.transform.js';

const config = { authVersion: 'v2', s2sKey: 'k', androidAppId: 'com.example.app', appleAppId: '123' };
const context = { os: { name: 'Android', version: '15' }, externalId: [{ type: 'appsflyerExternalId', id: 'af' }] };
const send = (event: JsonObject, more: JsonObject = {}) => {
  const [payload] = appsflyerTransform({ ...ada, context, ...event }, { ...config, ...more });
  if (!payload) throw new Error('no payload');
  return payload;
};
const sentValue = (event: JsonObject, more: JsonObject = {}) =>
  JSON.parse(String(send(event, more).body.JSON['eventValue']));

describe('an AppsFlyer event', () => {
  it('goes to its app with the key of the version', () => {
    const payload = send({ type: 'track', event: 'Paid', properties: { currency: 'EUR' } });
    expect(payload).toMatchObject({
      endpoint: 'https://api3.appsflyer.com/inappevent/com.example.app',
      headers: { authentication: 'k' },
      body: {
        JSON: {
          eventName: 'Paid',
          eventCurrency: 'EUR',
          eventTime: ada.timestamp,
          customer_user_id: 'ada',
          appsflyer_id: 'af',
          os: '15',
        },
      },
    });
    const ios = { ...context, os: { name: 'iOS' } };
    expect(send({ type: 'track', event: 'e', context: ios }, { authVersion: 'v1', devKey: 'd' }).endpoint).toBe(
      'https://api2.appsflyer.com/inappevent/id123',
    );
  });

  it('has the names of AppsFlyer beside its properties', () => {
    const properties = {
      order_id: 'o',
      revenue: 5,
      gift: true,
      currency: 'EUR',
      products: [
        { product_id: 'p', price: 2 },
        { product_id: 'q', price: 3 },
      ],
    };
    const order = { type: 'track', event: 'Order Completed', properties };
    const own = { af_revenue: 5, af_order_id: 'o', af_price: [2, 3], af_content_id: ['p', 'q'] };
    expect(sentValue(order)).toEqual({ properties, ...own });
    expect(sentValue(order, { addPropertiesAtRoot: true, afCurrencyAtRoot: true })).toEqual({
      ...properties,
      ...own,
      af_currency: 'EUR',
    });
    expect(sentValue(order, { listOfProps: [{ property: 'gift' }] })).toMatchObject({
      gift: true,
      properties: { order_id: 'o' },
    });
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ type: 'page', name: 'Home' }, {}, 'page'],
    [{ type: 'screen', name: 'Home' }, { useRichEventName: true }, 'Viewed Home Screen'],
  ])('%j with %j is named %s', (event, more, name) => {
    expect(send(event, more).body.JSON).toMatchObject({ eventName: name, eventValue: '' });
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ type: 'track', event: 'e', context: { os: { name: 'Android' } } }, {}, 'appsflyerExternalId'],
    [{ type: 'track', event: 'e', context: {} }, {}, 'context.os.name'],
    [{ type: 'track', event: 'e' }, { s2sKey: '' }, 's2sKey is required'],
    [{ type: 'identify' }, {}, 'Event type identify is not supported'],
  ])('is refused: %j with %j', (event, more, message) => {
    expect(() => send(event, more)).toThrow(message);
  });
});
