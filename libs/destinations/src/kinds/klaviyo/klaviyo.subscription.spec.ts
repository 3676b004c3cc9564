import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { valueAt } from '../../toolkit/index.js';
import klaviyo from './klaviyo.js';
import { klaviyoBatch } from './klaviyo.subscription.js';

const payloads = (event: JsonObject, config: JsonObject = {}) =>
  klaviyo.transform({ ...ada, ...event }, { privateApiKey: 'k', apiVersion: 'v3', ...config });
const jobs = (event: JsonObject, config: JsonObject = {}) =>
  payloads(event, config)
    .filter(({ endpoint }) => endpoint.includes('subscription'))
    .map(({ endpoint, body }) => [endpoint.replace(/.*bulk-|-jobs$/g, ''), body.JSON['data'] as JsonObject] as const);

const address = { email: 'a@b.c', phone: '+39011555' };
const person = { email: 'a@b.c', phone_number: '+39011555' };
const state = (consent: string) => ({ marketing: { consent } });
const group = (traits: JsonObject, more: JsonObject = {}) => ({
  ...{ type: 'group', groupId: 'L', traits, context: { traits: address } },
  ...more,
});
const identify = (properties: JsonObject, traits: JsonObject = address) => ({
  type: 'identify',
  traits: { ...traits, properties },
});

