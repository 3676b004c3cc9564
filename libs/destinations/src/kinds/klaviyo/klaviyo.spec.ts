import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import klaviyo from './klaviyo.js';

const payloads = (event: JsonObject, config: JsonObject = {}) =>
  klaviyo.transform({ ...ada, ...event }, { privateApiKey: 'k', apiVersion: 'v3', ...config });
const send = (event: JsonObject, config: JsonObject = {}) =>
  payloads(event, config).map(
    ({ endpoint, body }) =>
      [endpoint.replace('https://a.klaviyo.com/api/', ''), body.JSON['data'] as JsonObject] as const,
  );
const attributesOf = (event: JsonObject, config: JsonObject = {}) =>
  send(event, config)[0]?.[1]['attributes'] as JsonObject;

const identify = (traits: unknown, more: JsonObject = {}) => ({ type: 'identify', traits, ...more });
const IDS = { external_id: 'ada', anonymous_id: 'anon-1' };

describe('a Klaviyo profile', () => {
  it('is created or updated by its user id', () => {
    expect(send(identify({ plan: 'pro' }))).toEqual([
      [
        'profile-import',
        { type: 'profile', attributes: { ...IDS, properties: { plan: 'pro' } }, meta: { patch_properties: {} } },
      ],
    ]);
    expect(payloads(identify({ plan: 'pro' }))[0]?.headers).toMatchObject({
      authorization: 'Klaviyo-API-Key k',
      accept: 'application/json',
      revision: '2026-04-15',
    });
  });

  it('has its id at Klaviyo', () => {
    const externalId = [{ type: 'klaviyo-profileId', id: 'K1' }];
    expect(send(identify({}, { context: { externalId } }))[0]?.[1]).toMatchObject({ id: 'K1' });
  });

  const PHONE = '+39 011 555-01';
  it.each<[string, JsonObject, JsonObject]>([
    ['email', identify({ email: 'a@b.c' }, { context: { traits: { email: 'x' } } }), { email: 'a@b.c' }],
    ['email', identify({}, { context: { traits: { email: 'a@b.c' } } }), { email: 'a@b.c' }],
    ['email', identify({}, { properties: { email: 'a@b.c' } }), { email: 'a@b.c' }],
    ['phone', identify({ phone: PHONE }), { phone_number: PHONE }],
    ['phone', identify({}, { context: { traits: { phone: PHONE } } }), { phone_number: PHONE }],
    ['phone', identify({}, { properties: { phone: PHONE } }), { phone_number: PHONE }],
    ['first name', identify({ firstName: '', firstname: 'Ada', first_name: 'x' }), { first_name: 'Ada' }],
    ['first name', identify({}, { context: { traits: { first_name: 'Ada' } } }), { first_name: 'Ada' }],
    ['last name', identify({ lastname: 'King' }), { last_name: 'King' }],
    ['title', identify({}, { properties: { title: 'Dr' } }), { title: 'Dr' }],
    ['organization', identify({ organization: 'Weir' }), { organization: 'Weir' }],
    ['image', identify({}, { context: { traits: { image: 'i' } } }), { image: 'i' }],
    ['city', identify({ address: { city: 'Turin' } }), { location: { city: 'Turin' } }],
    ['city', identify({}, { properties: { city: 'Turin' } }), { location: { city: 'Turin' } }],
    ['region', identify({ state: 'NY', address: { region: 'TO' } }), { location: { region: 'TO' } }],
    ['region', identify({ address: { state: 'NY' } }), { location: { region: 'NY' } }],
    [
      'region',
      identify({}, { context: { traits: { state: 'x', address: { state: 'NY' } } } }),
      { location: { region: 'NY' } },
    ],
    ['country', identify({}, { context: { traits: { address: { country: 'IT' } } } }), { location: { country: 'IT' } }],
    ['zip', identify({ postalCode: 1 }), { location: { zip: 1 } }],
    ['zip', identify({ address: { postalcode: '1' } }), { location: { zip: '1' } }],
    ['zip', identify({}, { properties: { postalcode: '1' } }), { location: { zip: '1' } }],
    ['street', identify({ street: 'Via Po' }), { location: { address1: 'Via Po' } }],
    ['ip', identify({}, { context: { ip: '1.2.3.4' }, request_ip: '5' }), { location: { ip: '1.2.3.4' } }],
    ['ip', identify({}, { request_ip: '1.2.3.4' }), { location: { ip: '1.2.3.4' } }],
    ['timezone', identify({ timezone: 'Europe/Rome' }), { location: { timezone: 'Europe/Rome' } }],
    ['place', identify({}, { latitude: 1, longitude: 2 }), { location: { latitude: 1, longitude: 2 } }],
    ['place', identify({}, { context: { address: { latitude: 1 } } }), { location: { latitude: 1 } }],
    ['place', identify({}, { context: { location: { longitude: 2 } } }), { location: { longitude: 2 } }],
    ['cookie', identify({ _kx: 'x' }), { _kx: 'x' }],
    ['user id', identify({ id: 'i' }, { userId: '' }), { external_id: 'i', properties: { id: 'i' } }],
  ])('has its %s from %j', (_, event, expected) => {
    expect(attributesOf(event)).toMatchObject(expected);
  });

  it.each<[JsonObject, JsonObject, JsonObject]>([
    [{ a: 1, b: [], c: {}, gone: null }, {}, { a: 1, b: [], c: {} }],
    [{ a: 1 }, { traits: { a: 2, b: 3 } }, { a: 2, b: 3 }],
    [
      { state: 'TO', postalcode: '1', consent: 'email', subscribe: true },
      {},
      { state: 'TO', postalcode: '1', consent: 'email', subscribe: true },
    ],
    [{ address: 'Via Po', userId: 'u', anonymousId: 'a', properties: {}, location: 'x', email: 'a@b.c' }, {}, {}],
    [{ car: { age: 2 }, 'car.wheels': 4 }, {}, { car: { age: 2, wheels: 4 } }],
  ])('has of the traits %j and the context %j the properties %j', (traits, context, expected) => {
    expect(attributesOf(identify(traits, { context }))['properties']).toEqual(expected);
  });

  it('has flat properties if configured', () => {
    const traits = { a: { b: 1 }, list: ['x', { y: 1 }], pets: [{ name: 'Rex' }], empty: {}, none: { at: null } };
    const flat = { 'a.b': 1, list: ['x', { y: 1 }], 'pets[0].name': 'Rex', empty: {} };
    expect(attributesOf(identify(traits), { flattenProperties: true })['properties']).toEqual(flat);
  });

  it('is known by e-mail and phone if configured', () => {
    const config = { enforceEmailAsPrimary: true };
    expect(attributesOf(identify({ email: 'a@b.c' }), config)).toEqual({
      anonymous_id: 'anon-1',
      email: 'a@b.c',
      properties: { _id: 'ada' },
    });
    expect(attributesOf(identify({}), config)['properties']).toEqual({ _id: 'ada' });
  });

  it('has fields appended, unappended and unset', () => {
    const integrations = {
      Klaviyo: { fieldsToAppend: ['tags', 'none'], fieldsToUnappend: ['old'], fieldsToUnset: ['gone'] },
    };
    const [, data] = send(identify({ tags: 'new', none: null, old: 'x', gone: 1 }, { integrations }))[0] ?? [];
    expect(data).toMatchObject({
      attributes: { properties: {} },
      meta: { patch_properties: { append: { tags: 'new' }, unappend: { old: 'x' }, unset: ['gone'] } },
    });
    const others = { klaviyo: { fieldsToAppend: 'tags', fieldsToUnset: [] } };
    expect(send(identify({}, { integrations: others }))[0]?.[1]).toMatchObject({
      meta: { patch_properties: { unset: [] } },
    });
    expect(() => send(identify(undefined, { integrations }))).toThrow('traits are required for fieldsToAppend');
  });

  it.each(['39 011 555', '+39', '+0123456789', 39_011_555])('refuses the phone %s', (phone) => {
    expect(() => send(identify({ phone }))).toThrow('the code of the country');
  });
});

