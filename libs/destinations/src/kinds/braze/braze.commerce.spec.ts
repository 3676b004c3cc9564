import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada, jsonOf } from '../../../test/events.fixtures.js';

const body = (name: string, properties: unknown, config: JsonObject, more: JsonObject = {}) =>
  jsonOf(
    'BRAZE',
    { ...ada, type: 'track', event: name, properties, ...more },
    { restApiKey: 'k', dataCenter: 'US-03', ...config },
  );

describe('purchases at Braze', () => {
  const product = { sku: 's', price: '2.5 EUR', quantity: '2', color: 'red' };
  const purchases = (properties: unknown, config: JsonObject = {}, more: JsonObject = {}) =>
    body('ORDER Completed', properties, config, more)['purchases'];
  const sent = { product_id: 's', price: 2.5, quantity: 2, currency: 'EUR', time: ada.timestamp, external_id: 'ada' };

  it('are one for each product of an order', () => {
    expect(purchases({ currency: 'EUR', order_id: 'o', products: [product, null, product] })).toEqual([sent, sent]);
  });

  it.each<[JsonObject, JsonObject]>([
    [{ currency: 'EUR', products: [{ ...product, currency: 'USD' }] }, { currency: 'EUR' }],
    [{ products: [{ ...product, currency: 'USD' }] }, { currency: 'USD' }],
    [{ currency: 'EUR', products: [{ ...product, product_id: 7 }] }, { product_id: '7' }],
    [{ currency: 'EUR', products: [{ ...product, price: 0 }] }, { price: 0 }],
    [{ currency: 'EUR', products: [{ ...product, quantity: 2.9 }] }, { quantity: 2 }],
  ])('of %j have %j', (properties, expected) => {
    expect(purchases(properties)).toEqual([{ ...sent, ...expected }]);
  });

  it('have the other keys of the product if configured', () => {
    const config = { sendPurchaseEventWithExtraProperties: true };
    const { color, ...plain } = product;
    expect(purchases({ currency: 'EUR', products: [{ ...product, time: 1 }] }, config)).toEqual([
      { ...sent, properties: { color } },
    ]);
    expect(purchases({ currency: 'EUR', products: [plain] }, config)).toEqual([sent]);
  });

  it('have the original timestamp if there is no other', () => {
    const more = { timestamp: undefined, originalTimestamp: '2026-01-01T00:00:00Z' };
    expect(purchases({ currency: 'EUR', products: [product] }, {}, more)).toMatchObject([
      { time: '2026-01-01T00:00:00Z' },
    ]);
    expect(() => purchases({ products: [product] }, {}, { timestamp: '' })).toThrow('needs a timestamp');
  });

  it.each<[unknown, string]>([
    [undefined, 'needs a list properties.products'],
    [{ products: 'a' }, 'needs a list properties.products'],
    [{ products: [null] }, 'needs a list properties.products'],
    [{ products: [product, 'a'] }, 'must be an object'],
    [{ currency: 'EUR', products: [product, { price: 1, quantity: 1 }] }, 'product 1 has no product_id'],
    [{ currency: 'EUR', products: [{ ...product, price: 'free' }] }, 'product 0 has no price'],
    [{ currency: 'EUR', products: [{ ...product, quantity: {} }] }, 'product 0 has no quantity'],
    [{ products: [product] }, 'product 0 has no currency'],
  ])('are refused for %j', (properties, reason) => {
    expect(() => purchases(properties)).toThrow(reason);
  });
});

