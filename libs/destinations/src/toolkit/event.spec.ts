import { describe, expect, it } from '@jest/globals';
import { commerceKey, productsOf, revenueOf, totalOf } from './commerce.js';
import {
  byType,
  deviceFamily,
  eventName,
  externalId,
  fullName,
  integrationOptions,
  mergedTraits,
  trait,
  traitsOf,
} from './event.js';

describe('traits', () => {
  const event = { traits: { plan: 'pro' }, context: { traits: { plan: 'free', city: 'Turin' } } };

  it('are those of the event, or of its context, or both', () => {
    expect(traitsOf(event)).toEqual({ plan: 'pro' });
    expect(traitsOf({ ...event, traits: {} })).toEqual({ plan: 'free', city: 'Turin' });
    expect(mergedTraits(event)).toEqual({ plan: 'pro', city: 'Turin' });
    expect(trait('a', 'b')).toEqual(['traits.a', 'traits.b', 'context.traits.a', 'context.traits.b']);
  });

  it.each([
    [{ name: 'Ada King', firstName: 'A' }, 'Ada King'],
    [{ first_name: 'Ada', lastname: 'King' }, 'Ada King'],
    [{ lastName: 'King' }, 'King'],
    [{}, undefined],
  ])('of %j give the name %j', (traits, name) => {
    expect(fullName(traits)).toBe(name);
  });
});

describe('byType', () => {
  const handlers = { track: () => 'tracked' };

  it('runs the handler of the type', () => {
    expect(byType({ type: 'track' }, handlers)).toBe('tracked');
  });

  it.each([
    [{ type: 'page' }, 'Event type page is not supported'],
    [{ type: 'toString' }, 'Event type tostring is not supported'],
    [{ type: 5 }, 'Event type is required'],
  ])('refuses %j', (event, message) => {
    expect(() => byType(event, handlers)).toThrow(expect.objectContaining({ code: 'invalid', message }));
  });
});

describe('names and ids', () => {
  it('refuses a track event without a name', () => {
    expect(eventName({ event: 'Paid' })).toBe('Paid');
    expect(() => eventName({ event: ' ' })).toThrow('Event name is required');
    expect(() => eventName({})).toThrow('Event name is required');
    expect(() => eventName({ event: 'a'.repeat(1_025) })).toThrow('Event name has more than 1024 characters');
  });

  it('finds an external id by its type', () => {
    const event = {
      context: {
        externalId: [
          { type: 'brazeId', id: 5 },
          { type: 'other', id: '' },
        ],
      },
    };
    expect([externalId(event, 'brazeId'), externalId(event, 'other'), externalId({}, 'x')]).toEqual([
      '5',
      undefined,
      undefined,
    ]);
  });

  it('finds the options of a destination by any of its names', () => {
    const event = { integrations: { All: true, 'GA4 Web': { session: 1 }, Braze: true } };
    expect(integrationOptions(event, 'ga4', 'ga4 web')).toEqual({ session: 1 });
    expect(integrationOptions(event, 'braze')).toEqual({});
  });
});

describe('commerce', () => {
  it('finds products in the list or in the properties themselves', () => {
    expect(productsOf({ properties: { products: [{ sku: 'a' }, null, 5] } })).toEqual([{ sku: 'a' }]);
    expect(productsOf({ properties: { product_id: 'p', price: 1 } })).toEqual([{ product_id: 'p', price: 1 }]);
    expect(productsOf({ properties: { price: 1 } })).toEqual([]);
  });

  it('adds up', () => {
    expect(totalOf([{ price: '2.5', quantity: 2 }, { price: 1 }, {}])).toBe(6);
    expect(revenueOf({ properties: { revenue: '9.5', total: 10 } })).toBe(9.5);
  });

  it.each(['Order Completed', 'order_completed', 'orderCompleted', 'ORDER-COMPLETED'])('knows %s', (name) => {
    expect(commerceKey(name)).toBe('order completed');
  });
});

describe('devices', () => {
  it.each([
    [{ context: { device: { type: 'iPadOS' } } }, 'apple'],
    [{ context: { os: { name: 'Android' } } }, 'android'],
    [{ context: { device: { type: 'Android' }, os: { name: 'iOS' } } }, 'android'],
    [{}, undefined],
  ])('%j is a device of %s', (event, family) => {
    expect(deviceFamily(event)).toBe(family);
  });
});
