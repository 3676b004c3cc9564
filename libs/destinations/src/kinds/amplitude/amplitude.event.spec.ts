import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada, eventWith } from '../../../test/events.fixtures.js';
import { objectAt } from '../../toolkit/index.js';
import amplitude from './amplitude.js';

const send = (event: JsonObject, config: JsonObject = {}) =>
  amplitude.transform({ ...ada, ...event }, { apiKey: 'k', ...config });
const eventsOf = (event: JsonObject, config: JsonObject = {}) =>
  amplitude.transform(event, { apiKey: 'k', ...config }).map((payload) => objectAt(payload, 'body.JSON.events.0'));
const first = (event: JsonObject, config: JsonObject = {}) => objectAt(send(event, config)[0], 'body.JSON.events.0');
const identify = { type: 'identify' };
const track = { type: 'track', event: 'Paid' };
const TYPES = ['identify', 'track', 'page', 'screen', 'group'];

describe('the keys of an Amplitude event', () => {
  it.each([
    ['os_name', 'traits.os_name', 'context.os.name'],
    ['os_version', 'traits.os_version', 'context.os.version'],
    ['device_model', 'traits.device_model', 'context.device.model'],
    ['device_manufacturer', 'traits.device_manufacturer', 'context.device.manufacturer'],
    ['platform', 'traits.platform', 'context.device.type'],
    ['device_id', 'traits.device_id', 'anonymousId'],
    ['carrier', 'traits.carrier', 'context.network.carrier'],
    ['app_name', 'traits.app_name', 'context.app.name'],
    ['app_version', 'traits.app_version', 'context.app.version'],
    ['language', 'traits.language', 'context.locale'],
    ['insert_id', 'traits.insert_id', 'messageId'],
    ['region', 'traits.region', 'context.location.region'],
    ['location_lat', 'traits.location_lat', 'context.location.latitude'],
    ['location_lng', 'traits.location_lng', 'context.location.longitude'],
    ['dma', 'traits.dma', 'context.location.dma'],
    [
      'country',
      'traits.country',
      'context.location.country',
      'traits.address.country',
      'context.traits.address.country',
    ],
    ['city', 'traits.city', 'context.location.city', 'traits.address.city', 'context.traits.address.city'],
    ['ip', 'context.ip', 'request_ip', 'traits.ip'],
    ['user_id', 'userId'],
  ])('%s is read from %s, then %s', (key, ...sources) => {
    for (const type of TYPES.filter((name) => key !== 'insert_id' || name !== 'group')) {
      let event: JsonObject = { ...track, type, traits: {}, userId: 'u' };
      for (const source of sources.toReversed()) {
        event = eventWith(event, source, source);
        expect(eventsOf(event)[0]?.[key]).toBe(source);
      }
    }
  });

  it('are empty texts too, but never null', () => {
    const context = { locale: '', app: { name: null }, network: {} };
    expect(first({ ...track, context })).toMatchObject({ language: '' });
    expect(first({ ...track, context })).not.toHaveProperty('app_name');
  });

  it.each<[JsonObject, unknown]>([
    [{ timestamp: '2026-01-01T00:00:00Z', originalTimestamp: 'never' }, 1_767_225_600_000],
    [{ timestamp: '', originalTimestamp: '2026-01-01T00:00:00Z' }, 1_767_225_600_000],
    [{ timestamp: undefined }, 0],
    [{ timestamp: 'never' }, null],
  ])('of the time %j are %j', (times, expected) => {
    expect(first({ ...track, ...times })['time']).toBe(expected);
  });

  it.each<[unknown, unknown, number]>([
    [1_700_000_000_000, 5, 1_700_000_000_000],
    ['web:17', 5, 17],
    ['web:eu:17', 5, 17],
    ['17', 5, 17],
    ['web:17.5', 5, 5],
    [{}, '6', 6],
    ['3049dc4c', 'web:7', -1],
    ['', undefined, -1],
    [undefined, 1.5, -1],
  ])('of the session %j and %j in the context are %j', (session_id, sessionId, expected) => {
    expect(first({ ...track, session_id, context: { sessionId } })['session_id']).toBe(expected);
  });

  it.each<[JsonObject, JsonObject, unknown]>([
    [{ brand: 'b', manufacturer: 'm' }, { mapDeviceBrand: true }, 'b'],
    [{ brand: 'b', manufacturer: 'm' }, { mapDeviceBrand: true, channel: 'mobile' }, 'b'],
    [{ brand: 'b', manufacturer: 'm' }, { channel: 'mobile' }, 'm'],
    [{ brand: 'b', manufacturer: 'm' }, {}, undefined],
    [{ brand: 'b' }, { mapDeviceBrand: true, traits: { device_brand: 't' } }, 't'],
    [{ manufacturer: 'm' }, { channel: 'mobile', traits: { device_brand: 't' } }, 'm'],
  ])('of the device %j with %j have the brand %j', (device, { mapDeviceBrand, ...event }, expected) => {
    expect(first({ ...track, ...event, context: { device } }, { mapDeviceBrand })['device_brand']).toBe(expected);
  });

  it.each<[string, unknown, JsonObject]>([
    ['mobile', 'iOS', { idfa: 'a', idfv: 'd' }],
    ['mobile', 'tvos', { idfa: 'a', idfv: 'd' }],
    ['mobile', 'Android', { adid: 'a' }],
    ['mobile', 5, {}],
    ['web', 'ios', {}],
  ])('on %s of a device %j have %j', (channel, type, expected) => {
    const found = first({ ...track, channel, context: { device: { type, id: 'd', advertisingId: 'a' } } });
    const { idfa, idfv, adid } = found;
    expect(JSON.parse(JSON.stringify({ idfa, idfv, adid }))).toEqual(expected);
    expect(found['device_id']).toBe('anon-1');
  });

  it.each<[JsonObject, JsonObject]>([
    [{ event_id: 5 }, { event_id: 5 }],
    [{ skipUserPropertiesSync: 'yes' }, { $skip_user_properties_sync: true }],
    [{ groups: { team: ['a'] } }, { groups: { team: ['a'] } }],
  ])('of the options %j are %j', (Amplitude, expected) => {
    for (const type of ['track', 'page', 'screen']) {
      expect(first({ ...track, type, integrations: { Amplitude } })).toMatchObject(expected);
      expect(Object.keys(first({ ...track, type, integrations: { amplitude: Amplitude, AM: Amplitude } }))).toEqual(
        expect.not.arrayContaining(Object.keys(expected)),
      );
    }
  });

  it('leave out a textual event id, an empty user id and groups of an identify', () => {
    const event = { userId: '', integrations: { Amplitude: { event_id: '5', groups: { team: 'a' } } } };
    const found = first({ ...identify, ...event });
    expect(['event_id', 'user_id', 'groups'].filter((key) => key in found)).toEqual([]);
    expect(first({ ...track, userId: 7 })['user_id']).toBe(7);
  });
});