describe("Braze's recommended events", () => {
  const config = { useEcommerceRecommendedEvents: true };
  const eventOf = (name: string, properties: JsonObject, more: JsonObject = {}) => {
    const { events, purchases } = body(name, properties, config, more);
    expect(purchases).toBeUndefined();
    return (events as JsonObject[])[0] as JsonObject;
  };
  const item = { product_id: 1, name: 'Pen', variant: 'blue', price: '2.5', quantity: '3', image_url: 'i', url: 'u' };
  const sentItem = {
    ...{ product_id: '1', product_name: 'Pen', variant_id: 'blue', price: 2.5, image_url: 'i', product_url: 'u' },
    quantity: 3,
  };
  const amounts = { subtotal_value: '8', tax: '1', shipping: 0, currency: 'EUR' };
  const sentAmounts = { subtotal_value: 8, tax: 1, shipping: 0, currency: 'EUR' };

  it.each<[string, JsonObject, string, JsonObject]>([
    [
      ' PRODUCT viewed ',
      { ...item, currency: 'EUR', type: ['sale'], products: [item] },
      'ecommerce.product_viewed',
      {
        ...{ product_id: '1', product_name: 'Pen', variant_id: 'blue', price: 2.5, image_url: 'i', product_url: 'u' },
        ...{ currency: 'EUR', type: ['sale'], metadata: { quantity: '3' } },
      },
    ],
    [
      'Product Added',
      { ...item, ...amounts, cart_id: 5, total: '9', action: 'x', color: 'red' },
      'ecommerce.cart_updated',
      { ...sentAmounts, cart_id: '5', total_value: 9, action: 'add', products: [sentItem], metadata: { color: 'red' } },
    ],
    [
      'Product Removed',
      { name: 'List', products: [{ ...item, color: 'red' }, {}], revenue: 'much' },
      'ecommerce.cart_updated',
      {
        ...{ action: 'remove', total_value: 'much', products: [{ ...sentItem, metadata: { color: 'red' } }] },
        metadata: { name: 'List' },
      },
    ],
    ['Product Removed', { products: [] }, 'ecommerce.cart_updated', { action: 'remove' }],
    [
      'Checkout Started',
      { ...amounts, order_id: 'o', cart_id: 'c', value: 4, products: [{ sku: 9 }] },
      'ecommerce.checkout_started',
      {
        ...{ ...sentAmounts, checkout_id: 'o', cart_id: 'c', total_value: 4 },
        products: [{ product_id: '9', variant_id: '9' }],
      },
    ],
    [
      'Order Completed',
      {
        ...amounts,
        order_id: 6,
        cart_id: 'c',
        total: 1,
        discount: ' ',
        total_discounts: '2',
        discounts: [{ code: 'x' }],
      },
      'ecommerce.order_placed',
      {
        ...{ ...sentAmounts, order_id: '6', cart_id: 'c', total_value: 1, total_discounts: 2 },
        discounts: [{ code: 'x' }],
      },
    ],
    [
      'Order Refunded',
      { order_id: 'o', revenue: 3, discount: 1, tax: 2, empty: {}, none: null, blank: ' ', zero: 0, no: false },
      'ecommerce.order_refunded',
      { order_id: 'o', total_value: 3, total_discounts: 1, metadata: { tax: 2, zero: 0, no: false } },
    ],
    [
      'Order Cancelled',
      { ...amounts, order_id: 'o', reason: 'late', products: [{ quantity: '1.5' }] },
      'ecommerce.order_cancelled',
      { ...sentAmounts, order_id: 'o', cancel_reason: 'late', products: [{ quantity: '1.5' }] },
    ],
  ])('%s', (name, properties, expected, sent) => {
    expect(eventOf(name, properties)).toEqual({
      name: expected,
      time: ada.timestamp,
      properties: { source: 'web', ...sent },
      external_id: 'ada',
    });
  });

  it.each(['Cart Viewed', 'product_added', 'ProductAdded'])('are none for %s', (name) => {
    expect(eventOf(name, { sku: 1 })).toMatchObject({ name, properties: { sku: 1 } });
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['ios', { source: ' iOS ' }, {}],
    ['web', { source: 'mail' }, {}],
    ['web', {}, { channel: 'web', context: { os: { name: 'Android' } } }],
    ['android', {}, { channel: 'mobile', context: { os: { name: 'Android' } } }],
    ['ios', {}, { channel: 'web', context: { channel: 'mobile', os: { name: 'iOS' } } }],
    ['web', {}, { channel: 'mobile' }],
    ['web', { source: 7 }, { channel: 'server' }],
  ])('happen at %s with %j and %j', (source, properties, more) => {
    expect(eventOf('Order Refunded', properties, more)).toMatchObject({ properties: { source } });
  });

  it('have the id of the app', () => {
    const integrations = { Braze: { appId: 'app' } };
    expect(eventOf('Order Refunded', {}, { integrations })).toMatchObject({ app_id: 'app' });
  });
});
