import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import type { Outbound, OutboundRequest } from '../../kind.js';
import customerio from './customerio.js';

const config = { siteID: 's', apiKey: 'k' };
const at = Math.floor(Date.parse(ada.timestamp) / 1_000);
const send = (event: JsonObject, more: JsonObject = {}) => {
  const [payload] = customerio.transform({ ...ada, ...event }, { ...config, ...more });
  if (!payload) throw new Error('no payload');
  return payload;
};
const call = (event: JsonObject, more: JsonObject = {}) => {
  const { method, endpoint, body } = send(event, more);
  return [`${method} ${endpoint.replace('https://track.customer.io/api/', '')}`, body.JSON];
};
const bodyOf = (event: JsonObject, more: JsonObject = {}) => send(event, more).body.JSON;
const nobody = { userId: '', anonymousId: 'anon-1' };

describe('a person at Customer.io', () => {
  it.each<[JsonObject, string]>([
    [{ userId: 'a/b' }, 'a%2Fb'],
    [{ ...nobody, traits: { userId: 'u', id: 'i' } }, 'u'],
    [{ ...nobody, traits: { id: 7 } }, '7'],
    [{ ...nobody, context: { traits: { id: 'i', email: 'a@b.c' } } }, 'i'],
    [{ ...nobody, traits: { email: 'a@b.c' } }, 'a%40b.c'],
    [{ ...nobody, context: { traits: { email: 'c@b.c' } } }, 'c%40b.c'],
    [{ ...nobody, properties: { email: 'p@b.c' } }, 'p%40b.c'],
    [{ ...nobody, context: { externalId: [{ id: 'x' }] } }, 'x'],
  ])('is known by %j as %s', (event, id) => {
    expect(call({ type: 'identify', ...event })[0]).toBe(`PUT v1/customers/${id}`);
    expect(call({ type: 'track', event: 'e', ...event })[0]).toBe(`POST v1/customers/${id}/events`);
  });

  it('is asked for at the configured data center', () => {
    expect(send({ type: 'identify' }, { datacenter: 'AU' }).endpoint).toContain('https://track.customer.io/api/');
    expect(send({ type: 'identify' }, { datacenter: 'EU' })).toMatchObject({
      endpoint: 'https://track-eu.customer.io/api/v1/customers/ada',
      headers: { authorization: `Basic ${Buffer.from('s:k').toString('base64')}` },
      userId: 'ada',
    });
  });

  const OWN = { _timestamp: at, anonymous_id: 'anon-1' };
  it.each<[JsonObject, JsonObject]>([
    [
      {
        traits: { address: { city: 'Turin', country: 'IT', postalCode: '1', state: 'TO', street: 'Via Po', floor: 2 } },
      },
      { city: 'Turin', country: 'IT', postalCode: '1', state: 'TO', street: 'Via Po', ...OWN },
    ],
    [{ traits: { address: 'Via Po', userId: 'u', anonymousId: 'a' } }, OWN],
    [
      { traits: { id: 1, email: '', plan: null, car: { age: [2] }, city: 'Rome', address: { city: 'Turin' } } },
      { id: 1, email: '', plan: null, car: { age: [2] }, city: 'Rome', ...OWN },
    ],
    [{ traits: {}, context: { traits: { plan: 'pro' } } }, OWN],
    [{ traits: { 'a.b': 1, 'c.d.e': 2, 'c.d.f.g': 3 } }, { 'a.b': 1, 'c.d': { e: 2, f: { g: 3 } }, ...OWN }],
    [{ context: { traits: { plan: 'pro' } } }, { plan: 'pro', ...OWN }],
    [
      { traits: { plan: 'pro' }, user_properties: { plan: 'free', 'car.age': 2 } },
      { plan: 'free', car: { age: 2 }, ...OWN },
    ],
    [{ traits: { createdAt: '2026-01-01T00:00:00Z' } }, { created_at: 1_767_225_600, ...OWN }],
    [
      { traits: {}, context: { traits: { createdAt: 1_767_225_600_000 } } },
      { created_at: 1_767_225_600, ...OWN },
    ],
    [{ traits: { createdAt: 'soon', created_at: 5 } }, { created_at: 5, ...OWN }],
    [{ traits: {}, timestamp: '', originalTimestamp: '1970-01-01T00:00:01.9Z', anonymousId: '' }, { _timestamp: 1 }],
  ])('with %j has the attributes %j', (event, attributes) => {
    expect(bodyOf({ type: 'identify', ...event })).toEqual(attributes);
  });

  it('of a reverse ETL source has the mapped id', () => {
    const context = { mappedToDestination: true, externalId: [{ identifierType: 'email', id: 'm@b.c' }] };
    expect(call({ type: 'identify', traits: { plan: 'pro' }, context })).toEqual([
      'PUT v1/customers/m%40b.c',
      { plan: 'pro', email: 'm@b.c', ...OWN },
    ]);
    expect(call({ type: 'track', event: 'e', context })[0]).toBe('POST v1/customers/m%40b.c/events');
    expect(call({ type: 'track', event: 'e', context: { mappedToDestination: true } })[0]).toContain('/ada/');
  });

  it.each<[JsonObject, JsonObject]>([
    [{}, { primary: { id: 'ada' }, secondary: { email: 'old@b.c' } }],
    [
      { userId: '', traits: { id: 'a@b.c' } },
      { primary: { email: 'a@b.c' }, secondary: { email: 'old@b.c' } },
    ],
  ])('with %j is merged with another', (event, body) => {
    expect(call({ type: 'alias', previousId: 'old@b.c', ...event })).toEqual(['POST v1/merge_customers', body]);
  });
});

