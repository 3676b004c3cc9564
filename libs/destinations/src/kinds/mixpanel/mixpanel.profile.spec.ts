import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada, eventWith, itemsOf } from '../../../test/events.fixtures.js';
import { objectAt } from '../../toolkit/index.js';
import mixpanel from './mixpanel.js';

const recent = { ...ada, timestamp: new Date().toISOString() };
const send = (event: JsonObject, config: JsonObject = {}) => mixpanel.transform(event, { token: 't', ...config });
const updatesOf = (event: JsonObject, config: JsonObject = {}) =>
  send({ ...recent, type: 'identify', ...event }, { useNewMapping: true, ...config }).map(
    (payload) => itemsOf(payload)[0],
  );
const setOf = (event: JsonObject, config: JsonObject = {}) =>
  objectAt(
    updatesOf(event, config).find((update) => update && '$set' in update),
    '$set',
  );

describe('the profile of a Mixpanel identify', () => {
  const both = (...names: string[]) => names.flatMap((name) => [`traits.${name}`, `context.traits.${name}`]);
  const each = (...names: string[]) =>
    ['traits', 'context.traits'].flatMap((root) => names.map((name) => `${root}.${name}`));

  it.each([
    ['$created', ...both('createdAt')],
    ['$email', ...both('email'), 'properties.email'],
    ['$first_name', ...each('firstName', 'firstname', 'first_name')],
    ['$last_name', ...each('lastName', 'lastname', 'last_name')],
    ['$name', ...both('name')],
    ['$username', ...both('username', 'userName')],
    ['$phone', ...both('phone'), 'properties.phone'],
    ['$avatar', ...both('avatar')],
    ['$country_code', ...both('address.country', 'country'), 'context.location.country'],
    ['$city', ...both('city', 'address.city'), 'context.location.city'],
    ['$region', ...both('state', 'address.state'), 'context.location.region'],
    ['$timezone', 'context.location.timezone'],
    ['$latitude', 'context.location.latitude'],
    ['$longitude', 'context.location.longitude'],
    ['$carrier', 'context.network.carrier'],
    ['$wifi', 'context.network.wifi'],
    ['$manufacturer', 'context.device.manufacturer'],
    ['$model', 'context.device.model'],
    ['$screen_height', 'context.screen.height'],
    ['$screen_width', 'context.screen.width'],
    ['$unsubscribed', ...both('unsubscribed'), 'properties.unsubscribed'],
    ['$initial_referrer', 'context.page.initial_referrer', 'context.page.initialReferrer'],
    ['$initial_referring_domain', 'context.page.initial_referring_domain', 'context.page.initialReferringDomain'],
  ])('has %s from %s, then %s', (property, ...sources) => {
    let event: JsonObject = { traits: { other: '' } };
    for (const source of sources.toReversed()) {
      event = eventWith(event, source, source);
      expect(setOf(event)).toEqual({ other: '', [property]: source });
    }
  });

  it.each<[JsonObject, JsonObject]>([
    [
      { firstName: 'Ada', last_name: 'King' },
      { $first_name: 'Ada', $last_name: 'King', $name: 'Ada King' },
    ],
    [
      { firstName: 'Ada', lastName: 'King', name: 'A' },
      { $first_name: 'Ada', $last_name: 'King', $name: 'A' },
    ],
    [{ lastName: 'King' }, { $last_name: 'King' }],
    [{ email: '', phone: null, unsubscribed: false }, { $unsubscribed: false }],
    [
      { address: { city: 'Turin', zip: '1' }, region: 'r' },
      { $city: 'Turin', region: 'r' },
    ],
    [
      { address: 'Via Po', none: null, list: [], inner: { a: {} } },
      { none: null, list: [], inner: { a: {} } },
    ],
    [{ 'plan.name': 'pro' }, { plan: { name: 'pro' } }],
  ])('of the traits %j is %j', (traits, expected) => {
    expect(setOf({ traits })).toEqual(expected);
    expect(setOf({ context: { traits } })).toEqual(expected);
  });

  it('lets other traits of the context win', () => {
    expect(setOf({ traits: { plan: 'own', a: 1 }, context: { traits: { plan: 'pro', b: 2 } } })).toEqual({
      ...{ plan: 'pro', a: 1, b: 2 },
    });
  });

  it('has other names without useNewMapping', () => {
    const traits = { firstName: 'Ada', lastName: 'King' };
    const older = { $firstName: 'Ada', $lastName: 'King', $name: 'Ada King' };
    expect(setOf({ traits }, { useNewMapping: false })).toEqual(older);
  });

  it('takes only one source of a place', () => {
    expect(setOf({ context: { location: { geoSource: 'reverse_geocoding' } } })).toEqual({
      $geo_source: 'reverse_geocoding',
    });
    expect(() => setOf({ context: { location: { geoSource: 'gps' } } })).toThrow('reverse_geocoding');
  });

  const device = { token: 'd', model: 'm', manufacturer: 'f' };
  const context = { os: { name: 'o', version: '1' }, app: { version: '2', build: '3' } };
  const properties = { iosLibVersion: '4', androidLibVersion: '5', androidBrand: 'b' };
  const apple = {
    ...{ $ios_devices: ['d'], $os: 'o', $ios_device_model: 'm', $ios_version: '1' },
    ...{ $ios_app_release: '2', $ios_app_version: '3', $ios_lib_version: '4' },
  };
  const android = {
    ...{ $android_devices: ['d'], $os: 'o', $android_model: 'm', $android_os_version: '1', $android_manufacturer: 'f' },
    ...{ $android_app_version: '2', $android_app_version_code: '3', $android_lib_version: '5', $android_brand: 'b' },
  };
  it.each<[string, JsonObject]>([
    ['iOS', apple],
    ['watchos', apple],
    ['ipados', apple],
    ['tvos', apple],
    ['ANDROID', android],
    ['other', {}],
  ])('of a device %s has %j', (type, expected) => {
    const known = { $model: 'm', $manufacturer: 'f' };
    expect(setOf({ properties, context: { ...context, device: { ...device, type } } })).toEqual({
      ...known,
      ...expected,
    });
  });

  it('has the brand from the manufacturer, and no device without a token', () => {
    const found = setOf({ context: { device: { type: 'android', manufacturer: 'f' } } });
    expect(found).toEqual({ $manufacturer: 'f', $android_manufacturer: 'f', $android_brand: 'f' });
  });

  it('is seen with an address and a time, unless the user is inactive', () => {
    const set = (event: JsonObject) => updatesOf({ anonymousId: '', ...event }).at(-1);
    const known = { $set: {}, $token: 't', $distinct_id: 'ada' };
    expect(set({ request_ip: '192.0.2.1' })).toEqual({
      ...{ ...known, $ip: '192.0.2.1', $time: Date.parse(recent.timestamp) },
    });
    expect(set({ timestamp: 'soon', context: { active: false } })).toEqual({
      ...known,
      $time: null,
      $ignore_time: true,
    });
    expect(set({ context: { active: 0 } })).not.toHaveProperty('$ignore_time');
  });
});

