import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import moengage from './moengage.js';

const payloads = (event: JsonObject, config: JsonObject = {}) =>
  moengage.transform({ ...ada, ...event }, { apiId: 'w', apiKey: 'k', region: 'EU', ...config });
const send = (event: JsonObject, config: JsonObject = {}) =>
  payloads(event, config).map(
    ({ endpoint, body }) => [endpoint.replace('https://api-02.moengage.com/v1/', ''), body.JSON] as const,
  );
const customer = (event: JsonObject, config: JsonObject = {}) =>
  send({ type: 'identify', ...event }, config)[0]?.[1]['attributes'];
const device = { id: 'd', token: 't', type: 'iPadOS', model: 'M' };
const deviceOf = (event: JsonObject, config: JsonObject = {}) =>
  send({ type: 'identify', context: { device }, ...event }, config)[1]?.[1]['attributes'];
const action = (event: JsonObject, config: JsonObject = {}) => {
  const [call] = send({ type: 'track', event: 'Paid', ...event }, config);
  return ((call?.[1]['actions'] ?? []) as JsonObject[])[0];
};

describe('a MoEngage request', () => {
  it('goes to the data center, with the key of the workspace', () => {
    const [payload] = payloads({ type: 'identify' });
    expect(payload).toMatchObject({ endpoint: 'https://api-02.moengage.com/v1/customer/w', userId: 'ada' });
    expect(payload?.headers).toMatchObject({ 'moe-appkey': 'w', authorization: 'Basic dzpr' });
  });

  it.each([
    ['US', '01'],
    ['IND', '03'],
    ['US-DC-04', '04'],
    ['SGP-DC-05', '05'],
    ['IDN-DC-06', '06'],
    ['DC-101', '101'],
  ])('of region %s goes to data center %s', (region, number) => {
    expect(payloads({ type: 'identify' }, { region })[0]?.endpoint).toContain(`//api-${number}.`);
  });

  it.each<[JsonObject, string, string | undefined]>([
    [{}, 'ada', 'ada'],
    [{ userId: '', traits: { userId: 'u', id: 'i' } }, 'u', 'anon-1'],
    [{ userId: '', context: { traits: { id: 7 } } }, '7', 'anon-1'],
    [{ userId: '' }, 'anon-1', 'anon-1'],
  ])('of %j is about %s', (event, customer_id, userId) => {
    const [payload] = payloads({ type: 'identify', ...event });
    expect([payload?.body.JSON['customer_id'], payload?.userId]).toEqual([customer_id, userId]);
  });

  it('merges by alias, without the header of the workspace', () => {
    const alias = { type: 'alias', previousId: 'old' };
    const merge_data = [{ merged_user: 'old', retained_user: 'ada' }];
    expect(send(alias)).toEqual([['customer/merge?app_id=w', { merge_data }]]);
    expect(payloads(alias)[0]?.headers).not.toHaveProperty('moe-appkey');
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ type: 'identify' }, { region: 'MARS' }, 'region must be'],
    [{ type: 'identify' }, { region: null }, 'region must be'],
    [{ type: 'identify', userId: '', anonymousId: '' }, {}, 'userId or anonymousId is required'],
    [{ type: 'track', userId: '', anonymousId: '', event: 'e' }, {}, 'userId or anonymousId is required'],
    [{ type: 'track' }, {}, 'Event name is required'],
    [{ type: 'alias' }, {}, 'userId and previousId are required'],
    [{ type: 'alias', userId: '', previousId: 'old' }, {}, 'userId and previousId are required'],
    [{ type: 'page' }, {}, 'Event type page is not supported'],
  ])('is refused: %j with %j', (event, config, message) => {
    expect(() => send(event, config)).toThrow(message);
  });
});

