import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import braze from './braze.js';

const payloads = (event: JsonObject, config: JsonObject = {}) =>
  braze.transform({ ...ada, ...event }, { restApiKey: 'k', dataCenter: 'US-03', ...config });
const send = (event: JsonObject, config: JsonObject = {}) =>
  payloads(event, config).map(
    ({ endpoint, body }) => [endpoint.replace('https://rest.iad-03.braze.com/', ''), body.JSON] as const,
  );
const body = (event: JsonObject, config: JsonObject = {}) => send(event, config).at(-1)?.[1] as JsonObject;
const first = (event: JsonObject, list: string, config: JsonObject = {}) => {
  const [item] = body(event, config)[list] as JsonObject[];
  return item as JsonObject;
};
const attributes = (traits: unknown, config: JsonObject = {}, more: JsonObject = {}) =>
  first({ type: 'identify', traits, ...more }, 'attributes', config);

describe('a Braze instance', () => {
  it.each([
    [' EU-01 ', 'https://rest.fra-01.braze.eu/users/merge'],
    ['us-3', 'https://rest.iad-3.braze.com/users/merge'],
    ['US-10', 'https://rest.us-10.braze.com/users/merge'],
    ['AU-01', 'https://rest.au-01.braze.com/users/merge'],
  ])('%s is reached at its host', (dataCenter, endpoint) => {
    expect(payloads({ type: 'alias', previousId: 'p' }, { dataCenter })[0]?.endpoint).toBe(endpoint);
  });

  it.each(['XX-01', 'US', 'us-01.example.com/x-01'])('%s is refused', (dataCenter) => {
    expect(() => payloads({ type: 'alias', previousId: 'p' }, { dataCenter })).toThrow('instance such as US-03');
  });
});