describe('the operations of a Mixpanel identify', () => {
  const property = (...names: string[]) => names.map((name) => ({ property: name }));

  it('take traits in turn, and $set has the rest', () => {
    const traits = { first: 1, tags: 'a', log: ['l'], first_name: 'Ada', plan: 'pro' };
    const config = {
      setOnceProperties: property('first', 'first_name', 'absent', ''),
      unionProperties: property('tags', 'log', 'first'),
      appendProperties: property('plan', 'tags'),
    };
    const known = { $token: 't', $distinct_id: 'ada' };
    for (const event of [{ traits }, { context: { traits } }]) {
      expect(updatesOf(event, config)).toEqual([
        { $set_once: { first: 1, $first_name: 'Ada' }, ...known },
        { $union: { tags: ['a'], log: ['l'] }, ...known },
        { $append: { plan: 'pro' }, ...known },
        { $set: {}, ...known, $time: Date.parse(recent.timestamp) },
        { event: '$merge', properties: { $distinct_ids: ['ada', 'anon-1'], token: 't' } },
      ]);
    }
  });

  it.each<[string, unknown, JsonObject]>([
    ['createdAt', 1, { $created: 1 }],
    ['email', 'e', { $email: 'e' }],
    ['firstname', 'f', { $first_name: 'f' }],
    ['last_name', 'l', { $last_name: 'l' }],
    ['name', 'n', { $name: 'n' }],
    ['userName', 'u', { $username: 'u' }],
    ['phone', 'p', { $phone: 'p' }],
    ['avatar', 'a', { $avatar: 'a' }],
    ['address.country', 'c', { $country_code: 'c' }],
    ['address.zip', 'z', { zip: 'z' }],
    ['address', { city: 'c', state: 's', zip: 'z' }, { $city: 'c', $region: 's' }],
    ['state', 's', { $region: 's' }],
    ['unsubscribed', false, { $unsubscribed: false }],
    ['location', { region: 'r' }, { $region: 'r', location: { region: 'r' } }],
    ['network', { carrier: 'c' }, { $carrier: 'c', network: { carrier: 'c' } }],
  ])('rename %s of %j: %j', (path, value, expected) => {
    const event = eventWith({ traits: {} }, `traits.${path}`, value);
    const list = property(path);
    const lists = Object.fromEntries(Object.entries(expected).map(([key, one]) => [key, [one]]));
    expect(updatesOf(event, { setOnceProperties: list })[0]).toMatchObject({ $set_once: expected });
    expect(updatesOf(event, { appendProperties: list })[0]).toMatchObject({ $append: expected });
    expect(updatesOf(event, { unionProperties: list })[0]).toMatchObject({ $union: lists });
  });

  it.each([[null], [''], ['  '], [{}], [[]]])('take no %j', (empty) => {
    expect(updatesOf({ traits: { empty } }, { appendProperties: property('empty') })[0]).toMatchObject({
      $set: { empty },
    });
  });

  it('take a textual address, which no profile has', () => {
    const config = { setOnceProperties: property('address') };
    expect(updatesOf({ anonymousId: '', traits: { address: 'Via Po' } }, config)).toMatchObject([{ $set: {} }]);
  });

  it('leave the event as it is', () => {
    const event = { traits: { tags: 'a' }, context: { traits: { tags: 'b' } } };
    updatesOf(event, { unionProperties: property('tags') });
    expect(event).toEqual({ traits: { tags: 'a' }, context: { traits: { tags: 'b' } } });
  });
});
