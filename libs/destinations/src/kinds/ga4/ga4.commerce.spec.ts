import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import ga4 from './ga4.js';

const config = { apiSecret: 's', measurementId: 'G-1', typesOfClient: 'gtag' };
const sent = (event: string, properties: JsonObject, more: JsonObject = {}) => {
  const [payload] = ga4.transform({ type: 'track', event, anonymousId: 'a', properties, ...more }, config);
  const [found] = (payload?.body.JSON['events'] ?? []) as { name: string; params: JsonObject }[];
  if (!found) throw new Error('no event');
  const { engagement_time_msec, ...params } = found.params;
  expect(engagement_time_msec).toBe(1);
  return [found.name, params];
};

const product = { product_id: 'p', name: 'Tea', price: '2.5', quantity: 2, position: '1' };
const item = { item_id: 'p', item_name: 'Tea', price: 2.5, quantity: 2, index: 1 };
const products = [product];
const items = [item];
const order = { order_id: 'o', total: '5', products };

describe("a shop's event in Google's words", () => {
  it.each<[string, JsonObject, string, JsonObject]>([
    ['login', { method: 'sso' }, 'login', { method: 'sso' }],
    ['sign_up', {}, 'sign_up', {}],
    ['generate lead', { price: '3', note: 'n' }, 'generate_lead', { currency: 'USD', value: 3, note: 'n' }],
    ['Products Searched', { query: 'tea' }, 'search', { search_term: 'tea' }],
    ['view_search_results', { search_term: 't', products }, 'view_search_results', { search_term: 't', items }],
    [
      'Product List Viewed',
      { list_id: 'l', category: 'c', products, shop: 's' },
      'view_item_list',
      { item_list_id: 'l', item_list_name: 'c', items, shop: 's' },
    ],
    [
      'Promotion Viewed',
      { creative: 'c', position: 'top', promotion_id: 'i', name: 'n', products },
      'view_promotion',
      { creative_name: 'c', creative_slot: 'top', promotion_id: 'i', promotion_name: 'n', items },
    ],
    [
      'promotion_clicked',
      { creative_name: 'c', creative_slot: 's', promotion_name: 'n' },
      'select_promotion',
      { creative_name: 'c', creative_slot: 's', promotion_name: 'n' },
    ],
    [
      'Product Clicked',
      { ...product, list_id: 'l', category: 'c', products: [{ name: 'ignored' }] },
      'select_item',
      { item_list_id: 'l', item_list_name: 'c', items: [{ ...item, item_category: 'c' }] },
    ],
    ['Product Viewed', product, 'view_item', { currency: 'USD', value: 2.5, items }],
    ['PRODUCT ADDED', { ...product, total: '' }, 'add_to_cart', { currency: 'USD', value: 5, items }],
    ['Product Added', { name: 'Tea', price: 3 }, 'add_to_cart', { value: 3, items: [{ item_name: 'Tea', price: 3 }] }],
    ['Product Added', { products, revenue: 9 }, 'add_to_cart', { value: 9, items }],
    ['Product Added', { products, price: 2, quantity: null }, 'add_to_cart', { value: 2, price: 2, items }],
    ['Product Added', { products, price: 2, quantity: 3 }, 'add_to_cart', { value: 6, price: 2, quantity: 3, items }],
    ['Product Removed', product, 'remove_from_cart', { value: 5, items }],
    ['Product Added To Wishlist', { products, value: 0 }, 'add_to_wishlist', { value: 0, items }],
    ['Cart Viewed', { products, revenue: 4, currency: 'EUR' }, 'view_cart', { value: 4, currency: 'EUR', items }],
    ['Checkout Started', { products, total: 4, coupon: 'c' }, 'begin_checkout', { value: 4, coupon: 'c', items }],
    [
      'Payment Info Entered',
      { products, total: 4, payment_method: 'card' },
      'add_payment_info',
      { value: 4, payment_type: 'card', items },
    ],
    [
      'Checkout Step Completed',
      { products, total: 4, shipping_method: 'post' },
      'add_shipping_info',
      { value: 4, shipping_tier: 'post', items },
    ],
    [
      'Order Completed',
      { ...order, coupon: 'c', shipping: '1', tax: 'x', gift: true },
      'purchase',
      { transaction_id: 'o', value: 5, currency: 'USD', coupon: 'c', shipping: 1, gift: true, items },
    ],
    ['Order Refunded', { order_id: 'o', value: 5 }, 'refund', { transaction_id: 'o', value: 5, currency: 'USD' }],
    [
      'Product Shared',
      { share_via: 'mail', content_type: 't', sku: 's' },
      'share',
      { method: 'mail', content_type: 't', item_id: 's' },
    ],
    ['Cart Shared', { share_via: 'mail', cart_id: 'c' }, 'share', { method: 'mail', item_id: 'c' }],
    ['group', { group_id: 'g' }, 'group', { group_id: 'g' }],
    ['Page', { title: 'read from the page', view: 'v' }, 'page', { view: 'v' }],
  ])('%s %j', (event, properties, name, params) => {
    const found = sent(event, properties);
    expect(found[0]).toBe(name);
    expect(found[1]).toMatchObject(params);
    const priced = 'value' in params ? ['currency'] : [];
    expect(Object.keys(found[1] as JsonObject).sort()).toEqual(
      [...new Set([...Object.keys(params), ...priced])].sort(),
    );
  });

  it('reads a campaign from the context, then from the properties', () => {
    const campaign = { id: 1, name: 'n', source: 's', medium: 'm', term: 't', content: 'c' };
    const words = { campaign_id: 1, campaign: 'n', source: 's', medium: 'm', term: 't', content: 'c' };
    expect(sent('campaign_details', { source: 'left out' }, { context: { campaign } })[1]).toEqual(words);
    expect(sent('campaign_details', { campaign })[1]).toMatchObject({ ...words, campaign_name: 'n' });
  });

  it.each(['purchase', 'view_item', 'ProductAdded'])('%s is a custom event', (event) => {
    expect(sent(event, { products: [{ product_id: 'p' }] })).toEqual([event, { products_0_product_id: 'p' }]);
  });

  it('keeps what else is known of products', () => {
    const more = { color: 'green', size: { eu: 40 }, tags: ['a'], none: null, itemName: 'left out' };
    expect(sent('Cart Viewed', { total: 1, products: [{ ...product, ...more, coupon: 'c' }] })[1]).toMatchObject({
      items: [{ ...item, coupon: 'c', color: 'green', size_eu: 40, tags_0: 'a' }],
    });
    const own = { ...product, affiliation: 'a', item_list_id: 'l', location_id: { a: 1 }, shop: 's', brand: ['b'] };
    expect(sent('Product Viewed', own)[1]).toEqual({
      ...{ currency: 'USD', value: 2.5, shop: 's', items: [{ ...item, affiliation: 'a', item_list_id: 'l' }] },
    });
  });

  it.each<[string, JsonObject, string]>([
    ['Order Completed', { order_id: 'o', total: 5 }, 'purchase needs products'],
    ['Order Completed', { ...order, products: [] }, 'purchase needs products'],
    ['Order Completed', { ...order, products: { product_id: 'p' } }, 'purchase needs products'],
    ['Order Completed', { ...order, order_id: '', transaction_id: 't' }, 'transaction_id is required'],
    ['Order Completed', { ...order, total: 'x' }, 'value is required'],
    ['Promotion Viewed', {}, 'view_promotion needs products'],
    ['Cart Viewed', { total: 1, products: [{ price: 1, sku: 's' }] }, 'a product_id or a name'],
    ['Product Viewed', {}, 'a product_id or a name'],
    ['Product Viewed', { product_id: { a: 1 }, price: 1 }, 'a product_id or a name'],
    ['Product Viewed', { name: 'Tea' }, 'value is required'],
    ['Product Added', { name: 'Tea', price: '$5' }, 'value is required'],
    ['Product Added', { name: 'Tea', price: 5, total: 'x' }, 'value is required'],
    ['Product Removed', { name: 'Tea', price: 5 }, 'value is required'],
    ['Products Searched', {}, 'search_term is required'],
    ['generate_lead', {}, 'value is required'],
  ])('is refused: %s %j', (event, properties, message) => {
    expect(() => sent(event, properties)).toThrow(message);
  });
});
