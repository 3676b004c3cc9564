import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { asItIs, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import { EMAIL, FIRST_NAME, KNOWN_USER_ID, LAST_NAME, PHONE } from '../../toolkit/index.js';
import engage from './engage.js';

const config = { publicKey: 'u', privateKey: 'p' };
const identify = { ...ada, type: 'identify', traits: { email: 'ada@example.com', plan: 'pro' } };
const track = { ...ada, type: 'track', event: 'Report Opened' };
const group = { type: 'group', groupId: '17' };
const ids = (type: string, ...given: unknown[]) => ({ 'context.externalId': given.map((id) => ({ type, id })) });
const send = (event: JsonObject, values: JsonObject = {}, more: JsonObject = {}) =>
  engage
    .transform(withValues(event, values), { ...config, ...more })
    .map(({ method, endpoint, body }) => [
      `${method} ${endpoint.replace('https://api.engage.so/v1/', '')}`,
      body.JSON as JsonObject,
    ]);
const bodyOf = (event: JsonObject, values: JsonObject = {}, more: JsonObject = {}) =>
  send(event, values, more)[0]?.[1] as JsonObject;

describe('a user at Engage', () => {
  it('has attributes, and all other traits in meta', () => {
    const address = { home: { city: 'London' }, city: 'Turin', zip: 7 };
    const traits = {
      firstName: 'Ada',
      last_name: 'Lovelace',
      phone: '12025550123',
      isVip: true,
      tags: ['a'],
      none: null,
    };
    const values = {
      'traits.address': address,
      ...Object.fromEntries(Object.entries(traits).map(([key, value]) => [`traits.${key}`, value])),
    };
    expect(send(identify, values)).toEqual([
      [
        'PUT users/ada',
        {
          ...{ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', number: '12025550123' },
          ...{ created_at: ada.timestamp, meta: { plan: 'pro', city: 'Turin', zip: 7, isVip: true } },
        },
      ],
    ]);
    expect(bodyOf({ type: 'identify', userId: 7 })).toEqual({});
    expect(bodyOf(identify, { 'traits.createdAt': '2025-11-05' })).toMatchObject({ created_at: '2025-11-05' });
  });

  it('is authorized by both keys', () => {
    const headers = { 'content-type': 'application/json', authorization: 'Basic dTpw' };
    expect(engage.transform(identify, config)[0]).toMatchObject({ headers });
    expect(engage.transform(identify, { publicKey: 'u' })[0]?.headers['authorization']).toBe('Basic dTo=');
  });

  it.each(KNOWN_USER_ID.map((path, place) => [path, KNOWN_USER_ID.slice(place)]))('is known by %s', (path, later) => {
    const values = Object.fromEntries([...later].map((at) => [at, at === path ? 'one' : 'other']));
    expect(send({ type: 'identify' }, values)[0]?.[0]).toBe('PUT users/one');
    expect(send({ type: 'identify' }, { ...values, ...ids('engageId', 'a/b') })[0]?.[0]).toBe('PUT users/a%2Fb');
  });

  it.each<SourcesRow>([
    ['first_name', FIRST_NAME, asItIs],
    ['last_name', LAST_NAME, asItIs],
    ['email', EMAIL, asItIs],
  ])('has %s from %j', (...row) => {
    expectSources((values) => bodyOf({ type: 'identify', userId: 'ada' }, values), row);
  });

  it.each([
    [12_025_550_123, 12_025_550_123],
    ['+1 (202) 555-0123', '12025550123'],
    ['call me', undefined],
    ['123', undefined],
    [['12025550123'], undefined],
  ])('with the phone %j has the number %j', (phone, number) => {
    for (const path of PHONE) expect(bodyOf({ ...ada, type: 'identify' }, { [path]: phone })['number']).toEqual(number);
  });

  it.each<[JsonObject, JsonObject, unknown]>([
    [{}, { listIds: [{ listId: 'l' }, { listId: '' }, { listId: 'm' }] }, ['l', 'm']],
    [ids('engageListId', 'x', 7), { listIds: [{ listId: 'l' }] }, ['x', '7']],
    [ids('engageListId', {}), { listIds: null }, undefined],
  ])('with %j and %j is on the lists %j', (values, more, lists) => {
    expect(bodyOf(identify, values, more)['lists']).toEqual(lists);
  });

  it('is merged into the user that an alias names', () => {
    expect(send({ type: 'alias', previousId: 'old', userId: 'ada' })).toEqual([
      ['POST users/merge', { source: 'old', destination: 'ada' }],
    ]);
  });
});

describe('an event at Engage', () => {
  it('has a time and flat properties', () => {
    const properties = { report: 7, by: { name: 'Bob' }, tags: ['a'], none: null };
    expect(send(track, { properties })).toEqual([
      [
        'POST users/ada/events',
        { event: 'Report Opened', timestamp: ada.timestamp, properties: { report: 7, name: 'Bob' } },
      ],
    ]);
  });

  it.each<[JsonObject, string]>([
    [{ type: 'page', name: 'Prices', category: 'Shop' }, 'Viewed Shop Prices Page'],
    [{ type: 'page' }, 'Viewed Page'],
    [{ type: 'screen', properties: { name: 'Prices' } }, 'Viewed Prices Screen'],
  ])('of %j is %s', (event, name) => {
    expect(send({ userId: 'ada', ...event })[0]).toEqual([
      'POST users/ada/events',
      { event: name, properties: event['properties'] ?? {} },
    ]);
  });
});

describe('a group at Engage', () => {
  it.each<[JsonObject, string, JsonObject]>([
    [ids('engageId', '1'), 'PUT lists/17/subscribers/1', { subscribed: true }],
    [{ ...ids('engageId', '1'), userId: 'ada' }, 'PUT lists/17/subscribers/1', { subscribed: true }],
    [{ userId: 'ada', 'traits.subscribed': false }, 'PUT lists/17/subscribers/ada', { subscribed: false }],
    [{ userId: 'ada', 'traits.operation': 'remove' }, 'DELETE lists/17/subscribers/ada', { subscribed: true }],
    [
      { 'traits.email': 'ada@example.com', 'traits.operation': 'add', 'traits.plan': 'pro' },
      'POST lists/17/subscribers',
      { email: 'ada@example.com', meta: { plan: 'pro' } },
    ],
    [{ 'context.traits.phone': '12025550123' }, 'POST lists/17/subscribers', { number: '12025550123' }],
  ])('with %j is %s', (values, call, body) => {
    expect(send(group, values)).toEqual([[call, body]]);
  });
});

describe('Engage', () => {
  it.each<[JsonObject, JsonObject, string]>([
    [{ ...identify, userId: null }, {}, 'userId or an external id of type engageId is required'],
    [{ ...track, event: '' }, {}, 'Event name is required'],
    [{ ...track, userId: '..' }, {}, 'the user id cannot be part of an address'],
    [{ ...group, groupId: null }, {}, 'groupId is required'],
    [{ ...group, traits: { operation: 'remove', email: 'a@b.cd' } }, {}, 'userId or an external id of type engageId'],
    [group, {}, 'userId, traits.email or traits.phone is required'],
    [{ type: 'alias', userId: 'ada' }, {}, 'source is required: it is read from previousId'],
    [{ type: 'alias', previousId: 'old', anonymousId: 'anon-1' }, {}, 'destination is required'],
    [{ type: 'merge' }, {}, 'Event type merge is not supported'],
    [identify, { publicKey: '' }, 'publicKey is required'],
  ])('refuses %j with %j: %s', (event, more, message) => {
    expect(() => send(event, {}, more)).toThrow(message);
  });
});
