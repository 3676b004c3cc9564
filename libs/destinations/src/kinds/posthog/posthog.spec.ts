import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { eventWith } from '../../../test/events.fixtures.js';
import { objectAt, valueAt } from '../../toolkit/index.js';
import posthog, { posthogBatch } from './posthog.js';

const config = { teamApiKey: 'k', yourInstance: 'https://eu.i.posthog.com/' };
const ada = { userId: 'ada', anonymousId: 'anon', messageId: 'm' };
const send = (event: JsonObject, more: JsonObject = {}) => posthog.transform(event, { ...config, ...more })[0];
const body = (event: JsonObject, more: JsonObject = {}) => objectAt(send({ ...ada, ...event }, more), 'body.JSON');
const propertiesOf = (event: JsonObject, more: JsonObject = {}) => objectAt(body(event, more), 'properties');
const track = { type: 'track', event: 'Paid' };
const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';

/** Each property with its sources in order. */
const SOURCES: readonly [property: string, ...sources: string[]][] = [
  ['$os', 'context.os.name'],
  ['$os_version', 'context.os.version'],
  ['$current_url', 'context.page.url'],
  ['$pathname', 'context.page.path'],
  ['$performance_page_loaded', 'context.page.loaded'],
  ['$screen_height', 'context.screen.height'],
  ['$screen_width', 'context.screen.width'],
  ['$screen_density', 'context.screen.density'],
  ['$lib', 'context.library.name'],
  ['$lib_version', 'context.library.version'],
  ['$time', 'timestamp', 'originalTimestamp'],
  ['$timestamp', 'timestamp', 'originalTimestamp'],
  ['$device_id', 'context.device.id'],
  ['$device_manufacturer', 'context.device.manufacturer'],
  ['$device_name', 'context.device.name'],
  ['$device_model', 'context.device.model'],
  ['$ip', 'context.ip', 'request_ip'],
  ['$anon_distinct_id', 'anonymousId'],
  ['distinct_id', 'userId', 'anonymousId'],
  ['$timezone', 'context.timezone'],
  ['$locale', 'context.locale'],
  ['$useragent', 'context.userAgent'],
  ['$app_version', 'context.app.version'],
  ['$app_name', 'context.app.name'],
  ['$app_namespace', 'context.app.namespace'],
  ['$app_build', 'context.app.build'],
  ['$network_carrier', 'context.network.carrier'],
  ['$viewport_height', 'properties.viewport_height'],
  ['$viewport_width', 'properties.viewport_width'],
  ['utm_source', 'context.campaign.source'],
  ['utm_medium', 'context.campaign.medium'],
  ['utm_campaign', 'context.campaign.name'],
  ['utm_content', 'context.campaign.content'],
  ['utm_term', 'context.campaign.term'],
];
const PERSON = ['userId', 'traits.userId', 'traits.id', 'context.traits.userId', 'context.traits.id', 'anonymousId'];

