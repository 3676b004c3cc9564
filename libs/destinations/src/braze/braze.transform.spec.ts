import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../test/events.fixtures.js';
import { brazeTransform } from './braze.transform.js';

const send = (event: JsonObject, config: JsonObject = {}) =>
  brazeTransform({ ...ada, ...event }, { restApiKey: 'k', dataCenter: 'US-03', ...config }).map(
    ({ endpoint, body }) => [endpoint.replace('https://rest.iad-03.braze.com/', ''), body.JSON] as const,
  );
const body = (event: JsonObject, config: JsonObject = {}) => send(event, config).at(-1)?.[1] as JsonObject;

describe('a Braze user', () => {
  it('is identified, then given attributes', () => {
    const traits = {
      firstName: 'Ada',
      gender: 'Female',
      plan: null,
      birthday: '1990-05-06T00:00:00Z',
      address: { city: 'Turin' },
    };
    const [known, tracked] = send({ type: 'identify', traits });
    expect(known?.[0]).toBe('users/identify');
    expect(known?.[1]).toMatchObject({
      aliases_to_identify: [{ external_id: 'ada', user_alias: { alias_name: 'anon-1' } }],
    });
    expect(tracked).toEqual([
      'users/track',
      {
        attributes: [
          { first_name: 'Ada', gender: 'F', plan: null, dob: '1990-05-06', home_city: 'Turin', external_id: 'ada' },
        ],
      },
    ]);
  });

  it('without an id is an alias, and made when new', () => {
    expect(body({ type: 'track', event: 'e', userId: '' })['events']).toMatchObject([
      { _update_existing_only: false, user_alias: { alias_name: 'anon-1' } },
    ]);
    expect(() => body({ type: 'track', event: 'e', userId: '', anonymousId: '' })).toThrow('userId or an anonymousId');
  });

  it('has lists of objects changed by operations', () => {
    const traits = {
      pets: { add: [{ id: 1 }], update: [{ id: 2, age: 3, identifier: 'id' }], remove: [{ id: 4, identifier: 'id' }] },
    };
    const [attributes] = body(
      { type: 'track', event: 'e', context: { traits } },
      { enableNestedArrayOperations: true },
    )['attributes'] as JsonObject[];
    expect(attributes).toMatchObject({
      _merge_objects: false,
      pets: {
        $add: [{ id: 1 }],
        $update: [{ $identifier_key: 'id', $identifier_value: 2, $new_object: { age: 3 } }],
        $remove: [{ $identifier_key: 'id', $identifier_value: 4 }],
      },
    });
  });
});

describe('a Braze event', () => {
  it.each<[JsonObject, JsonObject]>([
    [
      { type: 'track', event: 'Paid', properties: { a: 1, time: 'x', event_name: 'y' } },
      { name: 'Paid', properties: { a: 1 } },
    ],
    [{ type: 'page', name: 'Home' }, { name: 'Home' }],
    [{ type: 'screen' }, { name: 'Screen Viewed' }],
  ])('%j', (event, expected) => {
    expect(body(event)['events']).toMatchObject([{ ...expected, time: ada.timestamp, external_id: 'ada' }]);
  });

  const properties = { currency: 'EUR', products: [{ sku: 's', price: '2.5', quantity: 2, color: 'red' }] };
  const order = { type: 'track', event: 'Order Completed', properties };

  it('is a purchase for each product of an order', () => {
    expect(body(order)['purchases']).toEqual([
      { product_id: 's', price: 2.5, quantity: 2, currency: 'EUR', time: ada.timestamp, external_id: 'ada' },
    ]);
    expect(body(order, { sendPurchaseEventWithExtraProperties: true })['purchases']).toMatchObject([
      { properties: { color: 'red' } },
    ]);
    expect(() => body({ ...order, properties: { products: [{ sku: 's' }] } })).toThrow('product 0 has no price');
    expect(() => body({ ...order, properties: {} })).toThrow('properties.products');
  });

  it.each<[string, JsonObject, JsonObject]>([
    [
      'Product Added',
      { sku: 's', quantity: 1 },
      { name: 'ecommerce.cart_updated', properties: { action: 'add', products: [{ variant_id: 's' }] } },
    ],
    [
      'Order Completed',
      properties,
      { name: 'ecommerce.order_placed', properties: { products: [{ metadata: { color: 'red' } }] } },
    ],
    [
      'Checkout Started',
      { checkout_id: 'c', total: 3 },
      { name: 'ecommerce.checkout_started', properties: { checkout_id: 'c', total_value: 3 } },
    ],
    ['Something Else', {}, { name: 'Something Else' }],
  ])('is the recommended one for %s', (event, given, expected) => {
    const sent = body({ type: 'track', event, properties: given }, { useEcommerceRecommendedEvents: true });
    expect(sent['events']).toMatchObject([expected]);
  });
});

describe('groups and aliases at Braze', () => {
  it('set the state of a subscription group', () => {
    const config = { enableSubscriptionGroupInGroupCall: true };
    const event = { type: 'group', groupId: 'g', traits: { email: 'a@b.c', subscriptionState: 'subscribed' } };
    expect(send(event, config)).toEqual([
      [
        'v2/subscription/status/set',
        {
          subscription_groups: [
            { subscription_group_id: 'g', subscription_state: 'subscribed', external_ids: ['ada'], emails: ['a@b.c'] },
          ],
        },
      ],
    ]);
    expect(() => send({ ...event, traits: { email: 'a@b.c', subscriptionState: 'maybe' } }, config)).toThrow(
      'subscriptionState',
    );
  });

  it('merge two profiles', () => {
    expect(send({ type: 'alias', previousId: 'old' })[0]?.[1]).toEqual({
      merge_updates: [{ identifier_to_merge: { external_id: 'old' }, identifier_to_keep: { external_id: 'ada' } }],
    });
  });
});