describe('an event at Customer.io', () => {
  it.each<[JsonObject, JsonObject]>([
    [
      { type: 'track', event: 'Paid', properties: { a: null } },
      { name: 'Paid', type: 'event', data: { a: null } },
    ],
    [
      { type: 'track', event: 'x'.repeat(101) },
      { name: 'x'.repeat(101), type: 'event' },
    ],
    [
      { type: 'page', name: 'Home', properties: { url: 'u' } },
      { name: 'Home', type: 'page', data: { url: 'u' } },
    ],
    [
      { type: 'page', properties: { url: 'u' } },
      { name: 'u', type: 'page', data: { url: 'u' } },
    ],
    [
      { type: 'screen', event: 'e', name: 'n', properties: { name: 'p' } },
      { name: 'Viewed e Screen', data: { name: 'p' }, type: 'event' },
    ],
    [
      { type: 'screen', name: 'n', properties: { name: 'p' } },
      { name: 'Viewed p Screen', data: { name: 'p' }, type: 'event' },
    ],
    [
      { type: 'screen', name: 'n', properties: 7 },
      { name: 'Viewed n Screen', type: 'event' },
    ],
  ])('%j', (event, body) => {
    expect(call(event)).toEqual(['POST v1/customers/ada/events', { ...body, timestamp: at }]);
  });

  it('has no time that is none', () => {
    expect(bodyOf({ type: 'track', event: 'e', timestamp: 'soon' })).toEqual({ name: 'e', type: 'event' });
  });

  it.each<[JsonObject, string]>([
    [{ type: 'track', event: 'é'.repeat(60) }, 'é'.repeat(50)],
    [{ type: 'track', event: `${'x'.repeat(98)}😀` }, 'x'.repeat(98)],
    [{ type: 'page', name: 'x'.repeat(101) }, 'x'.repeat(100)],
    [{ type: 'screen', event: 'x'.repeat(90) }, `Viewed ${'x'.repeat(86)} Screen`],
  ])('of an unknown person has at most 100 bytes: %j', (event, name) => {
    const [path, body] = call({ ...event, ...nobody });
    expect([path, body]).toMatchObject(['POST v1/events', { name, anonymous_id: 'anon-1', timestamp: at }]);
  });
});

describe('a device at Customer.io', () => {
  const device = { token: 't/1', type: 'iPadOS' };
  const opened = { type: 'track', event: 'Application Opened', context: { device }, properties: { a: 1, id: 2 } };

  it.each<[JsonObject, JsonObject]>([
    [{}, { platform: 'ios' }],
    [
      { event: 'Application Installed', context: { device: { token: 't/1', type: 'Android' } } },
      { platform: 'android' },
    ],
    [{ event: 'Registered', context: { device: { token: 't/1', type: 7 } } }, {}],
    [{ type: 'page', name: 'Registered', context: { device: { token: 't/1' } } }, {}],
    [{ type: 'screen', event: 'Shop', context: { device: { token: 't/1' } } }, {}],
  ])('is registered by %j', (event, platform) => {
    const deviceTokenEventName = 'type' in event && event['type'] === 'screen' ? 'Viewed Shop Screen' : 'Registered';
    expect(call({ ...opened, ...event }, { deviceTokenEventName })).toEqual([
      'PUT v1/customers/ada/devices',
      { device: { a: 1, id: 't/1', last_used: at, ...platform } },
    ]);
  });

  it('is removed', () => {
    expect(call({ ...opened, event: 'Application Uninstalled' })).toEqual([
      'DELETE v1/customers/ada/devices/t%2F1',
      {},
    ]);
  });

  it.each<[JsonObject, string]>([
    [{ ...opened, event: 'application opened' }, 'POST v1/customers/ada/events'],
    [{ ...opened, context: {} }, 'POST v1/customers/ada/events'],
    [{ ...opened, ...nobody }, 'POST v1/events'],
  ])('of %j is an event', (event, path) => {
    expect(call(event)[0]).toBe(path);
  });
});