describe('a job of a Klaviyo list', () => {
  it.each([
    [true, 'create', 'SUBSCRIBED'],
    [false, 'delete', 'UNSUBSCRIBED'],
    ['false', 'create', 'SUBSCRIBED'],
    [0, 'delete', 'UNSUBSCRIBED'],
  ])('for subscribe %s is to %s', (subscribe, verb, consent) => {
    const type = `profile-subscription-bulk-${verb}-job`;
    const subscriptions = { email: state(consent), sms: state(consent) };
    const job = {
      type,
      attributes: { profiles: { data: [{ type: 'profile', attributes: { ...person, subscriptions } }] } },
      relationships: { list: { data: { type: 'list', id: 'L' } } },
    };
    const consents = ['email', 'sms', 'fax'];
    expect(jobs(identify({ subscribe, listId: 'L', consent: consents }))).toEqual([[verb, job]]);
    expect(jobs(group({ subscribe, consent: consents }))).toEqual([[verb, job]]);
  });

  const attributes = (event: JsonObject, config: JsonObject = {}) =>
    valueAt(jobs(event, config), '0.1.attributes.profiles.data.0');

  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['v3', { consent: 'email' }, {}, { ...person, subscriptions: { email: state('SUBSCRIBED') } }],
    ['v3', {}, { consent: ['sms'] }, { ...person, subscriptions: { sms: state('SUBSCRIBED') } }],
    [
      'v3',
      {},
      { consent: 'email, sms' },
      { ...person, subscriptions: { email: state('SUBSCRIBED'), sms: state('SUBSCRIBED') } },
    ],
    [
      'v3',
      { properties: { consent: 'sms' } },
      { consent: 'email' },
      { ...person, subscriptions: { sms: state('SUBSCRIBED') } },
    ],
    ['v2', {}, {}, person],
    ['v2', { consent: 'fax' }, {}, person],
    ['v2', { consent: 'email' }, {}, { ...person, subscriptions: { email: state('SUBSCRIBED') } }],
    ['v2', { subscribe: false, consent: 'email' }, {}, person],
  ])('of %s with %j and %j names its channels', (apiVersion, traits, config, expected) => {
    expect(attributes(group({ subscribe: true, ...traits }), { apiVersion, ...config })).toEqual({
      type: 'profile',
      attributes: expected,
    });
  });

  it('names only channels that have an address', () => {
    const context = { externalId: [{ type: 'klaviyo-profileId', id: 'mapped@b.c' }] };
    expect(attributes(group({ subscribe: true, consent: ['email', 'sms'] }, { context }))).toEqual({
      type: 'profile',
      id: 'mapped@b.c',
      attributes: { email: 'mapped@b.c', subscriptions: { email: state('SUBSCRIBED') } },
    });
    const unsubscribed = group({ subscribe: false, ...address, consent: 'email' }, { context });
    expect(attributes(unsubscribed)).not.toHaveProperty('id');
  });

  it('is made by an identify with a list', () => {
    const config = { consent: 'email', listId: 'C' };
    expect(jobs(identify({ subscribe: true }), config)).toMatchObject([
      ['create', { relationships: { list: { data: { id: 'C' } } } }],
    ]);
    expect(jobs(identify({ subscribe: true }), { consent: 'email' })).toEqual([]);
    expect(jobs(identify({ subscribe: null }), config)).toEqual([]);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['v1', { subscribe: true }, {}],
    ['v2', { subscribe: true }, {}],
    ['v2', { subscribe: false }, {}],
    ['v2', {}, { mappedToDestination: true, externalId: [{ identifierType: 'crmId', id: 'c-1' }] }],
  ])('of %s with %j is not made for somebody without an address, who has a profile', (apiVersion, wanted, context) => {
    const event = { ...identify(wanted, { plan: 'pro' }), context };
    const config = { apiVersion, listId: 'L', consent: 'email' };
    expect(payloads(event, config).map(({ endpoint }) => endpoint)).toEqual([
      'https://a.klaviyo.com/api/profile-import',
    ]);
  });

  it('is made for a person whom a reverse ETL source maps', () => {
    const context = { mappedToDestination: true, externalId: [{ identifierType: 'email', id: 'm@b.c' }] };
    const config = { consent: 'email', listId: 'C' };
    const mapped = (event: JsonObject) => payloads({ type: 'identify', ...event }, config);
    const profile = { external_id: 'm@b.c', email: 'm@b.c', properties: { plan: 'pro' } };
    for (const event of [{ traits: { plan: 'pro' }, context }, { context: { ...context, traits: { plan: 'pro' } } }]) {
      const [first, ...more] = mapped(event);
      expect([first?.body.JSON, more.length]).toMatchObject([{ data: { attributes: profile } }, 1]);
    }
    expect(mapped({ context })).toHaveLength(2);
    expect(mapped({ traits: { properties: { subscribe: false } }, context })[1]?.endpoint).toContain('delete');
    const unnamed = { mappedToDestination: true, externalId: [] };
    expect(mapped({ traits: address, context: unnamed })[0]?.body.JSON).toMatchObject({
      data: { attributes: { external_id: 'ada' } },
    });
  });

  it('takes several people', () => {
    const subscribed = group({ subscribe: true, consent: 'email' });
    const other = { ...subscribed, context: { traits: { email: 'd@e.f' } } };
    const both = [...payloads(subscribed), ...payloads(other)];
    const combined = klaviyoBatch.combine(both);
    expect(both.map(klaviyoBatch.keyOf)).toEqual([klaviyoBatch.keyOf(combined), klaviyoBatch.keyOf(combined)]);
    expect(JSON.stringify(combined.body.JSON)).toMatch(/a@b\.c.*d@e\.f/);
    expect(JSON.stringify(both[0]?.body.JSON)).not.toContain('d@e.f');
    expect(klaviyoBatch.keyOf(payloads({ type: 'track', event: 'e' })[0] as never)).toBeUndefined();
    expect(() => klaviyoBatch.combine([])).toThrow(TypeError);
  });

  it.each<[JsonObject, JsonObject, string]>([
    [group({ subscribe: true }, { groupId: '' }), {}, 'groupId'],
    [group({}), {}, 'traits.subscribe'],
    [{ type: 'group', groupId: 'L' }, {}, 'traits.subscribe'],
    [group({ subscribe: true }, { context: {} }), {}, 'an email or a phone'],
    [group({ subscribe: true, consent: 'fax' }), {}, 'needs consent to a channel'],
    [identify({ subscribe: true }, {}), { listId: 'L', consent: 'email' }, 'needs consent to a channel'],
    [group({ subscribe: false }), { apiVersion: 'v1' }, 'cannot unsubscribe'],
    [group({ subscribe: true }), { apiVersion: 'v9' }, 'apiVersion must be'],
    [group({ subscribe: true, consent: 'email' }), { privateApiKey: '' }, 'privateApiKey'],
    [{ type: 'page' }, {}, 'Event type page is not supported'],
  ])('is refused for %j with %j', (event, config, message) => {
    expect(() => payloads(event, config)).toThrow(message);
  });
});
