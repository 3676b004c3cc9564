import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { answering } from '../../../test/answering.fixtures.js';
import { asItIs, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import { KNOWN_USER_ID, property, trait } from '../../toolkit/index.js';
import ga4 from './ga4.js';
import { ga4Deliver } from './ga4.request.js';

const config = { apiSecret: 's', measurementId: 'G-1', typesOfClient: 'gtag' };
const firebase = { typesOfClient: 'firebase', firebaseAppId: '1:2' };
const HOUR_MS = 3_600_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const timestamp = ago(HOUR_MS);
const track = { type: 'track', event: 'e' };
const sendOnly = (event: JsonObject, more: JsonObject = {}) => {
  const [payload] = ga4.transform(event, { ...config, ...more });
  if (!payload) throw new Error('no payload');
  return payload;
};
const send = (event: JsonObject, more: JsonObject = {}) =>
  sendOnly({ userId: 'ada', anonymousId: 'anon', timestamp, ...event }, more);
const bodyOf = (event: JsonObject, more: JsonObject = {}) => send(event, more).body.JSON;
const sent = (event: JsonObject, more: JsonObject = {}) => {
  const [found] = bodyOf(event, more)['events'] as JsonObject[];
  return found as { name: string; params: JsonObject };
};

describe('a request to GA4', () => {
  it('goes to its data stream, with who, when and what', () => {
    const payload = send({ ...track, event: ' Sign up  now ', properties: { plan: 'pro' } });
    expect(payload).toMatchObject({
      method: 'POST',
      endpoint: 'https://www.google-analytics.com/mp/collect',
      params: { api_secret: 's', measurement_id: 'G-1' },
    });
    expect(payload.body.JSON).toEqual({
      client_id: 'anon',
      user_id: 'ada',
      timestamp_micros: Math.floor(Date.parse(timestamp) / 1_000) * 1_000_000,
      events: [{ name: 'Sign_up_now', params: { plan: 'pro', engagement_time_msec: 1 } }],
    });
    expect(send(track, { debugMode: true }).endpoint).toContain('/debug/mp/collect');
  });

  it.each<[JsonObject, JsonObject, JsonObject]>([
    [{ context: { externalId: [{ type: 'ga4ClientId', id: 'x' }] } }, {}, { client_id: 'x' }],
    [{ anonymousId: '', rudderId: 'r' }, {}, { client_id: 'r' }],
    [{ integrations: { GA4: { clientId: 'c' } } }, { connectionMode: 'hybrid' }, { client_id: 'c' }],
    [{ integrations: { GA4: { clientId: 'c' } } }, {}, { client_id: 'anon' }],
    [{ context: { externalId: [{ type: 'ga4AppInstanceId', id: 7 }] } }, firebase, { app_instance_id: '7' }],
    [{ userId: '', traits: { id: 7 } }, {}, { user_id: '7' }],
    [{ userId: '', context: { traits: { userId: 'u' } } }, {}, { user_id: 'u' }],
  ])('knows the sender of %j with %j', (event, more, expected) => {
    expect(bodyOf({ ...track, ...event }, more)).toMatchObject(expected);
  });

  it.each([
    [true, false],
    ['1', false],
    [false, true],
    [0, true],
    ['maybe', undefined],
  ])('with adTrackingEnabled %j says %j', (adTrackingEnabled, expected) => {
    const body = bodyOf({ ...track, context: { device: { adTrackingEnabled } } });
    expect(body['non_personalized_ads']).toBe(expected);
  });

  it('carries consent only in the words of Google', () => {
    const consents = { ad_user_data: 'GRANTED', ad_personalization: 'MAYBE', other: 'DENIED' };
    for (const name of ['GA4', 'googleAnalytics4', 'Google Analytics 4 (GA4)']) {
      expect(bodyOf({ ...track, integrations: { [name]: { consents } } })['consent']).toEqual({
        ad_user_data: 'GRANTED',
      });
    }
    expect(bodyOf({ ...track, integrations: { GA4: true } })).not.toHaveProperty('consent');
  });

  it.each(['track', 'page', 'group'])('carries what may be known of the user: %s', (type) => {
    const traits = { plan: 'pro', email: 'a@b.c', bio: 'x'.repeat(37), tags: ['a'], n: 1.5, no: false, blank: ' ' };
    const odd = { firebase_x: 1, user_id: 'u', 'a-b': 1, _a: 1, ['n'.repeat(25)]: 1, none: null, deep: { a: 1 } };
    const properties = { user_properties: { plan: 'free', city: ' Rome ' } };
    const event = { type, event: 'e', properties, context: { traits: { ...traits, ...odd } } };
    expect(bodyOf(event, { piiPropertiesToIgnore: [{ piiProperty: ' email ' }] })['user_properties']).toEqual({
      ...{ plan: { value: 'pro' }, city: { value: ' Rome ' }, n: { value: 1.5 }, no: { value: false } },
    });
  });

  it('has the time of the event, if that can be read', () => {
    expect(sendOnly({ ...track, anonymousId: 'a' }).body.JSON).not.toHaveProperty('timestamp_micros');
    expect(bodyOf({ ...track, timestamp: 'then' })).not.toHaveProperty('timestamp_micros');
    expect(bodyOf({ ...track, timestamp: '', originalTimestamp: timestamp })).toHaveProperty('timestamp_micros');
    expect(bodyOf({ ...track, timestamp: ago(72 * HOUR_MS + 60_000) })).toHaveProperty('timestamp_micros');
  });
});

describe('the parameters of GA4', () => {
  const page = { url: 'https://a.b/', title: 'T', referrer: 'https://r.s/' };
  const ofPage = { page_location: page.url, page_title: page.title, page_referrer: page.referrer };

  it.each<[JsonObject, JsonObject]>([
    [{ context: { page, sessionId: 5 } }, { ...ofPage, session_id: 5, engagement_time_msec: 1 }],
    [
      { properties: { engagementTimeMsec: 9, sessionId: 7, sessionNumber: 2 }, context: { sessionId: 5 } },
      { engagement_time_msec: 9, session_id: 7, session_number: 2, sessionNumber: 2 },
    ],
    [
      { properties: { engagement_time_msec: 9, session_id: 7, session_number: 2 } },
      { engagement_time_msec: 9, session_id: 7, session_number: 2 },
    ],
    [
      { properties: { deep: { a: [1, { b: 'c' }], e: {} }, 'x.y': 1, none: null, blank: ' ', list: [], no: false } },
      { deep_a_0: 1, deep_a_1_b: 'c', x_y: 1, no: false, engagement_time_msec: 1 },
    ],
    [
      { properties: { ga_x: 1, Google_x: 1, firebase_conversion: 1, user_properties: { a: 1 }, _own: 1 } },
      { _own: 1, engagement_time_msec: 1 },
    ],
    [{ properties: { products: [{ product_id: 'p' }] } }, { products_0_product_id: 'p', engagement_time_msec: 1 }],
  ])('of a track event %j are %j', (event, params) => {
    expect(sent({ ...track, ...event }).params).toEqual(params);
  });

  it('of a page are those of its context, and its properties', () => {
    expect(sent({ type: 'page', name: 'Home', properties: page, context: { page } })).toEqual({
      name: 'page_view',
      params: { ...page, ...ofPage, engagement_time_msec: 1 },
    });
  });

  it.each<[JsonObject, JsonObject]>([
    [
      { groupId: 'g', traits: { size: 5, groupId: 'h', products: ['p'] }, context: { traits: { size: 6 } } },
      { group_id: 'g', size: 6, engagement_time_msec: 1 },
    ],
    [
      { traits: { groupId: 'h', sessionId: 7 }, context: { traits: { engagementTimeMsec: 9, session_number: 2 } } },
      { group_id: 'h', session_id: 7, engagement_time_msec: 9, session_number: 2 },
    ],
    [{ context: { page, sessionId: 5 } }, { session_id: 5, engagement_time_msec: 1 }],
  ])('of a group %j are %j', (event, params) => {
    expect(sent({ type: 'group', ...event })).toEqual({ name: 'join_group', params });
  });

  it('have the session of the page only in hybrid mode, but its number always', () => {
    const event = { ...track, integrations: { GA4: { sessionId: '5', sessionNumber: 3 } } };
    expect(sent(event, { connectionMode: 'hybrid' }).params).toMatchObject({ session_id: '5', session_number: 3 });
    expect(sent(event).params).toEqual({ session_number: 3, engagement_time_msec: 1 });
  });
});

describe('a field of GA4', () => {
  const session = ['sessionId', 'session_id'] as const;
  const engagement = ['engagementTimeMsec', 'engagement_time_msec'] as const;
  const eitherTraits = (names: readonly string[]) =>
    names.flatMap((name) => [`traits.${name}`, `context.traits.${name}`]);

  it.each<[type: string, ...SourcesRow]>([
    ['track', 'user_id', KNOWN_USER_ID, asItIs],
    ['track', 'events.0.params.engagement_time_msec', property(...engagement), asItIs],
    ['track', 'events.0.params.session_id', [...property(...session), 'context.sessionId'], asItIs],
    ['track', 'events.0.params.session_number', property('sessionNumber', 'session_number'), asItIs],
    ['page', 'events.0.params.page_location', ['context.page.url'], asItIs],
    ['page', 'events.0.params.page_title', ['context.page.title'], asItIs],
    ['page', 'events.0.params.page_referrer', ['context.page.referrer'], asItIs],
    ['group', 'events.0.params.group_id', ['groupId', 'traits.groupId'], asItIs],
    ['group', 'events.0.params.engagement_time_msec', eitherTraits(engagement), asItIs],
    ['group', 'events.0.params.session_id', [...eitherTraits(session), 'context.sessionId'], asItIs],
    ['group', 'events.0.params.session_number', trait('sessionNumber', 'session_number'), asItIs],
  ])('of a %s, %s, is read from %j', (type, ...row) => {
    const event = { type, event: 'e', anonymousId: 'anon', timestamp };
    expectSources((values) => sendOnly(withValues(event, values)).body.JSON, row);
  });
});

describe('what GA4 does not take', () => {
  it.each<[JsonObject, JsonObject, string]>([
    [{ ...track, event: 'Session_Start' }, {}, 'reserved by Google'],
    [{ ...track, event: 'screen_view' }, {}, 'reserved by Google'],
    [{ ...track, event: 'GA_x' }, {}, 'reserved by Google'],
    [{ ...track, event: '1st' }, {}, 'must start with a letter'],
    [{ ...track, event: 5 }, {}, 'must be a text'],
    [{ type: 'track' }, {}, 'must be a text'],
    [{ ...track, event: ' ' }, {}, 'Event name is required'],
    [{ ...track, timestamp: ago(72.25 * HOUR_MS + 5_000) }, {}, 'last 72 hours'],
    [{ ...track, timestamp: ago(-HOUR_MS) }, {}, '15 minutes ahead'],
    [{ ...track, anonymousId: '' }, {}, 'anonymousId'],
    [track, firebase, 'ga4AppInstanceId'],
    [track, { typesOfClient: 'other' }, 'typesOfClient must be'],
    [track, { apiSecret: '' }, 'apiSecret is required'],
    [track, { measurementId: '' }, 'measurementId is required'],
    [{ type: 'page' }, { connectionMode: 'hybrid' }, 'from the browser'],
    [{ type: 'identify' }, {}, 'Event type identify is not supported'],
  ])('is refused: %j with %j', (event, more, message) => {
    expect(() => send(event, more)).toThrow(message);
  });

  it.each([
    [200, { validationMessages: [{ description: 'bad name' }] }, 400],
    [200, { validationMessages: [] }, 200],
    [204, '', 204],
    [500, '', 500],
  ])('is told by an answer %i %j', async (status, response, expected) => {
    const outbound = answering(status, response);
    expect(await ga4Deliver(send(track, { debugMode: true }), {}, outbound, {})).toMatchObject({ status: expected });
  });
});
