import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import airship from './airship.js';

const payloads = (event: JsonObject, config: JsonObject = {}) =>
  airship.transform({ ...ada, ...event }, { apiKey: 'k', appKey: 'app', ...config });
const send = (event: JsonObject, config: JsonObject = {}) =>
  payloads(event, config).map(
    ({ endpoint, body }) => [endpoint.replace('https://go.urbanairship.com/api/', ''), body.JSON] as const,
  );
const attributes = (event: JsonObject, config: JsonObject = {}) => {
  const [call] = send({ type: 'identify', ...event }, config);
  return (call?.[1]['attributes'] ?? []) as JsonObject[];
};
const values = (traits: JsonObject, more: JsonObject = {}, config: JsonObject = {}) =>
  attributes({ traits, ...more }, config).map(({ key, value }) => [key, value]);
const timestamp = '2026-03-04T05:06:07Z';

describe('a user of Airship', () => {
  it.each([
    ['identify', 'rudderstack_integration'],
    ['group', 'rudderstack_integration_group'],
  ])('has tags and attributes by %s', (type, group) => {
    const traits = { vip: true, 'On Trial': false, plan: { Active: true, name: 'pro' } };
    expect(send({ type, userId: 'a/b', traits })).toEqual([
      [
        'named_users/tags',
        {
          audience: { named_user_id: 'a/b' },
          add: { [group]: ['vip', 'plan_active'] },
          remove: { [group]: ['on trial'] },
        },
      ],
      ['named_users/a%2Fb/attributes', { attributes: [{ action: 'set', key: 'plan_name', value: 'pro', timestamp }] }],
    ]);
    expect(send({ type, context: { traits: { vip: true } } })).toEqual([
      ['named_users/tags', { audience: { named_user_id: 'ada' }, add: { [group]: ['vip'] } }],
    ]);
  });

  it.each<[JsonObject, string]>([
    [{ userId: '', traits: { id: 7 } }, '7'],
    [{ userId: '', context: { traits: { userId: 'u' } } }, 'u'],
    [{ userId: '', traits: { a: 1 } }, 'anon-1'],
  ])('of %j is %s', (event, user) => {
    expect(send({ type: 'identify', ...event })[0]?.[0]).toBe(`named_users/${user}/attributes`);
  });

  it.each<[JsonObject, unknown[]]>([
    [
      { name: 'Ada', firstName: 'A', lastName: 'L' },
      [
        ['full_name', 'Ada'],
        ['first_name', 'A'],
        ['last_name', 'L'],
      ],
    ],
    [
      { Name: 'Ada', PHONE: 1, firstname: 'A' },
      [
        ['full_name', 'Ada'],
        ['mobile_phone', 1],
        ['firstname', 'A'],
      ],
    ],
    [
      { createdAt: 'then', birthday: 'b' },
      [
        ['account_creation', 'then'],
        ['birthday', 'b'],
      ],
    ],
    [
      { address: { city: 'c', country: 'd', postalCode: 'p', state: 's', street: 't' } },
      [
        ['city', 'c'],
        ['country', 'd'],
        ['zipcode', 'p'],
        ['region', 's'],
        ['address_street', 't'],
      ],
    ],
    [
      { userId: 'u', none: null, blank: '', list: [], a: [{ b: 1 }] },
      [
        ['userId', 'u'],
        ['none', null],
        ['blank', ''],
        ['list', []],
        ['a[0]_b', 1],
      ],
    ],
  ])('with traits %j has %j', (traits, expected) => {
    expect(values(traits)).toEqual(expected);
  });

  it.each([
    [1_767_225_600, '2026-01-01T00:00:00Z'],
    ['1767225600000', '2026-01-01T00:00:00Z'],
    [1_767_225_600_000_000, '2026-01-01T00:00:00Z'],
    ['2026-01-01', '2026-01-01T00:00:00Z'],
    ['', ''],
    [null, null],
  ])('has the time %j as %j', (renewedAt, expected) => {
    const config = { timestampAttributes: [{ timestampAttribute: ' plan.renewedAt ' }] };
    expect(values({ plan: { renewedAt } }, {}, config)).toEqual([['plan_renewedAt', expected]]);
  });

  it('takes whole objects from the integrations, in place of what is nested', () => {
    const integrations = { AIRSHIP: { JSONAttributes: { 'car#1': { doors: 3 }, n: 1 }, removeAttributes: ['old', 5] } };
    const traits = { car: [{ doors: 2, sold: true }], plan: { car: 'x' }, 'n.m': 1, carName: 'c' };
    const [tags, call] = send({ type: 'identify', traits, integrations });
    expect(tags?.[1]['add']).toEqual({ rudderstack_integration: ['car[0]_sold'] });
    expect(call?.[1]['attributes']).toEqual([
      { action: 'set', key: 'plan_car', value: 'x', timestamp },
      { action: 'set', key: 'n_m', value: 1, timestamp },
      { action: 'set', key: 'carName', value: 'c', timestamp },
      { action: 'set', key: 'car#1', value: { doors: 3 }, timestamp },
      { action: 'set', key: 'n', value: 1, timestamp },
      { action: 'remove', key: 'old', timestamp },
    ]);
    const odd = { Airship: { JSONAttributes: 'x', removeAttributes: 'y' } };
    expect(values({ a: { b: 1 } }, { integrations: odd })).toEqual([['a_b', 1]]);
  });
});

