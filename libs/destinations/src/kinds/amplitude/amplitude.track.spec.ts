import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { objectAt } from '../../toolkit/index.js';
import amplitude from './amplitude.js';

const send = (event: JsonObject, config: JsonObject = {}) =>
  amplitude.transform({ ...ada, ...event }, { apiKey: 'k', ...config });
const eventsOf = (event: JsonObject, config: JsonObject = {}) =>
  amplitude.transform(event, { apiKey: 'k', ...config }).map((payload) => objectAt(payload, 'body.JSON.events.0'));
const first = (event: JsonObject, config: JsonObject = {}) => objectAt(send(event, config)[0], 'body.JSON.events.0');
const track = { type: 'track', event: 'Paid' };

describe('the name of an Amplitude event', () => {
  it.each<[JsonObject, string, JsonObject]>([
    [{ type: 'page', name: 'Home' }, 'Viewed Home Page', { name: 'Home', url: '/' }],
    [{ type: 'page', properties: { category: 'Shop' } }, 'Viewed Shop Page', { name: 'Shop', category: 'Shop' }],
    [{ type: 'page', properties: { name: 'lost' } }, 'Viewed  Page', {}],
    [{ type: 'screen', event: 'Start' }, 'Viewed Start Screen', { name: 'Start', url: '/' }],
    [{ type: 'screen', properties: { category: 5 } }, 'Viewed 5 Screen', { name: 5, category: 5 }],
    [{ type: 'screen' }, 'Viewed  Screen', { url: '/' }],
  ])('of %j is %s', (event, event_type, event_properties) => {
    expect(first({ properties: { url: '/' }, ...event })).toMatchObject({ event_type, event_properties });
  });

  it.each([
    ['Page', 'P {{ name }}.', 'P Home.'],
    ['Page', ' {{properties.a}} {{name}} ', '1 1'],
    ['Page', 'P {{ absent }}', 'P '],
    ['Page', 'P {{}}', 'P '],
    ['Page', 'fixed', 'fixed'],
    ['Screen', '', 'Home'],
    ['Screen', '{{name}}', 'Home'],
  ])('of a %s comes from the template %j: %s', (what, template, expected) => {
    const config = { [`useUserDefined${what}EventName`]: true, [`userProvided${what}EventString`]: template };
    const event = { type: what.toLowerCase(), name: 'Home', properties: { a: 1 } };
    expect(first(event, config)['event_type']).toBe(expected);
    expect(() => send({ type: what.toLowerCase() }, { ...config, [`userProvided${what}EventString`]: '' })).toThrow(
      'has no value',
    );
  });

  it.each([undefined, null, '', 5, true, 'n'.repeat(2_000)])('of a track is no %j', (event) => {
    expect(() => send({ type: 'track', event })).toThrow(expect.objectContaining({ code: 'invalid' }));
  });
});

describe('the revenue of an order', () => {
  const products = [{ product_id: 'p1', price: 2, quantity: 3, revenue: 6, color: 'red' }, { sku: 's2' }];
  const properties = { revenue: '11', tax: 1, products };
  const order = { ...track, properties };
  const revenue = { revenue: '11', price: '11', quantity: 1, revenueType: 'Purchased' };

  it.each<[once: unknown, byProduct: unknown, counted: boolean, kept: boolean, split: boolean]>([
    [false, false, true, false, true],
    [false, undefined, false, false, true],
    [false, true, false, false, true],
    [true, false, true, true, false],
    [null, false, true, true, false],
    [true, true, false, true, true],
    [undefined, true, false, true, true],
    [true, undefined, false, true, false],
  ])('products once %j, by product %j', (trackProductsOnce, trackRevenuePerProduct, counted, kept, split) => {
    const [main, ...others] = eventsOf({ ...ada, ...order }, { trackProductsOnce, trackRevenuePerProduct });
    expect(main).toMatchObject(counted ? revenue : { event_type: 'Paid' });
    expect([main && 'revenue' in main, main && 'products' in objectAt(main, 'event_properties')]).toEqual([
      counted,
      kept,
    ]);
    const made = others.map((event) => [event['event_type'], event['insert_id'], event['revenue'], event['price']]);
    const [spent, price] = trackRevenuePerProduct === true ? [6, 2] : [undefined, undefined];
    expect(made).toEqual(
      split
        ? [
            ['Product Purchased', 'm-1-1', spent, price],
            ['Product Purchased', 'm-1-2', undefined, undefined],
          ]
        : [],
    );
  });

  it.each<[JsonObject, JsonObject, JsonObject]>([
    [{ revenue: 5 }, { price: 5, quantity: 1, revenue: 5, revenueType: 'Purchased' }, {}],
    [{ revenue: 5, price: 2, quantity: 0 }, { price: 2, quantity: 1 }, {}],
    [{ revenue: 5, price: '2', quantity: '3', product_id: 'p' }, { price: '2', quantity: '3', productId: 'p' }, {}],
    [
      { revenue: 5, revenueType: 'Refund', revenue_type: 'no' },
      { revenueType: 'Refund' },
      { revenueType: 'Refund', revenue_type: 'no' },
    ],
    [{ revenue: 5, revenue_type: 'Refund' }, { revenueType: 'Refund' }, { revenue_type: 'Refund' }],
  ])('%j is %j', (given, expected, event_properties) => {
    for (const products of [undefined, [], 'no list']) {
      const all = { ...given, ...(products && { products }) };
      const left = products ? { ...event_properties, products } : event_properties;
      expect(first({ ...track, properties: all })).toMatchObject({ ...expected, event_properties: left });
    }
  });

  it('is read from the properties if nobody counts it, but has a type', () => {
    const typed = { ...properties, revenue_type: 'Refund', product_id: 'p', price: 2, quantity: 3 };
    expect(first({ ...track, properties: typed }, { trackRevenuePerProduct: true })).toMatchObject({
      ...{ revenue: '11', revenueType: 'Refund', productId: 'p', price: 2, quantity: 3, event_properties: typed },
    });
  });

  it('is what splits products, and nothing else', () => {
    const config = { trackProductsOnce: false, trackRevenuePerProduct: true };
    expect(send({ ...track, properties: { products } }, config)).toHaveLength(1);
    expect(first({ ...track, properties: { products } }, config)['event_properties']).toEqual({ products });
    expect(first(track)).not.toHaveProperty('event_properties');
    const [, product] = eventsOf({ ...order, userId: 'u' }, config);
    expect(product).not.toHaveProperty('insert_id');
  });
});
