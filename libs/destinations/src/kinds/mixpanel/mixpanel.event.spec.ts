import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada, eventWith, itemsOf } from '../../../test/events.fixtures.js';
import { objectAt } from '../../toolkit/index.js';
import mixpanel from './mixpanel.js';

const recent = { ...ada, timestamp: new Date().toISOString() };
const send = (event: JsonObject, config: JsonObject = {}) => mixpanel.transform(event, { token: 't', ...config });
/** The properties of the last payload, which is the event. */
const propertiesOf = (event: JsonObject, config: JsonObject = {}) =>
  objectAt(itemsOf(send({ ...recent, ...event }, config).at(-1))[0], 'properties');
const nameOf = (event: JsonObject, config: JsonObject) =>
  itemsOf(send({ ...recent, ...event }, config)[0])[0]?.['event'];
const track = { type: 'track', event: 'Paid' };
const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.1 Safari/537.36';

describe('the properties of a Mixpanel event', () => {
  it.each([
    ['ip', 'context.ip', 'request_ip'],
    ['campaign_id', 'context.campaign.name'],
    ['$user_id', 'userId'],
    ['$current_url', 'context.page.url'],
    ['$referrer', 'context.page.referrer'],
    ['$os', 'context.os.name'],
    ['$os_version', 'context.os.version'],
    ['$screen_height', 'context.screen.height'],
    ['$screen_width', 'context.screen.width'],
    ['$screen_dpi', 'context.screen.density'],
    ['$carrier', 'context.network.carrier'],
    ['$wifi', 'context.network.wifi'],
    ['$bluetooth_enabled', 'context.network.bluetooth'],
    ['$bluetooth_version', 'properties.bluetoothVersion'],
    ['$device', 'context.device.name'],
    ['$manufacturer', 'context.device.manufacturer'],
    ['$model', 'context.device.model'],
    ['mp_device_model', 'context.device.model'],
    ['mp_lib', 'context.library.name'],
    ['$initial_referrer', 'context.page.initialReferrer', 'context.page.initial_referrer'],
    ['$initial_referring_domain', 'context.page.initialReferringDomain', 'context.page.initial_referring_domain'],
    ['mp_processing_time_ms', 'properties.mpProcessingTimeMs'],
    ['$app_build_number', 'properties.appBuildNumber', 'context.app.build'],
    ['$app_version_string', 'properties.appVersionString', 'context.app.version'],
    ['$brand', 'properties.brand', 'device.manufacturer'],
    ['$radio', 'properties.radio'],
    ['$lib_version', 'properties.libVersion'],
    ['$search_engine', 'properties.searchEngine'],
    ['mp_keyword', 'properties.mpKeyword'],
    ['$has_nfc', 'properties.hasNfc'],
    ['$has_telephone', 'properties.hasTelephone'],
    ['$google_play_services', 'properties.googlePlayServices'],
    ['$insert_id', 'messageId'],
    ['$session_id', 'session_id', 'context.sessionId'],
    ['$app_name', 'context.app.name'],
    ['$app_namespace', 'context.app.namespace'],
    ['distinct_id', 'userId', 'anonymousId'],
  ])('%s is read from %s, then %s', (property, ...sources) => {
    for (const type of ['track', 'page', 'screen']) {
      let event: JsonObject = { ...track, ...recent, type, userId: '', context: { traits: { $radio: 'lost' } } };
      for (const source of sources.toReversed()) {
        event = eventWith(event, source, source);
        expect(propertiesOf(event)[property]).toBe(source);
      }
    }
  });

  it('are own properties whole, which traits of the context win over in a track only', () => {
    const properties = { a: 'own', none: null, empty: '', list: [{ b: null }], bluetoothVersion: 5 };
    const event = { properties, traits: { lost: 1 }, context: { traits: { a: 'trait', plan: 'pro' } } };
    const known = { token: 't', distinct_id: 'ada', $user_id: 'ada', $insert_id: 'm-1', $bluetooth_version: 5 };
    const expected = { ...properties, ...known, time: Date.parse(recent.timestamp) };
    expect(propertiesOf({ ...track, ...event })).toEqual({ ...expected, a: 'trait', plan: 'pro' });
    expect(propertiesOf({ ...track, ...event }, { dropTraitsInTrackEvent: true })).toEqual(expected);
    for (const type of ['page', 'screen'])
      expect(propertiesOf({ type, ...event }, { dropTraitsInTrackEvent: true })).toEqual({ ...expected, plan: 'pro' });
  });

  it('name the campaign by all of its keys', () => {
    const context = { campaign: { name: 'spring', source: 's', own: null } };
    expect(propertiesOf({ ...track, context })).toMatchObject({
      ...{ campaign_id: 'spring', utm_campaign: 'spring', utm_source: 's', utm_own: null },
    });
    expect(propertiesOf({ ...track, context })).not.toHaveProperty('utm_name');
  });

  it.each<[JsonObject, JsonObject]>([
    [{ userId: 'u' }, { distinct_id: 'u', $device_id: 'anon-1', $user_id: 'u' }],
    [
      { userId: 7, anonymousId: '' },
      { distinct_id: '7', $user_id: '7' },
    ],
    [{ userId: '' }, { distinct_id: '$device:anon-1', $device_id: 'anon-1' }],
    [{ userId: '', anonymousId: '' }, {}],
  ])('of %j in a simplified project have the ids %j', (ids, expected) => {
    const { distinct_id, $device_id, $user_id } = propertiesOf(
      { ...track, ...ids },
      { identityMergeApi: 'simplified' },
    );
    expect(JSON.parse(JSON.stringify({ distinct_id, $device_id, $user_id }))).toEqual(expected);
  });

  it.each<[JsonObject, unknown]>([
    [{ timestamp: '', originalTimestamp: '2020-01-01T00:00:00Z' }, 1_577_836_800_000],
    [{ timestamp: 'soon' }, null],
    [{ timestamp: undefined }, null],
  ])('of the times %j have the time %j', (times, expected) => {
    expect(propertiesOf({ ...track, ...times })['time']).toBe(expected);
  });

  it.each<[string, unknown, unknown]>([
    ['track', `${'x'.repeat(30)}-${'y'.repeat(30)}`, `xxxxx-${'y'.repeat(30)}`],
    ['page', 'x'.repeat(61), 'x'.repeat(61)],
    ['screen', 5, '5'],
    ['track', '', undefined],
  ])('of a %s with the message id %j have the insert id %j', (type, messageId, expected) => {
    expect(propertiesOf({ ...track, type, messageId })['$insert_id']).toBe(expected);
  });

  it.each<[string, string, JsonObject]>([
    ['web', CHROME, { $browser: 'Chrome', $browser_version: '120.0.1' }],
    ['mobile', CHROME, {}],
    ['web', 'curl/8', {}],
  ])('on the channel %s with the agent %s name the browser %j', (channel, userAgent, expected) => {
    const { $browser, $browser_version } = propertiesOf({ ...track, channel, context: { userAgent } });
    expect(JSON.parse(JSON.stringify({ $browser, $browser_version }))).toEqual(expected);
  });

  it('of a page or screen have its name and category', () => {
    const event = { name: 'Home', category: 'c', properties: { name: 'own', category: 'own' } };
    expect(propertiesOf({ type: 'page', ...event })).toMatchObject({ name: 'Home', category: 'c' });
    expect(propertiesOf({ type: 'screen', ...event, name: '', category: 0 })).toMatchObject({
      ...{ name: 'own', category: 'own' },
    });
  });
});

