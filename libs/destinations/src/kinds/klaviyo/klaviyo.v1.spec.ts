import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada, payloadsOf } from '../../../test/events.fixtures.js';

const send = (event: JsonObject, config: JsonObject = {}) =>
  payloadsOf('KLAVIYO', { ...ada, ...event }, { privateApiKey: 'k', apiVersion: null, ...config }).map((payload) => ({
    ...payload,
    data: payload.body.JSON['data'] as JsonObject,
  }));
const attributesOf = (event: JsonObject, config: JsonObject = {}) => send(event, config)[0]?.data['attributes'];
const traits = { email: 'a@b.c' };

describe('the oldest revision of Klaviyo: an event', () => {
  const event = { type: 'track', event: 'Paid', traits };

  it('has a value, a time, properties and a customer', () => {
    const properties = { revenue: 0, total: '5', value: 7, email: 'p@b.c', phone: '1', a: null };
    expect(send({ ...event, properties })).toMatchObject([{ headers: { revision: '2023-02-22' } }]);
    expect(attributesOf({ ...event, properties })).toEqual({
      metric: { name: 'Paid' },
      properties: { a: null },
      value: '5',
      time: ada.timestamp,
      profile: { $email: 'a@b.c', $id: 'ada' },
    });
  });

  it.each<[JsonObject, JsonObject]>([
    [{ event: '', properties: { event: 'b', name: 'c' } }, { metric: { name: 'b' } }],
    [{ type: 'screen', event: '', name: 'a', properties: { name: 'c' } }, { metric: { name: 'c' } }],
    [{ type: 'screen', event: 'Product Added', properties: { name: 'c' } }, { metric: { name: 'Product Added' } }],
    [{ event: 'product_added', properties: {} }, { metric: { name: 'product_added' } }],
    [{ event: 'Product Added' }, { metric: { name: 'Product Added' } }],
  ])('with %j has %j', (more, expected) => {
    expect(attributesOf({ ...event, ...more })).toMatchObject(expected);
  });

  it('has no time without a timestamp', () => {
    expect(attributesOf({ ...event, timestamp: undefined, originalTimestamp: 'x' })).not.toHaveProperty('time');
  });

  it('has a customer with the attributes of a profile', () => {
    const given = {
      ...{ email: 'a@b.c', phone: '011', firstName: 'Ada', lastName: 'King', image: 'i', title: 'Dr', id: 7 },
      ...{
        state: 'TO',
        address: { city: 'Turin', country: 'IT', postalCode: '1', street: 'Via Po' },
        consent: 'email',
      },
    };
    const { address, state, consent } = given;
    expect(attributesOf({ ...event, traits: given, userId: '' })).toMatchObject({
      profile: {
        ...{ $email: 'a@b.c', $phone_number: '011', $first_name: 'Ada', $last_name: 'King', $image: 'i', $id: 7 },
        ...{ $city: 'Turin', $region: 'TO', $country: 'IT', $zip: '1', $address1: 'Via Po', $consent: 'email' },
        ...{ address, state, consent },
      },
    });
    expect(attributesOf({ ...event, traits: given })).not.toHaveProperty('profile.$title');
  });

  it('has no customer with the time zone, which only a profile has', () => {
    const located = { ...traits, timezone: 'Europe/Rome', plan: 'pro' };
    expect(attributesOf({ ...event, traits: located })).toHaveProperty('profile', {
      $email: 'a@b.c',
      $id: 'ada',
      plan: 'pro',
    });
  });

  it.each<[JsonObject, JsonObject]>([
    [
      { context: { traits: { consent: 'sms' } }, traits: { consent: 'email' } },
      { $consent: 'sms', consent: 'sms' },
    ],
    [{ properties: { consent: 'sms' } }, { $consent: 'sms' }],
    [{ userId: '', traits: {} }, { $id: 'anon-1' }],
    [{ traits: { none: null } }, { none: null }],
  ])('with %j has the customer %j', (more, profile) => {
    expect(attributesOf({ ...event, ...more })).toMatchObject({ profile });
  });

  it('is flat and by e-mail if configured', () => {
    const config = { flattenProperties: true, enforceEmailAsPrimary: true };
    const sent = { ...event, traits: { email: 'a@b.c', a: { b: 1 } }, properties: { c: { d: 2 } } };
    expect(attributesOf(sent, config)).toMatchObject({
      properties: { 'c.d': 2 },
      profile: { $email: 'a@b.c', 'a.b': 1, _id: 'ada' },
    });
    expect(() => send({ ...event, traits: {} }, config)).toThrow('asks for an email or a phone');
  });

  it.each<[JsonObject, string]>([
    [{ event: 7 }, 'must be a text'],
    [{ event: '' }, 'needs a name'],
    [{ event: 'Product Added', properties: { value: 'much' } }, 'must be a number'],
  ])('with %j is refused', (more, reason) => {
    expect(() => send({ ...event, ...more })).toThrow(reason);
  });
});