describe('a Braze user', () => {
  it('is identified, then given attributes', () => {
    const [known, tracked] = payloads({ type: 'identify', traits: { plan: null } });
    expect(known?.endpoint).toMatch(/users\/identify$/);
    expect(known?.body.JSON).toEqual({
      aliases_to_identify: [{ external_id: 'ada', user_alias: { alias_name: 'anon-1', alias_label: 'rudder_id' } }],
      merge_behavior: 'merge',
    });
    expect(tracked).toMatchObject({
      userId: 'ada',
      headers: { authorization: 'Bearer k', accept: 'application/json' },
      body: { JSON: { attributes: [{ plan: null, external_id: 'ada' }] } },
    });
    expect(tracked?.body.JSON).not.toHaveProperty('partner');
  });

  it.each<[string, JsonObject, JsonObject]>([
    [
      'an external id for Braze',
      { context: { externalId: [{ type: 'brazeExternalId', id: 'b' }] } },
      { external_id: 'b' },
    ],
    ['a user id', {}, { external_id: 'ada' }],
    [
      'an alias with the anonymous id',
      { userId: '' },
      { _update_existing_only: false, user_alias: { alias_name: 'anon-1', alias_label: 'rudder_id' } },
    ],
    [
      'an alias of the options',
      { userId: '', integrations: { BRAZE: { alias: { alias_name: 'n', alias_label: 'l', other: 1 } } } },
      { _update_existing_only: false, user_alias: { alias_name: 'n', alias_label: 'l' } },
    ],
    [
      'the anonymous id where the alias is incomplete',
      { userId: '', integrations: { Braze: { alias: { alias_name: 'n' } } } },
      { _update_existing_only: false, user_alias: { alias_name: 'anon-1', alias_label: 'rudder_id' } },
    ],
  ])('is known by %s', (_, event, identity) => {
    const properties = { products: [{ sku: 's', price: 1, quantity: 1, currency: 'EUR' }] };
    expect(first({ type: 'screen', ...event }, 'events')).toMatchObject(identity);
    expect(first({ type: 'track', event: 'order completed', properties, ...event }, 'purchases')).toMatchObject(
      identity,
    );
    expect(attributes({ a: 1 }, {}, event)).toEqual({ a: 1, ...identity });
  });

  it('needs an id and traits', () => {
    expect(() => body({ type: 'page', userId: '', anonymousId: '' })).toThrow('userId or an anonymousId');
    expect(() => body({ type: 'identify', userId: '' })).toThrow('no traits');
    expect(send({ type: 'identify' }).map(([path]) => path)).toEqual(['users/identify']);
  });

  it('has each attribute from its trait', () => {
    const traits = {
      ...{
        firstName: 'Ada',
        lastName: 'King',
        gender: 'Woman',
        birthday: '1990-05-06T00:00:00Z',
        avatar: 'https://a.b/c',
      },
      ...{ email: 'Ada@Example.COM', phone: '+39', address: { city: 'Turin', country: 'Italy', street: 'Via' } },
      ...{ id: 7, plan: null, note: '', tags: ['a'], car: { age: 2 }, firstname: 'x' },
    };
    expect(attributes(traits)).toEqual({
      ...{ first_name: 'Ada', last_name: 'King', gender: 'F', dob: '1990-05-06', image_url: 'https://a.b/c' },
      ...{ email: 'ada@example.com', phone: '+39', home_city: 'Turin', country: 'Italy' },
      ...{ id: 7, plan: null, note: '', tags: ['a'], car: { age: 2 }, firstname: 'x', external_id: 'ada' },
    });
  });

  it.each<[JsonObject, JsonObject]>([
    [
      { country: 'Italy', address: { country: 'France' }, first_name: 'A', firstName: 'B' },
      { country: 'Italy', first_name: 'A' },
    ],
    [
      { email: null, phone: null, gender: null },
      { email: null, phone: null, gender: null },
    ],
    [{ firstName: null, lastName: '', avatar: 0, email: '', a: 1 }, { a: 1 }],
    [{ gender: 'unknown' }, { gender: null }],
    [{ gender: 'O' }, { gender: 'O' }],
    [{ gender: 'man' }, { gender: 'M' }],
    [{ birthday: '6 May 1990' }, { dob: '6 May 1990' }],
    [{ birthday: 641_952_000 }, { dob: 641_952_000 }],
  ])('with %j has %j', (traits, expected) => {
    expect(attributes(traits)).toEqual({ ...expected, external_id: 'ada' });
  });

  it('has the traits of the context only if the event has none', () => {
    const context = { traits: { plan: 'pro' } };
    expect(attributes(undefined, {}, { context })).toMatchObject({ plan: 'pro' });
    expect(body({ type: 'track', event: 'e', traits: {}, context })).not.toHaveProperty('attributes');
    expect(body({ type: 'track', event: 'e', context })).toMatchObject({
      partner: 'RudderStack',
      attributes: [{ plan: 'pro' }],
    });
  });

  it.each([{ of: 'ada' }, 0, false])('has no e-mail address %j, which is no text', (email) => {
    expect(() => attributes({ email })).toThrow('traits.email must be a text');
  });

  it('of a reverse ETL source has the traits and the id as they are', () => {
    const context = { mappedToDestination: true, externalId: [{ identifierType: 'email', id: 'mapped' }] };
    const traits = { firstName: 'Ada', first_name: 'A', gender: 'x', address: { city: 'Turin' }, plan: '' };
    expect(attributes(traits, { enableNestedArrayOperations: true }, { context })).toEqual({
      ...traits,
      external_id: 'mapped',
    });
    expect(payloads({ type: 'identify', traits, context }).at(-1)?.userId).toBe('mapped');
    expect(first({ type: 'page', context }, 'events')).toMatchObject({ external_id: 'ada' });
  });
});

describe('operations on lists of objects at Braze', () => {
  const operations = (trait: JsonObject, properties: JsonObject = {}, isOn = true) =>
    first({ type: 'track', event: 'e', properties, context: { traits: { pets: trait, list: [1] } } }, 'attributes', {
      enableNestedArrayOperations: isOn,
    });
  const update = [{ id: 2, age: 3, identifier: 'id' }];
  const $update = [{ $identifier_key: 'id', $identifier_value: 2, $new_object: { age: 3 } }];

  it('replace the trait when they update', () => {
    const remove = [{ id: 4, identifier: 'id' }];
    const sent = operations({ add: [{ id: 1 }], update, remove, kept: 1 });
    const pets = { $update, $remove: [{ $identifier_key: 'id', $identifier_value: 4 }], $add: [{ id: 1 }] };
    expect(sent).toEqual({ pets, list: [1], _merge_objects: false, external_id: 'ada' });
    expect(operations({ update }, { mergeObjectsUpdateOperation: true })).toMatchObject({ _merge_objects: true });
  });

  it('stand beside the other keys when they do not update', () => {
    const add = [{ id: 1 }];
    expect(operations({ add, kept: 1 })).toEqual({ pets: { add, kept: 1, $add: add }, list: [1], external_id: 'ada' });
  });

  it.each<[JsonObject, boolean]>([
    [{ update: 'all', add: 1, remove: {} }, true],
    [{ update }, false],
  ])('leave %j as it is when switched on is %s', (trait, isOn) => {
    expect(operations(trait, {}, isOn)).toEqual({ pets: trait, list: [1], external_id: 'ada' });
  });

  it('name no element without an identifier', () => {
    expect(operations({ update: [{ age: 3 }] })).toMatchObject({ pets: { $update: [{ $new_object: { age: 3 } }] } });
  });
});

