import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import zendesk from './zendesk.js';

const config = { domain: 'acme', email: 'agent@acme.example', apiToken: 't' };
const send = (event: JsonObject, more: JsonObject = {}) => {
  const [payload, ...others] = zendesk.transform({ ...ada, ...event }, { ...config, ...more });
  if (!payload || others.length > 0) throw new Error('not one payload');
  return payload;
};
const BASE = 'https://acme.zendesk.com/api/v2';
const traits = { name: 'Ada King', email: 'a@b.c', plan: 'pro', address: { city: 'Turin' } };

it('Zendesk knows the agent by a token', () => {
  const { headers, userId } = send({ type: 'identify', traits });
  const given = Buffer.from('agent@acme.example/token:t').toString('base64');
  expect(headers).toEqual({ authorization: `Basic ${given}`, 'content-type': 'application/json' });
  expect(userId).toBe(ada.anonymousId);
});

describe('a Zendesk user', () => {
  const userOf = (given: JsonObject, more: JsonObject = {}) =>
    send({ type: 'identify', ...given }, more).body.JSON['user'] as JsonObject;

  it('is created or updated, with other traits as fields', () => {
    expect(send({ type: 'identify', traits })).toMatchObject({
      ...{ method: 'POST', endpoint: `${BASE}/users/create_or_update.json`, params: {} },
    });
    expect(userOf({ traits })).toEqual({
      ...{ name: 'Ada King', email: 'a@b.c', external_id: 'ada', user_fields: { id: 'ada', plan: 'pro' } },
    });
  });

  it.each([
    ['email', 'email', 'x@y.z'],
    ['phone', 'phone', '+12025550123'],
    ['organization_id', 'organizationId', 5],
    ['time_zone', 'timezone', 'Berlin'],
  ])('has %s from %s, in the event or in its context', (key, trait, value) => {
    const own = { name: 'Ada', [trait]: value };
    for (const event of [{ traits: own }, { context: { traits: own } }]) {
      expect(userOf(event)).toEqual({
        ...{ name: 'Ada', external_id: 'ada', user_fields: { id: 'ada' }, [key]: value },
      });
    }
  });

  it.each<[JsonObject, string]>([
    [{ userId: 'x', id: 'y' }, 'x'],
    [{ id: 7 }, '7'],
    [{ userId: '' }, 'ada'],
  ])('of %j is known by %s', (ids, external_id) => {
    expect(userOf({ traits: { name: 'Ada', ...ids } })).toEqual({
      ...{ name: 'Ada', external_id, user_fields: { id: external_id } },
    });
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['texts, numbers and flags', { plan: 'pro', age: 36, paid: false }, { plan: 'pro', age: 36, paid: false }],
    [
      'names and notes',
      { firstName: 'A', alias: 'a', notes: 'n', anonymousId: 'x' },
      { firstName: 'A', alias: 'a', notes: 'n', anonymousId: 'x' },
    ],
    ['no objects, lists and nothing', { address: { city: 'Turin' }, tags: ['a'], gone: null }, {}],
  ])('has as fields: %s', (_, own, fields) => {
    expect(userOf({ traits: { name: 'Ada', ...own } })['user_fields']).toEqual({ id: 'ada', ...fields });
  });

  it('has a name of two parts where there is no whole one', () => {
    expect(userOf({ traits: { firstName: 'Ada', lastName: 'King' } })).toMatchObject({ name: 'Ada King' });
  });

  it.each([true, false])('is verified, if configured: %s', (createUsersAsVerified) => {
    expect('verified' in userOf({ traits }, { createUsersAsVerified })).toBe(createUsersAsVerified);
  });

  it.each<[JsonObject, boolean, JsonObject]>([
    [{ id: 7, remove: true }, true, { left_organization_id: 7 }],
    [{ id: 7, remove: 'yes' }, true, { left_organization_id: 7 }],
    [{ id: 7, remove: true }, false, {}],
    [{ id: 7 }, true, {}],
    [{ remove: true }, true, {}],
  ])('with the company %j leaves it, if configured (%s): %j', (company, removeUsersFromOrganization, params) => {
    const event = { type: 'identify', traits: { ...traits, company } };
    expect(send(event, { removeUsersFromOrganization }).params).toEqual(params);
  });
});