describe('a Klaviyo event', () => {
  const event = {
    type: 'track',
    event: 'Paid',
    properties: {
      value: '5.5 EUR',
      currency: 'EUR',
      email: 'p@b.c',
      phone: '1',
      event: 'x',
      value_currency: 'y',
      a: null,
    },
    traits: { plan: 'pro' },
    context: { traits: { email: 'a@b.c' } },
  };

  it('has its own properties, and names its profile and its metric', () => {
    expect(send(event)).toEqual([
      [
        'events',
        {
          type: 'event',
          attributes: {
            ...{ unique_id: 'm-1', time: ada.timestamp, value: 5.5, value_currency: 'EUR', properties: { a: null } },
            metric: { data: { type: 'metric', attributes: { name: 'Paid' } } },
            profile: {
              data: {
                type: 'profile',
                attributes: { ...IDS, email: 'a@b.c', properties: { plan: 'pro' }, meta: { patch_properties: {} } },
              },
            },
          },
        },
      ],
    ]);
    const { email: _, ...traits } = event.context.traits;
    expect(JSON.stringify(send({ ...event, context: { traits } }))).not.toContain('p@b.c');
  });

  it.each<[JsonObject, JsonObject]>([
    [{ properties: { revenue: 1, total: 2, value: 3 } }, { value: 1 }],
    [{ properties: { total: 2, value: 3 } }, { value: 2 }],
    [{ timestamp: '', originalTimestamp: '2026-01-01' }, { time: '2026-01-01' }],
    [{ type: 'screen', event: '', name: 'Home' }, { metric: { data: { attributes: { name: 'Home' } } } }],
    [{ type: 'screen', name: 'Home' }, { metric: { data: { attributes: { name: 'Paid' } } } }],
    [{ properties: undefined }, { properties: {} }],
  ])('with %j has %j', (more, expected) => {
    expect(attributesOf({ ...event, ...more })).toMatchObject(expected);
  });

  it('has flat properties if configured', () => {
    const properties = { a: { b: [1, { c: 2 }] } };
    expect(attributesOf({ ...event, properties }, { flattenProperties: true })['properties']).toEqual({
      'a.b': [1, { c: 2 }],
    });
  });

  it.each<[JsonObject, string]>([
    [{ event: { a: 1 } }, 'must be a text'],
    [{ event: '' }, 'needs a name'],
    [{ properties: { value: 'much' } }, 'must be a number'],
  ])('with %j is refused', (more, reason) => {
    expect(() => send({ ...event, ...more })).toThrow(reason);
  });
});