describe('a customer of MoEngage', () => {
  it.each<[JsonObject, JsonObject]>([
    [
      { firstname: 'A', lastname: 'L', gender: 1 },
      { first_name: 'A', last_name: 'L', gender: '1' },
    ],
    [
      { first_name: 'A', last_name: 'L' },
      { first_name: 'A', last_name: 'L' },
    ],
    [
      { firstName: 'A', lastName: 'L' },
      { first_name: 'A', last_name: 'L' },
    ],
    [
      { email: 'a@b.c', mobile: 49, source: 's' },
      { email: 'a@b.c', mobile: '49', source: 's' },
    ],
    [
      { age: '36', transactions: '2', revenue: 5 },
      { age: 36, transactions: 2, revenue: 5 },
    ],
    [{ age: 'n/a', transactions: [], revenue: '' }, {}],
    [
      { last_seen: 1, moe_unsubscribe: false },
      { last_seen: 1, moe_unsubscribe: false },
    ],
    [
      { lastSeen: 1, moeUnsubscribe: true },
      { last_seen: 1, moe_unsubscribe: true },
    ],
    [{ name: 7 }, { name: 7 }],
    [{ createdAt: 'then' }, { createdAt: 'then', created_time: 'then' }],
    [{ id: 'i', _id: 'j', phone: '+49' }, { phone: '+49' }],
    [
      { plan: { name: 'pro', tags: ['a'] }, none: null, list: [] },
      { 'plan.name': 'pro', 'plan.tags[0]': 'a', none: null, list: [] },
    ],
    [{}, {}],
  ])('with traits %j has %j, from either place', (traits, attributes) => {
    expect(customer({ traits })).toEqual(attributes);
    expect(customer({ context: { traits } })).toEqual(attributes);
  });

  it('has standard attributes from either place, and custom ones from the first', () => {
    const context = { traits: { email: 'a@b.c', plan: 'pro' } };
    expect(customer({ traits: { size: 5 }, context })).toEqual({ email: 'a@b.c', size: 5 });
    expect(customer({ traits: {}, context })).toEqual({ email: 'a@b.c' });
    expect(customer({})).toEqual({});
    expect(customer({ traits: { plan: { name: 'pro' } } }, { useObjectData: true })).toEqual({ plan: { name: 'pro' } });
  });
});

describe('a device of MoEngage', () => {
  const properties = { pushPreference: false, active: false, id: 1, _id: 2, deep: { a: 1 } };
  const usual = { platform: 'iOS', push_id: 't', model: 'M' };

  it('has what can be pushed to, and other properties', () => {
    expect(deviceOf({ context: { device, app: { version: '2' }, os: { version: '15' } }, properties })).toEqual({
      ...usual,
      ...{ push_preference: false, active: false, app_version: '2', os_version: '15', 'deep.a': 1 },
    });
    expect(deviceOf({ properties: { deep: { a: 1 } } }, { useObjectData: true })).toEqual({ ...usual, deep: { a: 1 } });
    expect(send({ type: 'identify', context: { device: { ...device, id: null, type: 'android' } } })[1]).toEqual([
      'device/w',
      { type: 'device', customer_id: 'ada', attributes: { ...usual, platform: 'android' } },
    ]);
  });

  it.each([
    { ...device, token: '' },
    { ...device, type: null },
  ])('is not made of %j', (given) => {
    expect(send({ type: 'identify', context: { device: given } })).toHaveLength(1);
  });
});

describe('an event of MoEngage', () => {
  it('has the time of the user', () => {
    const properties = { a: [1], b: { c: null } };
    expect(
      action({ channel: 'web', properties, context: { timezone: 'Asia/Kolkata', app: { version: '2' } } }),
    ).toEqual({
      action: 'Paid',
      attributes: { 'a[0]': 1, 'b.c': null },
      ...{ platform: 'web', app_version: '2', current_time: ada.timestamp, user_timezone_offset: 19_800 },
    });
    expect(action({ properties }, { useObjectData: true })).toMatchObject({ attributes: properties });
    expect(action({ context: { timezone: 'Africa/Abidjan' } })).toMatchObject({ user_timezone_offset: 0 });
  });

  it('leaves out what is not known', () => {
    const bare = { timestamp: undefined, originalTimestamp: '2020', context: { timezone: 'No/Where', device } };
    expect(action(bare)).toEqual({ action: 'Paid', platform: 'iOS', current_time: '2020' });
    expect(send({ type: 'track', event: 'e', context: { device } })[0]?.[1]).toMatchObject({ device_id: 'd' });
  });
});
