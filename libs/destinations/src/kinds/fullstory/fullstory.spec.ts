import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { answering } from '../../../test/answering.fixtures.js';
import { ada } from '../../../test/events.fixtures.js';
import { asItIs, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import type { OutboundRequest } from '../../kind.js';
import { KNOWN_USER_ID } from '../../toolkit/index.js';
import fullstory from './fullstory.js';

const config = { apiKey: 'na1.k' };
const track = { anonymousId: 'anon-1', type: 'track', event: 'Lesson Watched' };
const identify = { ...ada, type: 'identify' };
const send = (event: JsonObject, values: JsonObject = {}) => fullstory.transform(withValues(event, values), config);
const bodyOf = (event: JsonObject, values: JsonObject = {}): JsonObject => send(event, values)[0]?.body.JSON ?? {};

describe('an event for Fullstory', () => {
  it('goes to its events with the key', () => {
    expect(send(track)).toMatchObject([
      {
        ...{ method: 'POST', endpoint: 'https://api.fullstory.com/v2/events' },
        headers: { authorization: 'Basic na1.k', 'content-type': 'application/json' },
      },
    ]);
    expect(bodyOf(track)).toEqual({ name: 'Lesson Watched' });
    expect(bodyOf(track, { properties: { grade: 7, parts: ['a'] } })).toEqual({
      ...{ name: 'Lesson Watched', properties: { grade: 7, parts: ['a'] } },
    });
    expect(bodyOf(track, { properties: [] })).toEqual({ name: 'Lesson Watched' });
  });

  it.each<SourcesRow>([
    ['context.browser.url', ['context.page.url'], asItIs],
    ['context.browser.user_agent', ['context.userAgent'], asItIs],
    ['context.browser.initial_referrer', ['context.page.initial_referrer'], asItIs],
    ['context.mobile.app_name', ['context.app.name'], asItIs],
    ['context.mobile.app_version', ['context.app.version'], asItIs],
    ['context.device.manufacturer', ['context.device.manufacturer'], asItIs],
    ['context.device.model', ['context.device.model'], asItIs],
    ['context.location.ip_address', ['context.ip', 'request_ip'], asItIs],
    ['context.location.city', ['properties.city'], asItIs],
    ['context.location.region', ['properties.region'], asItIs],
    ['context.location.country', ['properties.country'], asItIs],
    ['session.id', ['properties.sessionId', 'context.sessionId'], asItIs],
    ['user.uid', ['properties.userId', ...KNOWN_USER_ID], asItIs],
  ])('has %s from %j', (...row) => {
    expectSources((values) => bodyOf(track, values), row);
  });

  it('has a place in numbers, and ids as texts', () => {
    const values = { 'properties.latitude': '41.9', 'properties.longitude': 12.5, 'context.sessionId': 99, userId: 7 };
    expect(bodyOf(track, values)).toMatchObject({
      ...{ context: { location: { latitude: 41.9, longitude: 12.5 } }, session: { id: '99' }, user: { uid: '7' } },
    });
  });

  it.each<[JsonObject, string | undefined]>([
    [
      { timestamp: '2026-03-04T05:06:07+01:00', originalTimestamp: '2026-01-01T00:00:00Z' },
      '2026-03-04T05:06:07+01:00',
    ],
    [{ originalTimestamp: '2026-01-01T00:00:00Z' }, '2026-01-01T00:00:00Z'],
    [{ timestamp: 1_772_600_767 }, '2026-03-04T05:06:07.000Z'],
    [{ timestamp: '1772600767' }, '2026-03-04T05:06:07.000Z'],
    [{ timestamp: 'Tomorrow' }, undefined],
  ])('of %j has the time %j', (values, time) => {
    expect(bodyOf(track, values)['timestamp']).toBe(time);
  });
});

describe('a user of Fullstory', () => {
  it('has the traits as properties', () => {
    const traits = { email: 'ada@example.com', name: 'Ada', plan: { of: 'pro' } };
    expect(send(identify, { traits })).toMatchObject([{ endpoint: 'https://api.fullstory.com/v2/users' }]);
    expect(bodyOf(identify, { 'context.traits': traits })).toEqual({
      ...{ uid: 'ada', email: 'ada@example.com', display_name: 'Ada', properties: traits },
    });
    expect(bodyOf(identify)).toEqual({ uid: 'ada' });
  });

  it.each<SourcesRow>([
    ['uid', KNOWN_USER_ID, asItIs],
    ['email', ['traits.email', 'context.traits.email'], asItIs],
    [
      'display_name',
      ['traits.name', 'traits.displayName', 'context.traits.name', 'context.traits.displayName'],
      asItIs,
    ],
  ])('has %s from %j', (key, ...row) => {
    const known = key === 'uid' ? { type: 'identify' } : identify;
    expectSources((values) => bodyOf(known, values), [key, ...row]);
  });
});

describe('the delivery to Fullstory', () => {
  const delivered = async (event: JsonObject, values: JsonObject): Promise<JsonObject> => {
    const requests: OutboundRequest[] = [];
    const [payload] = send(event, values);
    if (payload) await fullstory.deliver?.(payload, config, answering(200, {}, requests), {});
    return JSON.parse(requests[0]?.body ?? 'null');
  };

  it.each<[JsonObject, JsonObject]>([
    [{ 'context.sessionId': 1_772_600_767 }, { session: { id: '1772600767' } }],
    [{ userId: 'ada' }, { user: { uid: 'ada' } }],
    [{ userId: 'ada', 'context.sessionId': 1_772_600_767 }, { user: { uid: 'ada' } }],
    [{ userId: 'ada', 'context.sessionId': '81:92' }, { session: { id: '81:92' } }],
    [{ userId: 'ada', 'properties.sessionId': 92, 'context.sessionId': 7 }, { session: { id: '92' } }],
    [{ userId: 'ada', 'properties.sessionId': '', 'context.sessionId': 7 }, { user: { uid: 'ada' } }],
    [{ userId: 'ada', 'properties.sessionId': { of: 7 }, 'context.sessionId': 7 }, { user: { uid: 'ada' } }],
  ])('of an event with %j has only one of session and user', async (values, who) => {
    const { session, user } = await delivered(track, values);
    expect({ session, user }).toEqual({ session: undefined, user: undefined, ...who });
  });

  it('leaves the rest as it is', async () => {
    const both = { userId: 'ada', 'properties.sessionId': '81:92', 'context.page.url': 'https://a.example/' };
    const { user: _, ...rest } = bodyOf(track, both);
    expect(await delivered(track, both)).toEqual(rest);
    expect(await delivered(identify, {})).toEqual(bodyOf(identify));
  });
});

it.each<[JsonObject, string]>([
  [{ ...track, event: undefined }, 'Event name is required'],
  [{ ...identify, userId: undefined }, 'uid is required'],
  [{ ...identify, type: 'page' }, 'Event type page is not supported'],
])('Fullstory refuses %j', (event, message) => {
  expect(() => send(event)).toThrow(message);
});

it('Fullstory needs a key', () => {
  expect(() => fullstory.transform(track, {})).toThrow('apiKey is required');
});