describe('the oldest revision of Klaviyo: commerce', () => {
  const product = {
    ...{ product_id: 'p', sku: 's', name: 'Tea', image_url: 'i', url: 'u', price: 2, quantity: 3 },
    categories: ['food'],
  };
  const items = [
    {
      ...{ ProductID: 'p', SKU: 's', ProductName: 'Tea', Quantity: 3, ItemPrice: 2, RowTotal: 6 },
      ...{ ProductURL: 'u', ImageURL: 'i', ProductCategories: ['food'] },
    },
  ];
  const products = [{ ...product, row_total: 6 }, {}];
  const viewed = {
    ...{ ProductName: 'Tea', ProductID: 'p', SKU: 's', ImageURL: 'i', URL: 'u', Brand: 'b', Price: 2 },
    ...{ CompareAtPrice: 4, Categories: ['food'] },
  };

  it.each<[string, JsonObject, string, JsonObject]>([
    [' PRODUCT viewed ', { ...product, brand: 'b', compare_at_price: 4, other: 1 }, 'Viewed Product', viewed],
    ['Product Clicked', { name: 'Tea', products }, 'Viewed Product', { ProductName: 'Tea', items }],
    [
      'Product Added',
      { ...product, value: '12.5', item_names: ['Tea'], checkout_url: 'c', items: products, products: [] },
      'Added to Cart',
      {
        ...{ $value: 12.5, AddedItemProductName: 'Tea', AddedItemProductID: 'p', AddedItemSKU: 's' },
        ...{ AddedItemImageURL: 'i', AddedItemURL: 'u', AddedItemPrice: 2, AddedItemQuantity: 3 },
        ...{ AddedItemCategories: ['food'], ItemNames: ['Tea'], CheckoutURL: 'c', items },
      },
    ],
    [
      'Checkout Started',
      { order_id: 'o', value: 9, categories: ['food'], checkout_url: 'c', item_names: ['Tea'], products },
      'Started Checkout',
      { $event_id: 'o', $value: 9, Categories: ['food'], CheckoutURL: 'c', ItemNames: ['Tea'], items },
    ],
  ])('%s', (event, properties, name, sent) => {
    expect(attributesOf({ type: 'track', event, properties, traits })).toEqual({
      metric: { name },
      properties: sent,
      profile: { $email: 'a@b.c', $id: 'ada' },
      time: ada.timestamp,
    });
  });
});

describe('the oldest revision of Klaviyo: people', () => {
  const job = (subscriptions: JsonObject[]) => ({
    type: 'profile-subscription-bulk-create-job',
    attributes: { list_id: 'L', subscriptions },
  });

  it('are imported with the next revision', () => {
    expect(send({ type: 'identify', traits })).toMatchObject([
      { endpoint: 'https://a.klaviyo.com/api/profile-import', headers: { revision: '2024-10-15' } },
    ]);
    expect(() => send({ type: 'identify', traits: {} }, { enforceEmailAsPrimary: true })).toThrow(
      'an email or a phone',
    );
  });

  it.each<[JsonObject, JsonObject, JsonObject]>([
    [{ consent: ['email', 'sms'] }, {}, { channels: { email: ['MARKETING'], sms: ['MARKETING'] } }],
    [{}, { consent: 'sms' }, { channels: { sms: ['MARKETING'] } }],
    [{ consent: 'fax' }, {}, { channels: {} }],
    [{ consent: [] }, { consent: 'sms' }, { channels: {} }],
    [{}, { consent: [] }, { channels: {} }],
    [{}, { consent: '' }, {}],
  ])('with %j and %j subscribe to channels', (properties, config, channels) => {
    const event = { type: 'identify', traits: { ...traits, properties: { subscribe: true, ...properties } } };
    const [, subscription] = send(event, { listId: 'L', ...config });
    expect(subscription?.headers).toMatchObject({ revision: '2023-02-22' });
    expect(subscription?.data).toEqual(job([{ email: 'a@b.c', ...channels }]));
  });

  it('are not unsubscribed by an identify', () => {
    const event = { type: 'identify', traits: { ...traits, properties: { subscribe: false } } };
    expect(send(event, { listId: 'L' })).toHaveLength(1);
  });

  it('join a group as a list', () => {
    const event = { type: 'group', groupId: 'L', traits: { subscribe: true }, context: { traits } };
    expect(send(event)[0]?.data).toEqual(job([{ email: 'a@b.c' }]));
  });
});