describe('an event of Airship', () => {
  const body = (event: JsonObject) => {
    const [call] = send({ type: 'track', event: 'Order  Done ', ...event });
    return call?.[1]['body'];
  };

  it('has its user, its time and its properties', () => {
    const properties = { value: 5, interactionId: 'i', interactionType: 't', transaction: 'x', none: null, 'a.b': 1 };
    const read = { interaction_id: 'no', interaction_type: 'no', session_id: 'no' };
    expect(send({ type: 'track', event: 'Paid', properties: { ...properties, ...read } })).toEqual([
      [
        'custom-events',
        {
          occured: ada.timestamp,
          user: { named_user_id: 'ada' },
          body: {
            ...{ name: 'paid', value: 5, interaction_id: 'i', interaction_type: 't', transaction: 'x' },
            properties: { none: null, a: { b: 1 } },
          },
        },
      ],
    ]);
    const [bare] = send({ type: 'track', event: 'e', timestamp: '' });
    expect(bare?.[1]).toEqual({ user: { named_user_id: 'ada' }, body: { name: 'e' } });
    expect(payloads({ type: 'track', event: 'e' })[0]?.headers).toMatchObject({ 'x-ua-appkey': 'app' });
  });

  it('has a UUID for the session, even if that is one', () => {
    const uuid = '00000000-0000-4000-8000-000000000000';
    const sessions = [' 17 ', 17, uuid].map((sessionId) => body({ properties: { sessionId } }) as JsonObject);
    const [first, second, third] = sessions.map(({ session_id }) => session_id);
    expect(first).toMatch(/^[0-9a-f]{8}-.{4}-5/);
    expect(second).toBe(first);
    expect(third).not.toBe(uuid);
    expect(body({ context: { sessionId: 17 } })).toEqual({ name: 'order_done_', session_id: first });
    expect(body({ context: { sessionId: ' ' } })).toEqual({ name: 'order_done_' });
  });
});

it('Airship of Europe has an address of its own', () => {
  const [payload] = payloads({ type: 'identify', traits: { a: 1 } }, { dataCenter: true });
  expect(payload?.endpoint).toBe('https://go.airship.eu/api/named_users/ada/attributes');
  expect(payload?.headers).toMatchObject({
    authorization: 'Bearer k',
    accept: 'application/vnd.urbanairship+json; version=3',
  });
});

describe('an anonymous event for Airship', () => {
  it('names no user', () => {
    const event = { type: 'track', event: 'e', anonymousId: 'anon-1', traits: { id: 7 } };
    expect(airship.transform(event, { apiKey: 'k', appKey: 'a' })[0]?.body.JSON['user']).toEqual({});
  });
});

describe('what Airship does not take', () => {
  const traits = { a: 1 };
  const at = { timestampAttributes: [{ timestampAttribute: 'a' }] };

  it.each<[JsonObject, JsonObject, string]>([
    [{ type: 'identify' }, {}, 'no traits'],
    [{ type: 'identify', traits: {}, context: { traits } }, {}, 'no traits'],
    [{ type: 'identify', userId: '', anonymousId: '', traits }, {}, 'userId or anonymousId is required'],
    [{ type: 'identify', userId: '..', traits }, {}, 'cannot be part of an address'],
    [{ type: 'identify', traits }, { apiKey: '' }, 'apiKey is required'],
    [{ type: 'group', traits, timestamp: '' }, {}, 'needs a timestamp'],
    [{ type: 'group', traits, timestamp: 'then' }, {}, 'needs a timestamp'],
    [{ type: 'identify', traits: { a: 12_345 } }, at, 'must be readable'],
    [{ type: 'identify', traits: { a: 'then' } }, at, 'must be readable'],
    [{ type: 'identify', traits, integrations: { airship: { JSONAttributes: { b: [] } } } }, {}, 'not lists'],
    [{ type: 'track', event: 'e' }, { appKey: '' }, 'appKey is required'],
    [{ type: 'track' }, {}, 'Event name is required'],
    [{ type: 'page' }, {}, 'Event type page is not supported'],
  ])('is refused: %j with %j', (event, config, message) => {
    expect(() => send(event, config)).toThrow(message);
  });
});
