import { describe, expect, it } from '@jest/globals';
import { commerceKey, productList } from './commerce.js';
import {
  byType,
  deviceFamily,
  eventName,
  externalId,
  fullName,
  fullNameOf,
  givenTraits,
  integrationOptions,
  mergedTraits,
  traitsOf,
  withMappedIdentifier,
} from './event.js';

describe('traits', () => {
  const event = { traits: { plan: 'pro' }, context: { traits: { plan: 'free', city: 'Turin' } } };

  it('are those of the event, or of its context, or both', () => {
    expect(traitsOf(event)).toEqual({ plan: 'pro' });
    expect(traitsOf({ ...event, traits: {} })).toEqual({ plan: 'free', city: 'Turin' });
    expect(mergedTraits(event)).toEqual({ plan: 'pro', city: 'Turin' });
  });

  it('are those of the event even if empty, where that counts', () => {
    expect(givenTraits({ ...event, traits: {} })).toEqual({});
    expect(givenTraits({ context: event.context })).toEqual({ plan: 'free', city: 'Turin' });
    expect(givenTraits({ traits: 'text' })).toBeUndefined();
  });

  it('of a mapped record have its identifier', () => {
    const context = { mappedToDestination: true, externalId: [{ identifierType: 'email', id: 'a@b.c' }] };
    expect(withMappedIdentifier({ traits: { a: 1 }, context })).toEqual({ traits: { a: 1, email: 'a@b.c' }, context });
    expect(withMappedIdentifier({ context })).toEqual({ context: { ...context, traits: { email: 'a@b.c' } } });
    const others = [event, { context: { ...context, externalId: [] } }, { context: { ...context, externalId: [{}] } }];
    for (const other of others) expect(withMappedIdentifier(other)).toBe(other);
  });

  it.each([
    [{ name: 'Ada King', firstName: 'A' }, 'Ada King'],
    [{ first_name: 'Ada', lastname: 'King' }, 'Ada King'],
    [{ lastName: 'King' }, 'King'],
    [{}, undefined],
  ])('of %j give the name %j', (traits, name) => {
    expect(fullName(traits)).toBe(name);
  });

  it('give each name by the paths of the table', () => {
    const context = { traits: { firstName: 'Augusta', lastName: 'King', name: '' } };
    expect(fullNameOf({ traits: { first_name: 'Ada', name: {} }, context })).toBe('Ada King');
    expect(fullNameOf({ context: { traits: { name: 'Ada' } }, traits: { firstName: 'A' } })).toBe('Ada');
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
          { type: 'object', id: { of: 'ada' } },
        ],
      },
    };
    expect(externalId(event, 'brazeId')).toBe('5');
    for (const type of ['other', 'object', 'missing']) expect(externalId(event, type)).toBeUndefined();
    expect(externalId({}, 'brazeId')).toBeUndefined();
  });

  it('finds the options of a destination by any of its names', () => {
    const event = { integrations: { All: true, 'GA4 Web': { session: 1 }, Braze: true } };
    expect(integrationOptions(event, 'ga4', 'ga4 web')).toEqual({ session: 1 });
    expect(integrationOptions(event, 'braze')).toEqual({});
  });
});

describe('commerce', () => {
  it('finds products, and refuses more than a thousand', () => {
    expect(productList({ properties: { products: [{ sku: 'a' }, null, 5] } })).toEqual([{ sku: 'a' }]);
    expect(productList({ properties: { products: {} } })).toEqual([]);
    const products = Array(1_001).fill({ sku: 'a' });
    expect(() => productList({ properties: { products } })).toThrow('properties.products has more than 1000 items');
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
