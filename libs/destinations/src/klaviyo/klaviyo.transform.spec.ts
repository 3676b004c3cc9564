import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../test/events.fixtures.js';
import { klaviyoBatch } from './klaviyo.subscription.js';
import { klaviyoTransform } from './klaviyo.transform.js';

const payloads = (event: JsonObject, config: JsonObject = {}) =>
  klaviyoTransform({ ...ada, ...event }, { privateApiKey: 'k', apiVersion: 'v3', ...config });
const send = (event: JsonObject, config: JsonObject = {}) =>
  payloads(event, config).map(
    ({ endpoint, body }) =>
      [endpoint.replace('https://a.klaviyo.com/api/', ''), body.JSON['data'] as JsonObject] as const,
  );

describe('a Klaviyo profile', () => {
  const traits = { email: 'a@b.c', phone: '+39011', firstName: 'Ada', city: 'Turin', plan: { name: 'pro' } };

  it('is created or updated by its user id', () => {
    expect(send({ type: 'identify', traits })).toEqual([
      [
        'profile-import',
        {
          type: 'profile',
          attributes: {
            ...{
              external_id: 'ada',
              anonymous_id: 'anon-1',
              email: 'a@b.c',
              phone_number: '+39011',
              first_name: 'Ada',
            },
            location: { city: 'Turin' },
            properties: { plan: { name: 'pro' } },
          },
          meta: { patch_properties: {} },
        },
      ],
    ]);
    expect(payloads({ type: 'identify', traits })[0]?.headers).toMatchObject({
      authorization: 'Klaviyo-API-Key k',
      revision: '2026-04-15',
    });
  });

  it('is known by e-mail and phone when so configured', () => {
    const config = { enforceEmailAsPrimary: true, flattenProperties: true };
    const attributes = send({ type: 'identify', traits }, config)[0]?.[1]['attributes'];
    expect(attributes).toMatchObject({ properties: { 'plan.name': 'pro', _id: 'ada' } });
    expect(attributes).not.toHaveProperty('external_id');
    expect(() => send({ type: 'identify', traits: {} }, config)).toThrow('asks for an email or a phone');
  });

  it('has fields appended and unset', () => {
    const integrations = { Klaviyo: { fieldsToAppend: ['tags'], fieldsToUnset: ['old'] } };
    const [, data] = send({ type: 'identify', traits: { tags: 'new' }, integrations })[0] ?? [];
    expect(data).toMatchObject({ meta: { patch_properties: { append: { tags: 'new' }, unset: ['old'] } } });
    expect(data?.['attributes']).not.toHaveProperty('properties');
  });

  it.each([
    [true, 'create', 'SUBSCRIBED'],
    [false, 'delete', 'UNSUBSCRIBED'],
  ])('with subscribe %s has a subscription', (subscribe, verb, consent) => {
    const properties = { subscribe, listId: 'L', consent: ['email', 'fax'] };
    const [, subscription] = send({ type: 'identify', traits: { ...traits, properties } });
    expect(subscription?.[0]).toBe(`profile-subscription-bulk-${verb}-jobs`);
    expect(subscription?.[1]).toMatchObject({
      relationships: { list: { data: { id: 'L' } } },
      attributes: {
        profiles: { data: [{ attributes: { email: 'a@b.c', subscriptions: { email: { marketing: { consent } } } } }] },
      },
    });
  });
});

describe('a Klaviyo event', () => {
  const event = {
    type: 'track',
    event: 'Paid',
    properties: { value: 5, currency: 'EUR', a: 1 },
    context: { traits: { email: 'a@b.c' } },
  };

  it('names its profile', () => {
    expect(send(event)[0]?.[1]).toMatchObject({
      attributes: {
        ...{ unique_id: 'm-1', time: ada.timestamp, value: 5, value_currency: 'EUR', properties: { a: 1 } },
        metric: { data: { attributes: { name: 'Paid' } } },
        profile: { data: { attributes: { email: 'a@b.c', external_id: 'ada' } } },
      },
    });
  });

  it('has the words of the oldest revision there', () => {
    const products = [{ product_id: 'p', name: 'Tea', price: 2 }];
    const added = { ...event, event: 'Product Added', properties: { value: 5, products } };
    expect(send(added, { apiVersion: 'v1' })[0]?.[1]).toEqual({
      type: 'event',
      attributes: {
        metric: { name: 'Added to Cart' },
        properties: { $value: 5, items: [{ ProductID: 'p', ProductName: 'Tea', ItemPrice: 2 }] },
        profile: { $email: 'a@b.c', $id: 'ada' },
      },
    });
  });
});

describe('a Klaviyo list', () => {
  const group = { type: 'group', groupId: 'L', traits: { subscribe: true }, context: { traits: { email: 'a@b.c' } } };

  it('takes several people with one job', () => {
    const both = [...payloads(group), ...payloads({ ...group, context: { traits: { email: 'd@e.f' } } })];
    const combined = klaviyoBatch.combine(both);
    expect(both.map(klaviyoBatch.keyOf)).toEqual([klaviyoBatch.keyOf(combined), klaviyoBatch.keyOf(combined)]);
    expect(JSON.stringify(combined.body.JSON)).toMatch(/a@b\.c.*d@e\.f/);
    expect(JSON.stringify(both[0]?.body.JSON)).not.toContain('d@e.f');
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ ...group, groupId: '' }, {}, 'groupId'],
    [{ ...group, traits: {} }, {}, 'traits.subscribe'],
    [{ ...group, context: {} }, {}, 'an email or a phone'],
    [{ ...group, traits: { subscribe: false } }, { apiVersion: 'v1' }, 'cannot unsubscribe'],
    [{ type: 'page' }, {}, 'Event type page is not supported'],
  ])('refuses %j with %j', (event, config, message) => {
    expect(() => send(event, config)).toThrow(message);
  });
});