describe('a Zendesk event', () => {
  const event = { type: 'track', event: 'Paid', properties: { total: 1 }, context: { traits } };

  it('names the user by the address, and delivery finds or makes that user', () => {
    const payload = send(event, { createUsersAsVerified: true });
    expect(payload.endpoint).toBe(`${BASE}/user_profiles/events`);
    expect(payload.params).toEqual({ name: 'Ada King', email: 'a@b.c', external_id: 'ada', verified: true });
    expect(payload.body.JSON).toEqual({
      event: { description: 'Paid', type: 'Paid', source: 'Rudder', properties: { total: 1 } },
      profile: { type: 'Paid', source: 'Rudder', identifiers: [{ type: 'email', value: 'a@b.c' }] },
    });
  });

  it('has the configured source, and properties even if there are none', () => {
    const { JSON: body } = send({ ...event, properties: 'none' }, { sourceName: ' Shop ' }).body;
    expect(body).toMatchObject({ event: { source: 'Shop', properties: {} }, profile: { source: 'Shop' } });
  });
});

describe('a Zendesk organization', () => {
  const group = { type: 'group', groupId: 'g', traits: { name: 'Weir' } };
  const organizationOf = (own: JsonObject) => send({ ...group, traits: own }).body.JSON['organization'];

  it('is created or updated, with other traits as fields', () => {
    expect(send(group).endpoint).toBe(`${BASE}/organizations/create_or_update.json`);
    const own = { name: 'Weir', size: 5, details: 'd', userId: 'u', list: [1], gone: null, groupId: 'other' };
    expect(organizationOf(own)).toEqual({
      ...{ name: 'Weir', external_id: 'g', organization_fields: { id: 'g', size: 5, details: 'd', userId: 'u' } },
    });
  });

  it.each<[string, string, unknown]>([
    ['domain_names', 'domainNames', ['weir.example']],
    ['tags', 'tags', ['a']],
    ['url', 'url', 'https://weir.example'],
    ['deleted', 'deleted', false],
  ])('has %s from %s', (key, trait, value) => {
    expect(organizationOf({ [trait]: value })).toEqual({
      ...{ external_id: 'g', organization_fields: { id: 'g' }, [key]: value },
    });
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['its address', { email: 'a@b.c', primaryEmail: 'p@b.c', name: 'Ada' }, { email: 'a@b.c', name: 'Ada' }],
    ['its primary address', { primaryEmail: 'p@b.c' }, { email: 'p@b.c' }],
    ['its id', {}, {}],
  ])('has the user of the event by %s', (_, own, expected) => {
    expect(send({ ...group, context: { traits: own } }).params).toEqual({ external_id: 'ada', ...expected });
  });

  it('has no user where the event has none, if configured', () => {
    expect(send({ ...group, userId: '' }, { sendGroupCallsWithoutUserId: true }).params).toEqual({});
    expect(send(group, { sendGroupCallsWithoutUserId: true }).params).toEqual({ external_id: 'ada' });
  });

  it('has a name or an id', () => {
    const { groupId: _, ...named } = group;
    expect(send(named).body.JSON).toEqual({ organization: { name: 'Weir', organization_fields: {} } });
  });
});

it.each<[JsonObject, JsonObject, string]>([
  [{ type: 'identify' }, {}, 'traits.name is required'],
  [{ type: 'identify', userId: '', traits }, {}, 'userId is required'],
  [{ type: 'track', event: 'e', userId: '', traits }, {}, 'userId is required'],
  [{ type: 'track', event: 'e', traits }, { sourceName: ' Zendesk ' }, 'belongs to Zendesk itself'],
  [{ type: 'track', event: 'e', properties: { email: 'a@b.c' } }, {}, 'traits.email is required'],
  [{ type: 'track', context: { traits } }, {}, 'Event name is required'],
  [{ type: 'group', traits: {} }, {}, 'groupId or traits.name is required'],
  [{ type: 'group', groupId: 'g' }, {}, 'traits of the organization are required'],
  [{ type: 'group', groupId: 'g', userId: '', traits: { name: 'Weir' } }, {}, 'userId is required'],
  [{ type: 'identify', traits }, { domain: 'evil.example.com/' }, 'domain must be the subdomain'],
  [{ type: 'page' }, {}, 'Event type page is not supported'],
])('Zendesk gets no %j with %j', (event, more, message) => {
  expect(() => send(event, more)).toThrow(message);
});