describe('the name of a view', () => {
  it.each([
    ['{{ name }} seen', 'Home seen'],
    ['{{name}} of {{ category }}', 'Home of Shop'],
    ['{{ url }} {{name}} {{name}}', '{{ url }} Home Home'],
    ['fixed', 'fixed'],
  ])('is made from the template %j: %s', (template, expected) => {
    const event = { name: 'Home', category: 'root', properties: { category: 'Shop', url: '/' } };
    const config = { userDefinedPageEventTemplate: template, userDefinedScreenEventTemplate: template };
    const on = { ...config, useUserDefinedPageEventName: true, useUserDefinedScreenEventName: true };
    expect([nameOf({ ...event, type: 'page' }, on), nameOf({ ...event, type: 'screen' }, on)]).toEqual([
      expected,
      expected,
    ]);
    expect(nameOf({ ...event, type: 'page' }, config)).toBe('Loaded a Page');
    expect(nameOf({ ...event, type: 'screen' }, config)).toBe('Loaded a Screen');
  });

  it.each([
    ['Saw {{ name }} page', 'Saw page'],
    ['Saw {{ category }} page', 'Saw page'],
    ['{{ name }} page', '{{ name }} page'],
    ['the page {{category}}', 'the page {{category}}'],
  ])('without values is made from the template %j: %s', (userDefinedPageEventTemplate, expected) => {
    const config = { useUserDefinedPageEventName: true, userDefinedPageEventTemplate };
    expect(nameOf({ type: 'page', name: null }, config)).toBe(expected);
  });
});

describe('a Mixpanel event is refused', () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
  const items = (count: number) => Array.from({ length: count }, () => 1);

  it.each<[string, JsonObject]>([
    ['keys', keys(260)],
    ['keys', { list: [{ inner: keys(255) }] }],
    ['items', { list: items(256) }],
    ['bytes', { text: 'ä'.repeat(600_000) }],
  ])('with too many %s', (what, properties) => {
    for (const type of ['track', 'page', 'screen'])
      expect(() => propertiesOf({ ...track, type, properties })).toThrow(`more than`);
    expect(() => propertiesOf({ ...track, properties })).toThrow(what);
  });

  it('but not within the limits', () => {
    expect(propertiesOf({ ...track, properties: { ...keys(240), list: items(255), inner: keys(254) } })).toMatchObject({
      ...{ k239: 1, inner: { k253: 1 } },
    });
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ ...track, timestamp: '2001-01-01T00:00:00Z' }, {}, 'more than five years ago'],
    [{ type: 'page', timestamp: '2001-01-01T00:00:00Z' }, {}, 'more than five years ago'],
    [{ type: 'alias', previousId: 'old', timestamp: '2001-01-01T00:00:00Z' }, {}, 'more than five years ago'],
    [{ ...track, messageId: 5 }, {}, 'messageId must be a text'],
    [{ type: 'track' }, {}, 'Event name is required'],
    [{ type: 'screen' }, { useUserDefinedScreenEventName: true }, 'userDefinedScreenEventTemplate is required'],
    [
      { type: 'page', name: '' },
      { useUserDefinedPageEventName: true, userDefinedPageEventTemplate: '{{ name }}' },
      'has no value',
    ],
    [track, { token: '' }, 'token is required'],
    [{ type: 'merge' }, {}, 'Event type merge is not supported'],
  ])('%j with %j', (event, config, message) => {
    expect(() => send({ ...recent, ...event }, config)).toThrow(expect.objectContaining({ code: 'invalid' }));
    expect(() => send({ ...recent, ...event }, config)).toThrow(message);
  });
});
