import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { asItIs, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import { EMAIL, FULL_NAME, KNOWN_USER_ID, md5, PHONE, setAt, trait } from '../../toolkit/index.js';
import intercom from './intercom.js';

const at = Math.floor(Date.parse(ada.timestamp) / 1_000);
const calls = (event: JsonObject, more: JsonObject = {}) =>
  intercom
    .transform({ ...ada, ...event }, { apiKey: 'k', ...more })
    .map(
      ({ method, endpoint, params, body }) =>
        [`${method} ${endpoint.replace('https://api.intercom.io/', '')}`, params, body.JSON] as const,
    );
const bodyOf = (event: JsonObject, more: JsonObject = {}, place = 0) => calls(event, more)[place]?.[2];
const paramsOf = (event: JsonObject) => calls(event)[0]?.[1];
/** An event with one value at a path. */
const withValue = (event: JsonObject, path: string, value: unknown): JsonObject => {
  const copy = structuredClone(event);
  setAt(copy, path, value);
  return copy;
};
const v1 = { apiVersion: 'v1' };
const identify = { type: 'identify' };
const track = { type: 'track', event: 'Paid' };
const group = { type: 'group', groupId: 'g' };
const traits = {
  firstName: 'Ada',
  lastName: 'King',
  email: 'A@b.c',
  plan: 'pro',
  address: { city: 'Turin', list: [1] },
};
const mapped = (type: string) => ({ mappedToDestination: true, externalId: [{ identifierType: type, id: 'u' }] });
const at2026 = 1_767_225_600;

describe('a field of Intercom', () => {
  it.each<[event: JsonObject, ...SourcesRow]>([
    [identify, 'external_id', KNOWN_USER_ID, asItIs],
    [identify, 'email', EMAIL, asItIs],
    [identify, 'phone', PHONE, asItIs],
    [identify, 'avatar', ['avatar', 'avatarURL', 'avatar_URL'].flatMap((name) => trait(name)), asItIs],
    [identify, 'role', trait('role'), asItIs],
    [identify, 'name', FULL_NAME, asItIs],
    [track, 'user_id', KNOWN_USER_ID, asItIs],
    [track, 'email', EMAIL, asItIs],
    [track, 'id', ['properties.id', 'traits.id'], asItIs],
    [group, 'name', FULL_NAME, asItIs],
    [group, 'website', [...trait('website'), 'properties.website'], asItIs],
    [group, 'plan', trait('plan'), asItIs],
    [group, 'industry', trait('industry'), asItIs],
  ])('of %j, %s, is read from %j', (event, ...row) => {
    const known = { ...event, userId: '', context: { externalId: [{ id: 'known@b.c' }] } };
    expectSources((values) => intercom.transform(withValues(known, values), { apiKey: 'k' })[0]?.body.JSON ?? {}, row);
  });

  it.each<[event: JsonObject, ...SourcesRow]>([
    [identify, 'user_id', KNOWN_USER_ID, asItIs],
    [identify, 'email', EMAIL, asItIs],
    [identify, 'phone', PHONE, asItIs],
    [identify, 'name', FULL_NAME, asItIs],
    [identify, 'last_seen_user_agent', ['context.userAgent'], asItIs],
    [track, 'user_id', KNOWN_USER_ID, asItIs],
    [track, 'email', EMAIL, asItIs],
    [group, 'name', FULL_NAME, asItIs],
  ])('of %j in the oldest version, %s, is read from %j', (event, ...row) => {
    const known = { ...event, userId: '', context: { externalId: [{ id: 'known@b.c' }] } };
    const sent = (values: JsonObject) =>
      intercom.transform(withValues(known, values), { apiKey: 'k', ...v1 })[0]?.body.JSON ?? {};
    expectSources(sent, row);
  });
});

describe('a contact of Intercom', () => {
  it('has the attributes of its context', () => {
    expect(calls({ ...identify, context: { traits } })).toEqual([
      [
        'POST contacts',
        { email: 'a@b.c', external_id: 'ada' },
        {
          ...{ external_id: 'ada', name: 'Ada King', email: 'A@b.c' },
          custom_attributes: { plan: 'pro', address_city: 'Turin', 'address_list[0]': 1 },
        },
      ],
    ]);
    expect(bodyOf({ ...identify, traits })).toEqual({ external_id: 'ada', name: 'Ada King', email: 'A@b.c' });
  });

  it.each<[string, string, unknown, unknown]>([
    ['external_id', 'traits.userId', 'u', 'u'],
    ['external_id', 'traits.id', 7, '7'],
    ['external_id', 'context.traits.userId', 'u', 'u'],
    ['external_id', 'context.traits.id', 'u', 'u'],
    ['email', 'properties.email', 'a@b.c', 'a@b.c'],
    ['email', 'context.externalId', [{ id: 'a@b.c' }], 'a@b.c'],
    ['phone', 'traits.phone', '+1', '+1'],
    ['phone', 'context.traits.phone', '+1', '+1'],
    ['phone', 'properties.phone', '+1', '+1'],
    ['avatar', 'traits.avatarURL', 'x', 'x'],
    ['avatar', 'context.traits.avatar_URL', 'x', 'x'],
    ['role', 'traits.role', 'lead', 'lead'],
    ['last_seen_at', 'context.traits.lastSeenAt', '2026-01-01', at2026],
    ['last_seen_at', 'traits.lastSeenAt', '2026-01-01', undefined],
    ['signed_up_at', 'traits.createdAt', '2026-01-01T00:00:00Z', at2026],
    ['signed_up_at', 'context.traits.createdAt', 'no time', undefined],
    ['owner_id', 'traits.ownerId', '7', 7],
    ['owner_id', 'context.traits.ownerId', 0, undefined],
    ['owner_id', 'context.traits.ownerId', 'me', undefined],
    ['unsubscribed_from_emails', 'traits.unsubscribedFromEmails', true, true],
    ['unsubscribed_from_emails', 'traits.unsubscribedFromEmails', false, undefined],
    ['unsubscribed_from_emails', 'context.traits.unsubscribedFromEmails', false, false],
    ['name', 'context.traits.name', 'Ada', 'Ada'],
    ['name', 'traits.lastname', 'King', 'King'],
    ['custom_attributes', 'context.traits.first_name', 'Ada', { first_name: 'Ada' }],
    ['custom_attributes', 'context.traits.timestamp', 1, undefined],
  ])('has %s from %s', (key, path, value, expected) => {
    const known = key === 'external_id' ? { userId: '' } : {};
    expect(bodyOf(withValue({ ...identify, ...known }, path, value))?.[key]).toEqual(expected);
  });

  it.each<[string, string, unknown, JsonObject]>([
    ['phone', 'properties.phone', '+1', { phone: '+1', external_id: 'ada' }],
    ['plan', 'context.traits.plan', 'pro', { plan: 'pro', external_id: 'ada' }],
    ['plan', 'traits.plan', 'pro', { external_id: 'ada' }],
    ['userId', 'traits.email', 'a@b.c', { external_id: 'ada' }],
    ['user_id', 'traits.email', 'a@b.c', { external_id: 'ada' }],
    ['external_id', 'context.traits.external_id', 'x', { external_id: 'x' }],
    ['external_id', 'traits.external_id', 'x', { external_id: 'ada' }],
    ['email', 'traits.email', { of: 'nobody' }, { external_id: 'ada' }],
  ])('is searched by %s of %s', (lookup, path, value, params) => {
    expect(paramsOf(withValue({ ...identify, integrations: { intercom: { lookup } } }, path, value))).toEqual(params);
  });

  it.each<[JsonObject]>([
    [{ externalId: [{ type: 'INTERCOM-customer', id: 'A@b.c' }] }],
    [{ externalId: [{ type: 'INTERCOM-customer', identifierType: 'email', id: 'A@b.c' }], mappedToDestination: true }],
  ])('is searched by an external id that is an e-mail: %j', (context) => {
    expect(paramsOf({ ...identify, userId: '', traits: { plan: 'pro' }, context })).toEqual({ email: 'a@b.c' });
  });

  it('does not repeat the attribute by which it is searched', () => {
    const event = { ...identify, context: { traits: { plan: 'pro', own: 1 } } };
    expect(bodyOf({ ...event, integrations: { Intercom: { lookup: 'plan' } } })?.['custom_attributes']).toEqual({
      own: 1,
    });
  });

  it.each<[JsonObject, JsonObject]>([
    [{ id: 'c', name: 'Weir', remove: true }, { left_company_id: 'c' }],
    [{ name: 'Weir', remove: 'yes' }, { left_company_name: 'Weir' }],
    [{ remove: true }, {}],
    [{ id: 'c', remove: false }, {}],
  ])('leaves the company %j', (company, params) => {
    expect(paramsOf({ ...identify, traits: { company } })).toEqual({ external_id: 'ada', ...params });
  });

  it.each<[JsonObject, string, JsonObject]>([
    [{ name: 'Ada', own: 1 }, 'user_id', { name: 'Ada', own: 1, user_id: 'u', external_id: 'u' }],
    [{ email: 'a@b.c' }, 'user_id', { email: 'a@b.c', user_id: 'u' }],
    [{ firstName: 'Ada' }, 'email', { firstName: 'Ada', name: 'Ada', email: 'u' }],
    [
      { custom_attributes: { plan: 'pro', email: 'x', role: 'x', car: { age: 2 } } },
      'email',
      { email: 'u', custom_attributes: { plan: 'pro', car_age: 2 } },
    ],
    [{ custom_attributes: { email: 'x' } }, 'email', { email: 'u' }],
    [{ custom_attributes: 'x' }, 'email', { email: 'u' }],
  ])('of a reverse sync is %j with %s', (given, type, contact) => {
    expect(bodyOf({ ...identify, traits: given, context: mapped(type) })).toEqual(contact);
  });

  it('lives in the region of the workspace, and may be anonymous', () => {
    const config = { apiKey: 'k', apiServer: 'eu', sendAnonymousId: true };
    const [payload] = intercom.transform({ ...ada, userId: '', type: 'identify' }, config);
    expect(payload).toMatchObject({
      endpoint: 'https://api.eu.intercom.io/contacts',
      headers: { authorization: 'Bearer k', 'intercom-version': '2.10', 'user-agent': 'RudderStack' },
      body: { JSON: { external_id: 'anon-1' } },
    });
  });
});

describe('a user of Intercom', () => {
  const user = (event: JsonObject, more: JsonObject = {}) => bodyOf({ ...identify, ...event }, { ...v1, ...more });

  it('has the attributes of the event, or of its context', () => {
    const expected = {
      ...{ user_id: 'ada', name: 'Ada King', email: 'A@b.c', update_last_request_at: true },
      custom_attributes: { plan: 'pro', 'address.city': 'Turin', 'address.list[0]': 1 },
    };
    expect(user({ traits })).toEqual(expected);
    expect(user({ context: { traits } })).toEqual(expected);
    expect(user({ traits: {}, context: { traits } })?.['custom_attributes']).toEqual({});
  });

  it.each<[string, string, unknown, unknown]>([
    ['phone', 'properties.phone', '+1', '+1'],
    ['signed_up_at', 'traits.createdAt', 1_767_225_600, at2026],
    ['last_seen_user_agent', 'context.userAgent', 'Browser', 'Browser'],
    ['companies', 'traits.company', 'Weir', undefined],
    ['companies', 'traits.company', { own: 1 }, []],
    [
      'companies',
      'traits.company',
      { id: 'c', name: 'Weir', industry: 'water', remove: true, plan: 'pro', own: [1], none: null },
      [
        {
          ...{ company_id: 'c', name: 'Weir', industry: 'water', remove: true },
          custom_attributes: { plan: 'pro', own: '[1]' },
        },
      ],
    ],
    [
      'companies',
      'context.traits.company',
      { name: 'Weir' },
      [{ company_id: md5('Weir'), name: 'Weir', custom_attributes: {} }],
    ],
  ])('has %s from %s', (key, path, value, expected) => {
    expect(user(withValue({}, path, value))?.[key]).toEqual(expected);
  });

  it.each([
    [false, false],
    [true, true],
    ['no', true],
  ])('is seen now with updateLastRequestAt %j: %j', (updateLastRequestAt, expected) => {
    expect(user({}, { updateLastRequestAt })).toMatchObject({ update_last_request_at: expected });
  });

  it('of a reverse sync is its traits', () => {
    const given = { firstName: 'Ada', custom_attributes: { a: 1 }, company: { id: 'c' } };
    expect(user({ traits: given, context: mapped('user_id') })).toEqual({
      ...{ firstName: 'Ada', name: 'Ada', user_id: 'u', update_last_request_at: true },
      companies: [{ company_id: 'c', custom_attributes: {} }],
    });
  });

  it('has one address for every region', () => {
    const [payload] = intercom.transform({ ...ada, ...identify }, { apiKey: 'k', apiServer: 'eu', ...v1 });
    expect(payload).toMatchObject({
      ...{ endpoint: 'https://api.intercom.io/users', userId: 'anon-1', headers: { 'intercom-version': '1.4' } },
    });
  });
});

describe('a company of Intercom', () => {
  it.each<[string, string, unknown, unknown]>([
    ['name', 'traits.name', 'Weir', 'Weir'],
    ['name', 'context.traits.name', 'Weir', 'Weir'],
    ['website', 'properties.website', 'w', 'w'],
    ['plan', 'context.traits.plan', 'pro', 'pro'],
    ['industry', 'traits.industry', 'water', 'water'],
    ['size', 'traits.size', '50', 50],
    ['size', 'traits.size', 'many', undefined],
    ['monthly_spend', 'context.traits.monthlySpend', '1.5', 1.5],
    ['remote_created_at', 'traits.remoteCreatedAt', '1683017572', 1_683_017_572],
    ['remote_created_at', 'traits.remoteCreatedAt', '2026-01-01', at2026],
    ['custom_attributes', 'traits.own', { a: 1 }, { own_a: 1 }],
    ['custom_attributes', 'traits.email', 'x@y.z', undefined],
    ['custom_attributes', 'context.traits.own', 1, undefined],
  ])('has %s from %s', (key, path, value, expected) => {
    expect(bodyOf(withValue(group, path, value))?.[key]).toEqual(expected);
  });

  it('is the groupId of a group with its member and tags', () => {
    const event = { ...group, context: { traits: { email: 'A@b.c', tags: ['a', 7, ''] } } };
    expect(calls(event)).toEqual([
      ['POST companies', { email: 'a@b.c', external_id: 'ada', tags: ['a'] }, { company_id: 'g' }],
    ]);
    expect(paramsOf({ ...group, userId: '', traits: { userId: 'of-the-company' } })).toEqual({});
    expect(paramsOf({ ...group, context: { traits: { tags: 'a' } } })).toEqual({ external_id: 'ada' });
  });

  it('of API 1 comes with a call for its member', () => {
    const event = { ...group, traits: { name: 'Weir', own: { a: 1 }, email: 'x@y.z' }, context: { traits } };
    expect(calls(event, v1)).toEqual([
      [
        'POST companies',
        {},
        { company_id: 'g', name: 'Weir', plan: 'pro', custom_attributes: { 'own.a': 1, email: 'x@y.z' } },
      ],
      ['POST users', {}, { user_id: 'ada', email: 'A@b.c', companies: [{ company_id: 'g', name: 'Weir' }] }],
    ]);
    const alone = { type: 'group', userId: '', traits: { groupId: 'g2', plan: 'pro' } };
    expect(calls({ ...alone, integrations: { Intercom: { lookup: 'own' } } }, v1)).toHaveLength(1);
    expect(calls(alone, { ...v1, sendAnonymousId: true })[1]?.[2]).toEqual({
      ...{ user_id: 'anon-1', companies: [{ company_id: 'g2' }] },
    });
  });
});

describe('an event of Intercom', () => {
  it('has flat metadata, but for amounts and links', () => {
    const price = { amount: 2, currency: 'eur' };
    const link = { url: 'u', value: 'v' };
    const properties = { deep: { a: [1] }, price, link, part: { amount: 1 }, id: 7 };
    expect(calls({ ...track, properties, traits: { email: 'a@b.c' } })).toEqual([
      [
        'POST events',
        {},
        {
          ...{ user_id: 'ada', email: 'a@b.c', event_name: 'Paid', created_at: at, id: 7 },
          metadata: { price, link, 'deep.a[0]': 1, 'part.amount': 1, id: 7 },
        },
      ],
    ]);
    expect(bodyOf({ ...track, traits: { id: 't' }, userId: '' })).toMatchObject({ id: 't', user_id: 't' });
    expect(bodyOf({ ...track, properties }, v1)).toMatchObject({ created: at });
    expect(bodyOf({ ...track, properties }, v1)).not.toHaveProperty('id');
    expect(bodyOf({ ...track, timestamp: null, originalTimestamp: '2026-01-01' })).toMatchObject({
      created_at: at2026,
    });
  });
});

describe.each(['v1', 'v2'])('an event for Intercom with %s', (apiVersion) => {
  it.each<[JsonObject, string]>([
    [{ ...identify, userId: '' }, 'userId or traits.email is required'],
    [
      { ...identify, userId: '', context: { externalId: [{ id: 'no address' }] } },
      'userId or traits.email is required',
    ],
    [{ ...track, userId: '' }, 'userId or traits.email is required'],
    [{ type: 'track' }, 'Event name is required'],
    [{ type: 'group', traits: { name: 'Weir' } }, 'groupId is required'],
    [{ type: 'page' }, 'Event type page is not supported'],
    [{}, 'Event type is required'],
  ])('is refused: %j', (event, message) => {
    expect(() => calls(event, { apiVersion })).toThrow(message);
  });

  it('is refused without a token', () => {
    expect(() => intercom.transform({ ...ada, ...identify }, { apiVersion })).toThrow('apiKey is required');
  });
});
