import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { asItIs, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import { EMAIL, KNOWN_USER_ID, property, trait } from '../../toolkit/index.js';
import custify from './custify.js';

const config = { apiKey: 'k' };
const JOINED = '2025-11-05T10:00:00.000Z';
const traits = {
  ...{ email: 'ada@example.com', phone: 12_025_550_123, firstName: 'Ada', lastName: 'Lovelace', createdAt: JOINED },
  ...{ sessionCount: 23, unsubscribedFromEmails: false, unsubscribedFromCalls: 'true' },
  ...{ title: 'Countess', score: 7, isVip: true, tags: ['a'], address: { city: 'London' }, none: null },
};
const identify = { ...ada, type: 'identify', traits };
const track = { ...ada, type: 'track', event: 'Report Opened' };
const group = { ...ada, type: 'group', groupId: 'acme', traits: { name: 'Acme' } };
const send = (event: JsonObject, values: JsonObject = {}, more: JsonObject = {}) =>
  custify.transform(withValues(event, values), { ...config, ...more });
const bodyOf = (event: JsonObject, values: JsonObject = {}, more: JsonObject = {}) =>
  send(event, values, more)[0]?.body.JSON ?? {};

describe('a person at Custify', () => {
  it('has fields, and flat traits as custom attributes', () => {
    expect(send(identify)).toMatchObject([
      {
        ...{ method: 'POST', endpoint: 'https://api.custify.com/people', userId: 'ada' },
        headers: { 'content-type': 'application/json', authorization: 'Bearer k', accept: 'application/json' },
      },
    ]);
    expect(bodyOf(identify)).toEqual({
      ...{ user_id: 'ada', email: 'ada@example.com', phone: 12_025_550_123, name: 'Ada Lovelace' },
      ...{ session_count: 23, signed_up_at: JOINED },
      ...{ unsubscribed_from_emails: false, unsubscribed_from_calls: true },
      custom_attributes: {
        ...{ firstName: 'Ada', lastName: 'Lovelace', createdAt: JOINED, sessionCount: 23 },
        ...{ unsubscribedFromEmails: false, unsubscribedFromCalls: 'true' },
        ...{ title: 'Countess', score: 7, isVip: true },
      },
    });
  });

  it('has no custom attribute under the name of a field', () => {
    const own = {
      name: 'Ada',
      session_count: 2,
      signed_up_at: JOINED,
      user_id: 'u',
      company: { id: 'c' },
      plan: 'pro',
    };
    expect(bodyOf({ ...identify, traits: own })).toEqual({
      ...{ user_id: 'ada', name: 'Ada', session_count: 2, signed_up_at: JOINED, custom_attributes: { plan: 'pro' } },
      companies: [{ company_id: 'c', remove: false }],
    });
    expect(bodyOf({ type: 'identify', userId: 'ada' })).toEqual({ user_id: 'ada' });
  });

  it('signed up at the time of the event unless the traits tell when', () => {
    expect(bodyOf({ ...ada, type: 'identify' })).toMatchObject({ signed_up_at: ada.timestamp });
    expect(bodyOf(identify, { 'traits.createdAt': 1_762_336_800 })).toMatchObject({ signed_up_at: JOINED });
  });

  it.each<[JsonObject, unknown]>([
    [{ 'traits.company.id': 'c' }, [{ company_id: 'c', remove: false }]],
    [{ 'context.traits.company.id': 7 }, [{ company_id: '7', remove: false }]],
    [{ 'traits.company': { id: 'c', remove: true } }, [{ company_id: 'c', remove: true }]],
    [{ 'traits.company': { name: 'Acme', remove: true } }, undefined],
  ])('with %j has the companies %j', (values, companies) => {
    expect(bodyOf(identify, values)['companies']).toEqual(companies);
  });

  it.each<SourcesRow>([
    ['user_id', KNOWN_USER_ID, asItIs],
    ['email', EMAIL, asItIs],
    ['name', trait('name'), asItIs],
  ])('has %s from %j', (...row) => {
    const of = row[0] === 'user_id' ? { traits: { email: 'a@b.cd' } } : { userId: 'ada' };
    expectSources((values) => bodyOf({ type: 'identify', ...of }, values), row);
  });

  it('is known by the anonymous id if so configured', () => {
    const anonymous = { userId: null, traits: { plan: 'pro' } };
    expect(send(identify, anonymous, { sendAnonymousId: true })).toMatchObject([
      { userId: 'anon-1', body: { JSON: { user_id: 'anon-1' } } },
    ]);
    expect(bodyOf(identify, {}, { sendAnonymousId: true })).toMatchObject({ user_id: 'ada' });
    expect(() => send(identify, anonymous)).toThrow('userId or traits.email is required');
    expect(bodyOf(identify, { userId: null })).toMatchObject({ email: 'ada@example.com' });
  });
});

describe('an event at Custify', () => {
  it('has its flat properties as metadata', () => {
    const properties = { report: 7, isNew: true, name: 'Sales', filters: ['a'], by: { a: 1 }, none: null };
    expect(send(track)[0]).toMatchObject({ method: 'POST', endpoint: 'https://api.custify.com/event' });
    expect(bodyOf(track, { properties, 'context.traits.email': 'ada@example.com' })).toEqual({
      ...{ name: 'Report Opened', user_id: 'ada', email: 'ada@example.com', created_at: ada.timestamp },
      metadata: { report: 7, isNew: true, name: 'Sales' },
    });
    expect(bodyOf({ type: 'track', event: 'Paid', userId: 7 })).toEqual({ name: 'Paid', user_id: '7' });
  });

  it('may be of a company', () => {
    expectSources((values) => bodyOf(track, values), ['company_id', property('company_id', 'companyId'), asItIs]);
  });
});

describe('a group at Custify', () => {
  const company = {
    ...{ name: 'Acme', industry: 'Ships', size: 100, website: 'acme.example.com', plan: 'gold', churned: false },
    ...{ monthlyRevenue: '8000', createdAt: JOINED, employees: 121, offices: ['a'] },
  };

  it('updates the company before its member', () => {
    const payloads = send(group, { traits: company, 'context.traits': { email: 'ada@example.com', role: 'cto' } });
    expect(payloads.map(({ endpoint, method, body }) => [method, endpoint, body.JSON])).toEqual([
      [
        ...['POST', 'https://api.custify.com/company'],
        {
          ...{ company_id: 'acme', name: 'Acme', industry: 'Ships', size: 100, website: 'acme.example.com' },
          ...{ plan: 'gold', churned: false, monthly_revenue: 8000, signed_up_at: JOINED },
          custom_attributes: { employees: 121 },
        },
      ],
      [
        ...['POST', 'https://api.custify.com/people'],
        {
          ...{ user_id: 'ada', email: 'ada@example.com', signed_up_at: ada.timestamp },
          custom_attributes: { role: 'cto' },
          companies: [{ company_id: 'acme', remove: false }],
        },
      ],
    ]);
  });

  it('of nobody known updates the company alone', () => {
    expect(send(group, { userId: null }).map(({ body }) => body.JSON)).toEqual([{ company_id: 'acme', name: 'Acme' }]);
  });

  it.each<SourcesRow>([
    ['company_id', ['groupId', 'traits.groupId'], asItIs],
    ['website', ['traits.website', 'traits.url'], asItIs],
  ])('has %s from %j', (...row) => {
    const groupId = row[0] === 'company_id' ? undefined : 'acme';
    expectSources((values) => bodyOf({ ...group, groupId }, values), row);
  });
});

describe('Custify', () => {
  it.each<[JsonObject, JsonObject, string]>([
    [{ ...track, userId: undefined }, {}, 'userId or traits.email is required'],
    [{ ...track, event: '' }, {}, 'Event name is required'],
    [{ ...group, groupId: {} }, {}, 'company_id is required: it is read from groupId'],
    [{ ...track, type: 'page' }, {}, 'Event type page is not supported'],
    [identify, { apiKey: null }, 'apiKey is required'],
  ])('refuses %j with %j: %s', (event, more, message) => {
    expect(() => send(event, {}, more)).toThrow(message);
  });
});