describe('a Braze event', () => {
  it.each<[JsonObject, JsonObject]>([
    [
      { type: 'Track', event: 'Paid', properties: { a: null, b: { c: [1] }, time: 'x', event_name: 'y' } },
      { name: 'Paid', properties: { a: null, b: { c: [1] } } },
    ],
    [
      { type: 'page', name: 'Home', properties: { name: 'x' } },
      { name: 'Home', properties: { name: 'x' } },
    ],
    [
      { type: 'page', properties: { name: 'x' } },
      { name: 'x', properties: { name: 'x' } },
    ],
    [
      { type: 'page', properties: null },
      { name: 'Page Viewed', properties: {} },
    ],
    [{ type: 'screen' }, { name: 'Screen Viewed', properties: {} }],
    [
      { type: 'screen', name: 'Order Completed' },
      { name: 'Order Completed', properties: {} },
    ],
    [
      { type: 'screen', integrations: { braze: { appId: 7 } } },
      { name: 'Screen Viewed', properties: {}, app_id: '7' },
    ],
  ])('%j', (event, expected) => {
    expect(body(event)).toEqual({
      partner: 'RudderStack',
      events: [{ ...expected, time: ada.timestamp, external_id: 'ada' }],
    });
  });

  it('has properties that are an object, and a name', () => {
    expect(() => body({ type: 'page', properties: 'text' })).toThrow('properties must be an object');
    expect(() => body({ type: 'track' })).toThrow('Event name is required');
  });
});

describe('groups and aliases at Braze', () => {
  const config = { enableSubscriptionGroupInGroupCall: true };

  it.each<[JsonObject, JsonObject]>([
    [{ groupId: 'g', traits: { plan: 'pro' } }, { external_id: 'ada' }],
    [{ traits: { groupId: 'g' }, userId: '' }, { user_alias: { alias_name: 'anon-1' } }],
  ])('an attribute shows the group of %j', (event, identity) => {
    expect(body({ type: 'group', ...event })).toMatchObject({
      partner: 'RudderStack',
      attributes: [{ ab_rudder_group_g: true, ...identity }],
    });
  });

  it.each<[JsonObject, JsonObject, JsonObject]>([
    [{ email: 'a@b.c', phone: '+1' }, {}, { external_ids: ['ada'], phones: ['+1'] }],
    [{ email: 'a@b.c' }, {}, { external_ids: ['ada'], emails: ['a@b.c'] }],
    [{ email: 'a@b.c' }, { userId: '', context: { traits: { phone: '+2' } } }, { phones: ['+2'] }],
    [{ email: 'a@b.c' }, { userId: '', properties: { phone: '+3' } }, { phones: ['+3'] }],
  ])('set the state of a subscription group for %j and %j', (traits, more, expected) => {
    const event = { type: 'group', groupId: 'g', traits: { ...traits, subscriptionState: 'subscribed' }, ...more };
    const group = { subscription_group_id: 'g', subscription_state: 'subscribed', ...expected };
    expect(send(event, config)).toEqual([['v2/subscription/status/set', { subscription_groups: [group] }]]);
  });

  it.each<[JsonObject, string]>([
    [{ type: 'group' }, 'groupId is required'],
    [{ type: 'group', groupId: 'g', traits: { subscriptionState: 'maybe' } }, 'traits.phone is required'],
    [{ type: 'group', groupId: 'g', traits: { phone: '1', subscriptionState: 'maybe' } }, 'subscriptionState must be'],
    [{ type: 'alias', previousId: 'old', userId: '' }, 'userId is required'],
    [{ type: 'alias' }, 'previousId is required'],
    [{ type: 'other' }, 'not supported'],
  ])('refuse %j', (event, reason) => {
    expect(() => send(event, config)).toThrow(reason);
  });

  it('merge two profiles by their user ids', () => {
    const context = { externalId: [{ type: 'brazeExternalId', id: 'b' }] };
    expect(send({ type: 'alias', previousId: 'old', context })[0]?.[1]).toEqual({
      merge_updates: [{ identifier_to_merge: { external_id: 'old' }, identifier_to_keep: { external_id: 'ada' } }],
    });
  });
});