describe('a browser', () => {
  const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko)';
  it.each<[string, JsonObject]>([
    [`${MAC} Chrome/120.0.1 Safari/537.36`, { os_name: 'Chrome', os_version: '120.0.1', device_model: 'Mac' }],
    [
      'Mozilla/5.0 (Linux; Android 9; SM-G960F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/79.0 Mobile Safari/537.36',
      { os_name: 'Chrome Mobile', os_version: '79.0', device_model: 'Android', device_manufacturer: 'Samsung' },
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 13_3 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Version/13.0 Mobile/15E148 Safari/604.1',
      { os_name: 'Mobile Safari', os_version: '13.0', device_model: 'iPhone', device_manufacturer: 'Apple' },
    ],
    ['curl/8', { os_name: 'n', os_version: 'v', device_model: 'm', device_manufacturer: 'f' }],
  ])('counts as the system on the web: %s', (userAgent, expected) => {
    const device = { model: 'm', manufacturer: 'f', type: 't' };
    const context = { userAgent, device, os: { name: 'n', version: 'v' } };
    for (const type of ['track', 'page', 'identify'])
      expect(first({ ...track, type, channel: 'Web', context })).toMatchObject({ ...expected, platform: 'Web' });
    for (const event of [{ type: 'screen', channel: 'web' }, track])
      expect(first({ ...event, context })).toMatchObject({ os_name: 'n', device_model: 'm', platform: 't' });
  });

  it('gives way to traits of the same name, which are no user properties then', () => {
    const event = { channel: 'web', traits: { platform: 'Kiosk', os_name: null, plan: 'pro' } };
    expect(first({ ...track, ...event })).toMatchObject({
      ...{ platform: 'Kiosk', user_properties: { os_name: null, plan: 'pro' } },
    });
    expect(first({ type: 'screen', ...event })['user_properties']).toEqual({
      platform: 'Kiosk',
      os_name: null,
      plan: 'pro',
    });
  });
});