describe('an object at Customer.io', () => {
  const ada = [{ identifiers: { id: 'ada' } }];
  it.each<[JsonObject, JsonObject]>([
    [
      { groupId: 7, traits: { name: 'Weir', action: 'delete', objectTypeId: 2 } },
      {
        action: 'delete',
        attributes: { name: 'Weir', objectTypeId: 2 },
        identifiers: { object_id: '7', object_type_id: '2' },
        cio_relationships: ada,
      },
    ],
    [
      { traits: { groupId: 'g' }, properties: { action: 'add_relationships' } },
      { action: 'add_relationships', attributes: { groupId: 'g' }, cio_relationships: ada },
    ],
    [
      { groupId: 'g', traits: { action: 'destroy' } },
      { action: 'identify', attributes: {}, cio_relationships: ada },
    ],
    [
      { groupId: 'g', userId: 'a@b.c' },
      { attributes: {}, cio_relationships: [{ identifiers: { email: 'a@b.c' } }] },
    ],
    [
      { groupId: 'g', ...nobody, context: { traits: { email: 'a@b.c' } } },
      { cio_relationships: [{ identifiers: { email: 'a@b.c' } }] },
    ],
    [{ groupId: 'g', ...nobody, properties: { email: 'x' } }, { cio_relationships: [{ identifiers: { id: 'x' } }] }],
    [
      { groupId: 'g', ...nobody },
      { cio_relationships: [], identifiers: { object_id: 'g', object_type_id: '1' } },
    ],
  ])('of %j', (event, body) => {
    expect(call({ type: 'group', ...event })).toMatchObject(['POST v2/batch', { type: 'object', ...body }]);
  });

  it('travels in batches, also alone', async () => {
    const object = send({ type: 'group', groupId: 'g' });
    expect(customerio.batch?.({})?.keyOf(send({ type: 'identify' }))).toBeUndefined();
    expect(customerio.batch?.({})?.keyOf(object)).toBeDefined();
    expect(customerio.batch?.({})?.combine([object, object]).body.JSON['batch']).toHaveLength(2);
    const sent: OutboundRequest[] = [];
    const outbound = {
      request: async (request: OutboundRequest) => {
        sent.push(request);
        return { status: 200, headers: {}, body: Buffer.from(''), truncated: false };
      },
    } as unknown as Outbound;
    await customerio.deliver?.(object, config, outbound, {});
    await customerio.deliver?.(send({ type: 'identify', traits: {} }), config, outbound, {});
    const [alone, person] = sent.map(({ body }) => JSON.parse(String(body)));
    expect([alone, person]).toMatchObject([{ batch: [{ type: 'object' }] }, { anonymous_id: 'anon-1' }]);
  });
});

it('a page of a known person needs no name', () => {
  const page = { type: 'page', userId: 'ada' };
  expect(send(page).body.JSON).not.toHaveProperty('name');
  expect(send(page).body.JSON).toMatchObject({ type: 'page' });
});

describe('Customer.io', () => {
  it.each<[JsonObject, JsonObject, string]>([
    [{ type: 'identify', ...nobody }, {}, 'userId or traits.email is required'],
    [{ type: 'track', event: 'e', userId: '..' }, {}, 'cannot be part of an address'],
    [{ type: 'track', event: 'e', userId: '', anonymousId: '' }, {}, 'anonymousId is required'],
    [{ type: 'track', event: 'Application Uninstalled' }, {}, 'context.device.token'],
    [{ type: 'track' }, {}, 'Event name is required'],
    [{ type: 'track', event: 5 }, {}, 'the name of the event must be a text'],
    [{ type: 'page', userId: '', anonymousId: 'anon-1' }, {}, 'a page of an unknown person needs a name'],
    [{ type: 'screen' }, {}, 'a screen needs a name'],
    [{ type: 'group' }, {}, 'groupId is required'],
    [{ type: 'alias' }, {}, 'userId and previousId are required'],
    [{ type: 'alias', previousId: 'p', userId: '' }, {}, 'userId and previousId are required'],
    [{ type: 'identify' }, { siteID: '' }, 'siteID is required'],
    [{ type: 'identify' }, { apiKey: '' }, 'apiKey is required'],
  ])('refuses %j with %j', (event, more, message) => {
    expect(() => send(event, more)).toThrow(message);
  });
});
