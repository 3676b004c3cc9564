import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { answering } from '../../../test/answering.fixtures.js';
import { ada, itemsOf } from '../../../test/events.fixtures.js';
import mixpanel, { mixpanelBatch, mixpanelDeliver } from './mixpanel.js';

const recent = { ...ada, timestamp: new Date().toISOString() };
const send = (event: JsonObject, config: JsonObject = {}) => mixpanel.transform(event, { token: 't', ...config });
const callsOf = (event: JsonObject, config: JsonObject = {}) =>
  send({ ...recent, ...event }, config).map(
    (payload) => [payload.endpoint.replace('https://api.mixpanel.com', ''), itemsOf(payload)[0]] as const,
  );
const track = { type: 'track', event: 'Paid' };

describe('a request to Mixpanel', () => {
  it.each([
    ['us', 'https://api.mixpanel.com/import/'],
    ['eu', 'https://api-eu.mixpanel.com/import/'],
    ['in', 'https://api-in.mixpanel.com/import/'],
    ['', 'https://api.mixpanel.com/import/'],
  ])('with the residency %j goes to %s', (dataResidency, endpoint) => {
    const [payload] = send({ ...recent, ...track }, { dataResidency });
    expect(payload).toMatchObject({ method: 'POST', endpoint, params: { strict: 0 }, userId: 'ada' });
    expect(payload?.headers).toEqual({ 'content-type': 'application/json', authorization: 'Basic dDo=' });
  });

  it('is strict if configured, and has the anonymous id without a user id', () => {
    const [payload] = send({ ...recent, ...track, userId: '' }, { strictMode: true });
    expect(payload).toMatchObject({ params: { strict: 1 }, userId: 'anon-1' });
  });

  it('is authorized by a service account if there is no token', () => {
    const account = { serviceAccountUserName: 'u', serviceAccountSecret: 's', projectId: 5 };
    const imported = (config: JsonObject) => send({ ...recent, ...track }, { ...account, ...config })[0];
    expect(imported({ token: '' })).toMatchObject({
      ...{ params: { strict: 0, project_id: '5' }, headers: { authorization: 'Basic dTpz' } },
    });
    expect(itemsOf(imported({ token: '' }))[0]).not.toHaveProperty('properties.token');
    expect(imported({})?.params).toEqual({ strict: 0 });
    expect(() => imported({ token: '', serviceAccountSecret: '' })).toThrow('serviceAccountSecret is required');
    expect(() => send({ ...recent, type: 'identify' }, { ...account, token: '' })).toThrow('token is required');
  });

  it('updates a profile without credentials', () => {
    const [payload] = send({ ...recent, type: 'identify' });
    expect(payload).toMatchObject({ endpoint: 'https://api.mixpanel.com/engage/', params: { verbose: 2 } });
    expect(payload?.headers).toEqual({ 'content-type': 'application/json' });
  });
});

describe('the updates of a track', () => {
  const known = { $token: 't', $distinct_id: 'ada' };

  it('come before the event: the revenue, then what is added up', () => {
    const properties = { tax: 2, visits: '3', none: 0, revenue: '5' };
    const propIncrements = [{ property: 'visits' }, { property: 'none' }, { property: 'tax' }, { property: 'absent' }];
    const calls = callsOf({ ...track, properties }, { propIncrements, eventIncrements: [{ property: 'Paid' }] });
    expect(calls).toMatchObject([
      ['/engage/', { $append: { $transactions: { $time: recent.timestamp, $amount: '5' } }, ...known }],
      ['/engage/', { $add: { tax: 2, visits: '3' }, ...known }],
      ['/import/', { event: 'Paid' }],
    ]);
  });

  it.each<[JsonObject, JsonObject]>([
    [{ revenue: 0 }, {}],
    [{ revenue: null }, { propIncrements: null }],
    [{ visits: 1 }, { propIncrements: [{ property: '' }] }],
    [{}, { propIncrements: [{ property: 'visits' }] }],
  ])('are left out for %j with %j', (properties, config) => {
    expect(callsOf({ ...track, properties }, config)).toHaveLength(1);
  });

  it('have the first time that is one', () => {
    const times = { timestamp: 'soon', originalTimestamp: '2020-01-01T00:00:00Z' };
    const bought = { ...track, properties: { revenue: 5 } };
    expect(callsOf({ ...bought, ...times })[0]?.[1]).toMatchObject({
      $append: { $transactions: { $time: '2020-01-01T00:00:00.000Z' } },
    });
    expect(() => callsOf({ ...bought, timestamp: 'soon' })).toThrow('neither timestamp nor originalTimestamp');
  });

  it('need somebody', () => {
    const nobody = { userId: '', anonymousId: '' };
    expect(() => callsOf({ ...track, ...nobody, properties: { revenue: 5 } })).toThrow('a userId or an anonymousId');
    expect(callsOf({ ...track, ...nobody })).toHaveLength(1);
  });
});