describe('the generated properties of a PostHog event', () => {
  it.each(SOURCES)('%s is read from %s, then %s', (property, ...sources) => {
    const someone = { ...track, messageId: 'm', traits: { id: 'someone' } };
    let event: JsonObject = someone;
    for (const source of sources.toReversed()) {
      expect(objectAt(send(eventWith(someone, source, source)), 'body.JSON.properties')[property]).toBe(source);
      event = eventWith(event, source, `first ${source}`);
      expect(objectAt(send(event), 'body.JSON.properties')[property]).toBe(`first ${source}`);
    }
  });

  it.each<[unknown, string | undefined]>([
    ['https://shop.example.com:8080/a?b=c', 'shop.example.com:8080'],
    ['/a', undefined],
    ['mailto:ada@example.com', undefined],
    [`https://${'a'.repeat(9_000)}`, undefined],
    [5, undefined],
  ])('of the page %j have the host %j', (url, host) => {
    expect(propertiesOf({ ...track, context: { page: { url } } })['$host']).toBe(host);
  });

  it.each<[string, string, JsonObject]>([
    ['web', CHROME, { $browser: 'Chrome', $browser_version: '120.0.0.0', $os: 'Windows', $useragent: CHROME }],
    ['web', 'curl/8', { $os: 'BeOS', $useragent: 'curl/8' }],
    ['mobile', CHROME, { $os: 'BeOS', $useragent: CHROME }],
  ])('on the channel %s with the agent %s name the browser: %j', (channel, userAgent, expected) => {
    const found = propertiesOf({ ...track, channel, context: { userAgent, os: { name: 'BeOS' } } });
    expect(found).toEqual({ distinct_id: 'ada', $anon_distinct_id: 'anon', ...expected });
  });

  it('give way to own properties, which stay whole', () => {
    const properties = { $ip: 'own', distinct_id: 'own', $set: { own: 1 }, list: [{ a: null }], none: null, empty: '' };
    const context = { ip: '192.0.2.1', traits: { plan: 'pro' } };
    expect(propertiesOf({ ...track, properties, context })).toEqual({ $anon_distinct_id: 'anon', ...properties });
  });

  it.each(['track', 'page', 'screen', 'group', 'alias'])('of %s have $set from the context', (type) => {
    const event = { ...track, type, previousId: 'old', traits: { own: 1 } };
    const setOf = (traits: unknown) => propertiesOf({ ...event, context: { traits } })['$set'];
    expect([setOf({ plan: 'pro' }), setOf({}), setOf(undefined), setOf('text')]).toEqual([
      { plan: 'pro' },
      {},
      undefined,
      undefined,
    ]);
  });
});

