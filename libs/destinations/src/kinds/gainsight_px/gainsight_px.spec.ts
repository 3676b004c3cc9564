import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { asItIs, bodyWith, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import { FIRST_NAME, LAST_NAME, TRAIT_EMAIL, trait, USER_ID } from '../../toolkit/index.js';
import gainsightPx from './gainsight_px.js';

const config = { apiKey: 'k', productTagKey: 'AP-1' };
const AT = 1_772_600_767_890;
const identify = { ...ada, type: 'identify', traits: { email: 'ada@example.com' } };
const track = { ...ada, type: 'track', event: 'Report Opened' };
const group = { ...ada, type: 'group', groupId: 'acme', traits: { name: 'Acme' } };
const send = (event: JsonObject, values: JsonObject = {}, more: JsonObject = {}) =>
  gainsightPx.transform(withValues(event, values), { ...config, ...more });
const bodyOf = (event: JsonObject, values: JsonObject = {}, more: JsonObject = {}) =>
  send(event, values, more)[0]?.body.JSON ?? {};

describe('a user at Gainsight PX', () => {
  it('is put under its id, with what only a new user has as parameters', () => {
    expect(send(identify)).toMatchObject([
      {
        ...{ method: 'PUT', endpoint: 'https://api.aptrinsic.com/v1/users/ada' },
        headers: { 'X-APTRINSIC-API-KEY': 'k', 'content-type': 'application/json' },
        params: { identifyId: 'ada', createDate: AT },
      },
    ]);
    expect(bodyOf(identify)).toEqual({
      ...{ type: 'USER', email: 'ada@example.com', propertyKeys: ['AP-1'], customAttributes: {} },
    });
    expect(send({ type: 'identify', userId: 'a/b' })[0]).toMatchObject({
      ...{ endpoint: 'https://api.aptrinsic.com/v1/users/a%2Fb', params: { identifyId: 'a/b' } },
    });
  });

  it('has the fields that Gainsight knows', () => {
    const traits = {
      ...{ type: 'lead', title: 'Countess', phone: 12_025_550_123, role: 'admin', subscriptionId: 's' },
      ...{ accountId: 12, sfdcContactId: 'c', score: '7', numberOfVisits: 3, globalUnsubscribe: 'true' },
      ...{ lastSeenDate: '2026-01-01T00:00:00Z', signUpDate: 1_767_225_600_000, firstVisitDate: 1_767_225_600 },
      ...{ createdAt: '2026-01-01', hobby: 'maths', city: { name: 'London' } },
    };
    const day = 1_767_225_600_000;
    expect(bodyOf({ ...ada, type: 'identify', traits })).toEqual({
      ...{ type: 'LEAD', title: 'Countess', phone: '12025550123', role: 'admin', subscriptionId: 's' },
      ...{ accountId: '12', sfdcContactId: 'c', score: 7, numberOfVisits: 3, globalUnsubscribe: true },
      ...{ lastSeenDate: day, signUpDate: day, firstVisitDate: day, createDate: day },
      ...{ propertyKeys: ['AP-1'], customAttributes: {} },
    });
  });

  it.each([
    ['m', 'MALE'],
    ['Female', 'FEMALE'],
    ['EMPTY_GENDER', 'EMPTY_GENDER'],
    ['unknown', undefined],
  ])('of gender %j is %j', (gender, sent) => {
    expect(bodyOf(identify, { 'traits.gender': gender })['gender']).toBe(sent);
  });

  it.each<[JsonObject, unknown]>([
    [{ 'traits.name': 'Ada' }, ['Ada', undefined]],
    [{ 'traits.name': 'Ada King  Lovelace' }, ['Ada', 'King Lovelace']],
    [{ 'traits.name': 'Ada Lovelace', 'traits.lastName': 'King' }, ['Ada', 'King']],
  ])('with %j is called %j', (values, names) => {
    const { firstName, lastName } = bodyOf(identify, values);
    expect([firstName, lastName]).toEqual(names);
  });

  it('has a place', () => {
    const place = { countryName: 'United Kingdom', countryCode: 'GB', city: 'London', postalCode: 12 };
    expect(bodyOf(identify, { 'context.traits': { ...place, latitude: '51.5', longitude: 0 } })['location']).toEqual({
      ...{ ...place, postalCode: '12', coordinates: { latitude: 51.5, longitude: 0 } },
    });
  });

  it('has the custom attributes that are mapped', () => {
    const userAttributeMap = [{ from: 'hobby', to: 'pastime' }, { from: 'team.name', to: 'team' }, { from: 'x' }];
    const traits = { hobby: 'maths', 'team.name': 1, team: { name: 'Engines' }, other: 1 };
    expect(bodyOf(identify, { traits }, { userAttributeMap })['customAttributes']).toEqual({
      ...{ pastime: 'maths', team: 'Engines' },
    });
  });

  it.each<SourcesRow>([
    ['email', TRAIT_EMAIL, asItIs],
    ['firstName', FIRST_NAME, asItIs],
    ['lastName', LAST_NAME, asItIs],
    ...['title', 'phone', 'role', 'subscriptionId', 'accountId', 'sfdcContactId'].map(
      (name): SourcesRow => [name, trait(name), asItIs],
    ),
    ...['countryName', 'countryCode', 'stateName', 'stateCode', 'city', 'street', 'postalCode', 'continent'].map(
      (name): SourcesRow => [`location.${name}`, trait(name), asItIs],
    ),
    ...['regionName', 'timeZone'].map((name): SourcesRow => [`location.${name}`, trait(name), asItIs]),
  ])('has %s from %j', (...row) => {
    expectSources(bodyWith(gainsightPx, config, { type: 'identify', userId: 'ada' }), row);
  });
});

describe('an account at Gainsight PX', () => {
  it('is put before its member', () => {
    const traits = {
      ...{ name: 'Acme', industry: 'Ships', numberOfEmployees: '12', numberOfUsers: 3, website: 'acme.example' },
      ...{ plan: 'gold', parentGroupId: 'p', sfdcId: 's', dunsNumber: 1, sicCode: 'c', naicsCode: 'n' },
      ...{ trackedSubscriptionId: 't', city: 'London', createdAt: '2026-01-01', culture: 'kind' },
    };
    const accountAttributeMap = [{ from: 'culture', to: 'mood' }];
    const payloads = send(group, { traits, 'context.traits.plan': 'pro' }, { accountAttributeMap });
    expect(payloads.map(({ method, endpoint, params, body }) => [method, endpoint, params, body.JSON])).toEqual([
      [
        ...['PUT', 'https://api.aptrinsic.com/v1/accounts/acme', { id: 'acme', createDate: AT, member: 'ada' }],
        {
          ...{ name: 'Acme', industry: 'Ships', numberOfEmployees: 12, numberOfUsers: 3, website: 'acme.example' },
          ...{ plan: 'gold', parentGroupId: 'p', sfdcId: 's', dunsNumber: '1', sicCode: 'c', naicsCode: 'n' },
          ...{ trackedSubscriptionId: 't', location: { city: 'London' }, createDate: 1_767_225_600_000 },
          ...{ propertyKeys: ['AP-1'], customAttributes: { mood: 'kind' } },
        },
      ],
      ['PUT', 'https://api.aptrinsic.com/v1/users/ada', {}, { accountId: 'acme' }],
    ]);
  });
});

describe('an event at Gainsight PX', () => {
  it('has flat attributes and the page', () => {
    const properties = { report: 7, isNew: true, tags: ['a'], by: { a: 1 }, none: null };
    const page = { url: 'https://example.com/reports', referrer: 'https://example.com' };
    const [payload] = send(track, { properties, 'context.page': page, 'context.sessionId': 12 });
    expect(payload).toMatchObject({ method: 'POST', endpoint: 'https://api.aptrinsic.com/v1/events/custom' });
    expect(payload?.body.JSON).toEqual({
      ...{ eventName: 'Report Opened', identifyId: 'ada', propertyKey: 'AP-1', userType: 'USER', date: AT },
      ...{ sessionId: 12, ...page, globalContext: {} },
      attributes: { report: 7, isNew: true, tags: '["a"]', by: '{"a":1}' },
    });
    expect(bodyOf({ type: 'track', event: 'Paid', anonymousId: 'anon-1' })).toEqual({
      ...{ eventName: 'Paid', identifyId: 'anon-1', propertyKey: 'AP-1', userType: 'USER' },
      ...{ attributes: {}, globalContext: {} },
    });
  });

  it('has a global context of its own, or that of the settings', () => {
    const globalContextMap = [
      { from: 'project', to: 'p' },
      { from: '', to: '' },
    ];
    expect(bodyOf(track, {}, { globalContextMap })['globalContext']).toEqual({ project: 'p' });
    const own = bodyOf(track, { 'properties.globalContext': { project: 'q' } }, { globalContextMap });
    expect([own['globalContext'], own['attributes']]).toEqual([{ project: 'q' }, {}]);
  });

  it('is of a user, known or not', () => {
    expectSources(bodyWith(gainsightPx, config, { type: 'track', event: 'Paid' }), ['identifyId', USER_ID, asItIs]);
  });
});

describe('Gainsight PX', () => {
  it.each<[JsonObject, JsonObject, string]>([
    [{ ...identify, userId: '', anonymousId: '' }, {}, 'userId or anonymousId is required'],
    [{ ...identify, userId: '..' }, {}, 'the user id cannot be part of an address'],
    [{ ...track, userId: '', anonymousId: null }, {}, 'identifyId is required'],
    [{ ...track, event: ' ' }, {}, 'Event name is required'],
    [{ ...group, groupId: null }, {}, 'groupId is required'],
    [{ ...group, userId: {}, anonymousId: '' }, {}, 'userId or anonymousId is required'],
    [{ ...ada, type: 'page' }, {}, 'Event type page is not supported'],
    [identify, { apiKey: '' }, 'apiKey is required'],
    [track, { productTagKey: null }, 'productTagKey is required'],
  ])('refuses %j with %j: %s', (event, more, message) => {
    expect(() => send(event, {}, more)).toThrow(message);
  });
});