describe('a merge', () => {
  it.each<[JsonObject, JsonObject, number]>([
    [{}, {}, 2],
    [{ userId: 5 }, { identityMergeApi: 'original' }, 2],
    [{}, { identityMergeApi: 'simplified' }, 1],
    [{ userId: '' }, {}, 1],
    [{ anonymousId: '' }, {}, 1],
  ])('of %j with %j follows an identify: %j calls', (ids, config, count) => {
    expect(callsOf({ type: 'identify', ...ids, timestamp: '2001-01-01T00:00:00Z' }, config)).toHaveLength(count);
  });
});

describe('a group', () => {
  const groupKeySettings = [{ groupKey: 'groupId' }, { groupKey: '' }, { groupKey: 'org.name' }];

  it('is joined by every configured key, with a call for each value', () => {
    const traits = { org: { name: ['a', 'b'] } };
    const known = { $token: 't', $distinct_id: 'ada', $ip: '192.0.2.1' };
    const event = { type: 'group', groupId: 'g', traits, context: { ip: '192.0.2.1' } };
    expect(callsOf(event, { groupKeySettings })).toEqual([
      ['/engage/', { ...known, $set: { groupId: ['g'] } }],
      ['/groups/', { $token: 't', $group_key: 'groupId', $group_id: 'g', $set: traits }],
      ['/engage/', { ...known, $set: { 'org.name': ['a', 'b'] } }],
      ['/groups/', { $token: 't', $group_key: 'org.name', $group_id: 'a', $set: traits }],
      ['/groups/', { $token: 't', $group_key: 'org.name', $group_id: 'b', $set: traits }],
    ]);
  });

  it('has its id from the traits too, and may have no traits', () => {
    const ids = (event: JsonObject) => callsOf({ type: 'group', ...event }, { groupKeySettings })[1]?.[1];
    expect(ids({ traits: { groupId: 5 } })).toMatchObject({ $group_id: 5, $set: { groupId: 5 } });
    expect(ids({ groupId: 'g' })).toMatchObject({ $group_id: 'g', $set: {} });
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ traits: { company: 'a' } }, { groupKeySettings: [] }, 'groupKeySettings names no group key'],
    [{ traits: { company: 'a' } }, {}, 'groupKeySettings names no group key'],
    [
      { context: { traits: { company: 'a' } } },
      { groupKeySettings: [{ groupKey: 'company' }] },
      'none of the group keys',
    ],
    [{ traits: { company: 0 } }, { groupKeySettings: [{ groupKey: 'company' }] }, 'none of the group keys'],
  ])('is refused: %j with %j', (event, config, message) => {
    expect(() => callsOf({ type: 'group', ...event }, config)).toThrow(message);
  });
});

describe('an alias', () => {
  it.each<[JsonObject, JsonObject]>([
    [{ previousId: 'old' }, { distinct_id: 'old', alias: 'ada', token: 't' }],
    [{}, { distinct_id: 'anon-1', alias: 'ada', token: 't' }],
  ])('of %j is %j', (event, properties) => {
    expect(callsOf({ type: 'alias', ...event })).toEqual([['/import/', { event: '$create_alias', properties }]]);
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ previousId: 'old' }, { identityMergeApi: 'simplified' }, 'no aliases'],
    [{ previousId: 'ada' }, {}, 'must differ'],
    [{ anonymousId: '' }, {}, 'needs a userId'],
    [{ userId: '' }, {}, 'needs a userId'],
    [{ previousId: { a: 1 } }, {}, 'needs a userId'],
  ])('is refused: %j with %j', (event, config, message) => {
    expect(() => callsOf({ type: 'alias', ...event }, config)).toThrow(message);
  });
});

describe('what Mixpanel answers', () => {
  it.each([
    [200, { status: 1, error: null }, 200],
    [200, { status: 0, error: 'invalid $set' }, 400],
    [200, { status: 0 }, 400],
    [200, { error: 'invalid $set' }, 400],
    [200, { code: 200, num_records_imported: 1, status: 'OK' }, 200],
    [200, '1', 200],
    [503, { error: 'later' }, 503],
  ])('with %i %j means %i', async (status, body, meant) => {
    const [payload] = send({ ...recent, type: 'identify', traits: { plan: 'pro' } });
    if (!payload) throw new Error('no payload');
    expect(await mixpanelDeliver(payload, {}, answering(status, body), {})).toEqual({ status: meant, response: body });
  });
});

describe('a batch', () => {
  const payloads = ['One', 'Two', 'Three'].flatMap((event) =>
    mixpanel.transform({ ...ada, type: 'track', event }, { token: 't' }),
  );
  const answered = (status: number, response: unknown) => mixpanelBatch.outcomes?.({ status, response }, payloads);

  it('has arrived but for the events that the answer names', () => {
    const failed = { index: 1, field: 'properties.time', message: 'is invalid' };
    expect(answered(400, { failed_records: [failed] })).toEqual([
      { status: 200 },
      { status: 400, response: failed },
      { status: 200 },
    ]);
  });

  it.each([
    [200, { num_records_imported: 3 }],
    [400, { error: 'unreadable' }],
    [401, 'no'],
  ])('has one answer for all otherwise: %i', (status, response) => {
    expect(answered(status, response)).toBeUndefined();
  });
});