describe('a PostHog event', () => {
  it.each<[JsonObject, JsonObject]>([
    [
      { ...track, properties: { a: 1 } },
      { event: 'Paid', type: 'capture', properties: { a: 1 } },
    ],
    [
      { type: 'identify', traits: { a: 1 } },
      { event: '$identify', type: 'identify', $set: { a: 1 } },
    ],
    [
      { type: 'PAGE', name: 'n', category: 'c' },
      { event: '$pageview', type: 'page', name: 'n', category: 'c' },
    ],
    [
      { type: 'screen', name: 'n', category: 'c' },
      { event: '$screen', type: 'screen', name: 'n', category: 'c' },
    ],
    [
      { type: 'screen', event: 'Home' },
      { event: '$screen', type: 'screen', properties: { $screen_name: 'Home' } },
    ],
    [{ type: 'group' }, { event: '$groupidentify', type: 'group' }],
  ])('of %j is %j', (event, { properties, ...expected }) => {
    const known = { distinct_id: 'ada', $anon_distinct_id: 'anon' };
    const made = { api_key: 'k', distinct_id: 'ada', messageId: 'm', ...expected };
    expect(body(event)).toEqual({ ...made, properties: { ...known, ...(properties as JsonObject) } });
  });

  it.each(PERSON)('has the person of %s', (path) => {
    const someone = eventWith({ ...track, messageId: 'm' }, path, 7);
    expect(valueAt(send(someone), 'body.JSON.distinct_id')).toBe('7');
    const alias = eventWith({ type: 'alias', previousId: 'old' }, path, 7);
    expect(valueAt(send(alias), 'body.JSON.properties.distinct_id')).toBe('7');
  });

  it('has a time from its properties only if it has no other', () => {
    const timed = (type: string, more: JsonObject = {}) =>
      body({ ...track, type, traits: {}, properties: { timestamp: 't' }, ...more })['timestamp'];
    expect(['track', 'page', 'screen'].map((type) => timed(type))).toEqual(['t', 't', 't']);
    expect(['identify', 'group'].map((type) => timed(type))).toEqual([undefined, undefined]);
    expect(timed('track', { originalTimestamp: 'o' })).toBe('o');
  });

  it('identifies with own traits, or those of the context, beside the properties', () => {
    const context = { traits: { a: 1 } };
    expect(body({ type: 'identify', context })['$set']).toEqual({ a: 1 });
    expect(body({ type: 'identify', traits: {}, context })['$set']).toEqual({});
    expect(propertiesOf({ type: 'identify', context, properties: { b: 1 } })).toEqual({
      ...{ distinct_id: 'ada', $anon_distinct_id: 'anon' },
    });
  });

  it('is an alias of an earlier id', () => {
    const alias = body({ type: 'alias', previousId: 5, timestamp: 't' });
    expect(alias).toMatchObject({ event: '$create_alias', type: 'alias', timestamp: 't', api_key: 'k' });
    expect(alias).toMatchObject({ properties: { alias: 5, distinct_id: 'ada' } });
    expect(alias).not.toHaveProperty('distinct_id');
    expect(alias).not.toHaveProperty('messageId');
  });

  it.each<[JsonObject, JsonObject]>([
    [
      { groupId: 'g', traits: { a: 1 } },
      { groupId: 'g', traits: { a: 1 } },
    ],
    [{ traits: { groupId: 'g' } }, { groupId: 'g', traits: { groupId: 'g' } }],
    [{ context: { traits: { a: 1 } } }, { traits: { a: 1 } }],
  ])('is a group in the older form: %j', (event, expected) => {
    expect(body({ type: 'group', ...event })).toMatchObject(expected);
  });

  it.each<[JsonObject, JsonObject]>([
    [
      { groupId: 5, traits: { groupType: 'company', size: [1] } },
      { $group_type: 'company', $group_key: 5, $group_set: { size: [1] }, $groups: { company: 5 } },
    ],
    [{ traits: { groupId: 'g' } }, { $group_key: 'g', $group_set: { groupId: 'g' } }],
    [{ traits: { groupType: 'company' } }, { $group_type: 'company', $group_set: {} }],
    [{ traits: 'text' }, {}],
  ])('is a group of group analytics: %j', (event, expected) => {
    const group = body({ type: 'group', ...event }, { useV2Group: true });
    expect(group).toEqual({
      ...{ api_key: 'k', distinct_id: 'ada', messageId: 'm', event: '$groupidentify', type: 'group' },
      properties: { distinct_id: 'ada', $anon_distinct_id: 'anon', ...expected },
    });
  });

  it.each<[JsonObject, string]>([
    [{ type: 'track', event: 'e', messageId: 'm' }, 'distinct_id is required'],
    [{ ...track, userId: 'u' }, 'messageId is required'],
    [{ ...ada, type: 'track' }, 'Event name is required'],
    [{ ...ada, type: 'identify' }, '$set is required'],
    [{ ...ada, type: 'identify', traits: 'text' }, '$set is required'],
    [{ type: 'identify', userId: 'u', traits: {} }, 'messageId is required'],
    [{ type: 'page' }, 'distinct_id is required'],
    [{ type: 'group', groupId: 'g' }, 'distinct_id is required'],
    [{ type: 'alias', previousId: 'old' }, 'distinct_id is required'],
    [{ type: 'alias', userId: 'u' }, 'alias is required'],
    [{ ...ada, type: 'merge' }, 'Event type merge is not supported'],
    [ada, 'Event type is required'],
  ])('is refused: %j', (event, message) => {
    expect(() => send(event)).toThrow(expect.objectContaining({ code: 'invalid' }));
    expect(() => send(event)).toThrow(message);
  });
});

describe('a request to PostHog', () => {
  it.each([
    ['https://eu.i.posthog.com/', 'https://eu.i.posthog.com/batch'],
    ['https://proxy.example.com/ph', 'https://proxy.example.com/ph/batch'],
    ['', 'https://app.posthog.com/batch'],
  ])('with the instance %j goes to %s', (yourInstance, endpoint) => {
    expect(send({ ...ada, ...track }, { yourInstance })).toMatchObject({ method: 'POST', endpoint });
  });

  it('needs a key', () => {
    expect(() => posthog.transform({ ...ada, ...track }, {})).toThrow('teamApiKey is required');
  });

  it('holds several events under one key', () => {
    const payload = posthog.transform({ ...ada, ...track }, config)[0];
    if (!payload) throw new Error('no payload');
    const { body: combined, endpoint } = posthogBatch.combine([payload, payload]);
    expect(endpoint).toBe('https://eu.i.posthog.com/batch');
    expect(combined.JSON).toMatchObject({ api_key: 'k', batch: [{ event: 'Paid' }, { event: 'Paid' }] });
    expect(JSON.stringify(combined.JSON['batch'])).not.toContain('api_key');
  });
});
