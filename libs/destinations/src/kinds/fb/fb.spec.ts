import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { answering } from '../../../test/answering.fixtures.js';
import { ada } from '../../../test/events.fixtures.js';
import { asItIs, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import type { OutboundRequest, Payload } from '../../kind.js';
import { KNOWN_USER_ID, sha256, trait, ZIP } from '../../toolkit/index.js';
import fb from './fb.js';

const config = { appID: 'app 1' };
const context = { device: { type: 'iOS' }, os: { version: '17.1' } };
const ride = { ...ada, type: 'track', event: 'ride_started', context, properties: {} };
const send = (values: JsonObject, settings: JsonObject = {}) =>
  fb.transform(withValues(ride, values), { ...config, ...settings });
const formOf = (values: JsonObject, settings: JsonObject = {}): JsonObject =>
  send(values, settings)[0]?.body.FORM ?? {};
const eventOf = (values: JsonObject): JsonObject => JSON.parse(String(formOf(values)['custom_events']))[0];
const infoOf = (values: JsonObject): unknown => JSON.parse(String(formOf(values)['extinfo'] ?? 'null'));
const nobody = { userId: undefined };

describe('an event for Facebook App Events', () => {
  it('is a custom event of the app', () => {
    expect(send({ 'context.ip': '192.0.2.7' })).toMatchObject([
      {
        ...{ method: 'POST', endpoint: 'https://graph.facebook.com/v25.0/app%201/activities', userId: 'ada' },
        headers: { 'x-forwarded-for': '192.0.2.7' },
      },
    ]);
    expect(formOf({})).toEqual({
      ...{ event: 'CUSTOM_APP_EVENTS', app_user_id: 'ada' },
      extinfo: '["i2","","","","17.1","","","","",0,0,0,0,0,0,""]',
      custom_events: '[{"_eventName":"ride_started","_logTime":1772600767890}]',
      ...{ advertiser_tracking_enabled: '0', application_tracking_enabled: '0' },
    });
    expect(send(nobody)).toMatchObject([{ userId: 'anon-1', headers: {} }]);
    expect(formOf(nobody)).not.toHaveProperty('app_user_id');
  });

  it.each(['[::1]:64059', 'a\r\nhost: b', 7])('is not forwarded for the address %j', (ip) => {
    expect(send({ 'context.ip': ip })).toMatchObject([{ headers: {} }]);
  });

  it.each<SourcesRow>([
    ['advertiser_id', ['context.device.advertisingId'], asItIs],
    ['app_user_id', KNOWN_USER_ID, asItIs],
  ])('has %s from %j', (...row) => {
    expectSources((values) => formOf({ ...nobody, ...values }), row);
  });

  const word = (text: string) => sha256(text.toLowerCase());
  const place = () => sha256('oneexamplecom');
  it.each<SourcesRow>([
    ['em', [...trait('email'), 'properties.email'], word],
    ['fn', trait('firstName', 'firstname', 'first_name'), word],
    ['ln', trait('lastName', 'lastname', 'last_name'), word],
    ['ct', trait('address.city', 'city'), place],
    ['st', trait('address.state', 'state'), place],
    ['zp', ZIP, place],
    ['country', trait('address.country', 'country'), place],
  ])('has the hash %s from %j', (key, ...row) => {
    const user = (values: JsonObject) => ({ [key]: formOf(values)[`ud[${key}]`] });
    expectSources(user, [key, ...row]);
  });

  it.each<[JsonObject, string, string | undefined]>([
    [{ 'context.traits.phone': '+44 (0)20' }, 'ph', '44020'],
    [{ 'traits.phone': '0044-20' }, 'ph', '4420'],
    [{ 'traits.gender': ' Female' }, 'ge', 'f'],
    [{ 'traits.gender': 7 }, 'ge', undefined],
    [{ 'traits.birthday': '1990-05-06' }, 'db', '19900506'],
    [{ 'traits.birthday': 'spring' }, 'db', undefined],
    [{ 'traits.city': { of: 'Rome' } }, 'ct', undefined],
  ])('of %j has the hash %s of %j', (values, key, plain) => {
    expect(formOf(values)[`ud[${key}]`]).toBe(plain === undefined ? undefined : sha256(plain));
  });

  it.each<[JsonObject, string, string]>([
    [{ 'context.device.adTrackingEnabled': true }, '1', '0'],
    [{ 'context.device.adTrackingEnabled': 'true', 'context.device.attTrackingStatus': 2 }, '0', '0'],
    [{ 'context.device.adTrackingEnabled': false, 'context.device.attTrackingStatus': 3 }, '1', '0'],
    [{ 'context.device.type': 'Android', 'context.device.attTrackingStatus': 3 }, '0', '0'],
    [{ 'properties.application_tracking_enabled': 1 }, '0', '1'],
    [{ 'context.application_tracking_enabled': true }, '0', '1'],
  ])('with %j may be used for advertising: %s, by the app: %s', (values, advertiser, app) => {
    const { advertiser_tracking_enabled, application_tracking_enabled } = formOf(values);
    expect([advertiser_tracking_enabled, application_tracking_enabled]).toEqual([advertiser, app]);
  });

  it('is for limited use if that is configured', () => {
    const limited = { limitedDataUse: true };
    expect(formOf({}, { ...limited, dpoCountry: '1', dpoState: 1_000 })).toMatchObject({
      data_processing_options: '["LDU"]',
      ...{ data_processing_options_country: 1, data_processing_options_state: 1_000 },
    });
    expect(formOf({}, limited)).toMatchObject({ data_processing_options_country: 0, data_processing_options_state: 0 });
    expect(formOf({}, { dpoCountry: 1 })).not.toHaveProperty('data_processing_options');
  });
});

describe('the device of an event for Facebook App Events', () => {
  const at: [place: number, path: string, given: unknown, sent: unknown][] = [
    [0, 'device.type', 'android', 'a2'],
    ...(['app.namespace', 'app.build', 'app.version', 'os.version', 'device.model', 'locale'] as const).map(
      (path, index): (typeof at)[number] => [index + 1, path, 'text', 'text'],
    ),
    [8, 'network.carrier', 'O2', 'O2'],
    [9, 'screen.width', '640', 640],
    [10, 'screen.height', 480.5, 480],
    [11, 'screen.density', '2.345', '2.35'],
    [11, 'screen.density', 'high', 0],
    [15, 'timezone', 'Europe/Rome', 'Europe/Rome'],
  ];
  it.each(at)('has at place %i what %s tells', (place, path, given, sent) => {
    const info = infoOf({ [`context.${path}`]: given }) as unknown[];
    expect(info).toHaveLength(16);
    expect(info[place]).toBe(sent);
  });

  it('is left out unless its system is known', () => {
    expect(infoOf({ 'context.device.type': 'console' })).toBeNull();
    expect(infoOf({ 'context.device.type': '', 'context.os.name': 'Android' })).toContain('a2');
  });
});

describe('the custom event', () => {
  it.each<[JsonObject, string]>([
    [{ event: 'Product Added' }, 'fb_mobile_add_to_cart'],
    [{ event: 'order_completed' }, 'fb_mobile_purchase'],
    [{ event: 'constructor' }, 'constructor'],
    [{ type: 'page', name: 'Home' }, 'Viewed Page'],
    [{ type: 'screen', 'properties.name': 'Home', name: 'Start' }, 'Viewed Home Screen'],
    [{ type: 'screen', name: 'Start' }, 'Viewed Start Screen'],
    [{ type: 'screen', name: 'Start.2' }, 'Viewed Screen'],
    [{ type: 'screen', name: 'x'.repeat(30) }, 'Viewed Screen'],
    [{ type: 'screen' }, 'Viewed Screen'],
  ])('of %j is %s', (values, name) => {
    expect(eventOf(values)).toMatchObject({ _eventName: name });
  });

  it('has standard parameters and all other properties', () => {
    const properties = {
      ...{ revenue: '12.5', price: 4, currency: 'EUR', order_id: 7, quantity: '3', query: 'shoe', name: 'Shop' },
      ...{ colour: 'red', isGift: true, nothing: null, email: 'a@b.c', sizes: [40, 41], box: { of: 'card' } },
      products: [{ product_id: 'p-1' }, { sku: 's-2' }, { product_id: 'p-3' }],
    };
    expect(eventOf({ properties })).toEqual({
      ...{ _eventName: 'ride_started', _logTime: 1_772_600_767_890, _valueToSum: 12.5, fb_currency: 'EUR', price: 4 },
      ...{ fb_order_id: '7', fb_num_items: 3, fb_search_string: 'shoe', fb_description: 'Shop' },
      ...{ colour: 'red', isGift: true, sizes: '[40,41]', box: '{"of":"card"}', fb_content_id: ['p-1', 'p-3'] },
    });
    expect(eventOf({ 'properties.product_id': 'p-9', 'properties.price': 5, timestamp: 'never' })).toEqual({
      ...{ _eventName: 'ride_started', price: 5, fb_content_id: 'p-9' },
    });
  });

  it.each([
    ['EUR', { _valueToSum: 5, fb_currency: 'EUR' }],
    ['', {}],
    [null, {}],
    [7, {}],
  ])('with the currency %j has a price as its sum: %j', (currency, sum) => {
    expect(eventOf({ properties: { price: '5', currency }, timestamp: 'never' })).toEqual({
      ...{ _eventName: 'ride_started', price: '5', ...sum },
    });
  });
});

describe('Facebook App Events refuses', () => {
  it.each<[JsonObject, string]>([
    [{ type: 'identify' }, 'Event type identify is not supported'],
    [{ event: '' }, 'Event name is required'],
    [{ event: 'ride: started' }, 'Event name must have at most 40'],
    [{ event: 'x'.repeat(41) }, 'Event name must have at most 40'],
    [{ 'properties.revenue': 5 }, 'properties.revenue needs properties.currency'],
    [{ 'properties.revenue': 5, 'properties.currency': 7 }, 'properties.revenue needs properties.currency'],
    [{ 'properties.revenue': 'five', 'properties.currency': 'EUR' }, 'properties.revenue must be a number'],
    [{ 'properties.products': [{ product_id: 7 }] }, 'properties.products.product_id must be a text'],
    [{ 'properties.product_id': 7 }, 'properties.product_id must be a text'],
  ])('%j', (values, message) => {
    expect(() => send(values)).toThrow(message);
  });

  it('to work without an app', () => {
    expect(() => send({}, { appID: ' ' })).toThrow('appID is required');
    expect(() => send({}, { appID: '..' })).toThrow('cannot be part of an address');
  });
});

describe('the delivery to Facebook App Events', () => {
  const requestOf = async (change: Partial<Payload>): Promise<OutboundRequest | undefined> => {
    const requests: OutboundRequest[] = [];
    const [payload] = send({ 'context.ip': '192.0.2.7' });
    if (payload) await fb.deliver?.({ ...payload, ...change }, config, answering(200, {}, requests), {});
    return requests[0];
  };

  it('tells the address by the field that the client checks', async () => {
    const request = await requestOf({});
    expect(request).toMatchObject({ forwardedFor: '192.0.2.7', body: expect.stringContaining('ride_started') });
    expect(request?.headers).not.toHaveProperty('x-forwarded-for');
    expect(await requestOf({ headers: {} })).not.toHaveProperty('forwardedFor');
  });

  it.each(['https://graph.facebook.com.evil.example/v25.0/app/activities', 'https://intra.example/v25.0/app'])(
    'tells no address to %s',
    async (endpoint) => {
      expect(await requestOf({ endpoint })).not.toHaveProperty('forwardedFor');
    },
  );
});

it.each([
  [500, { error: { code: 17 } }, 429],
  ...[32, 368, 613, 80_000, 80_004, 80_014].map((code): [number, JsonObject, number] => [
    400,
    { error: { code } },
    429,
  ]),
  [400, { error: { code: 79_999 } }, 500],
  [400, { error: { code: 80_015 } }, 500],
  [400, { error: { code: '80004.5' } }, 500],
  [400, { error: { code: 190 } }, 401],
  [400, { error: { code: 190, is_transient: true } }, 401],
  [400, { error: { code: 100, is_transient: true } }, 500],
  [400, { error: { code: 100, is_transient: false } }, 400],
  [200, { success: true }, 200],
])('an answer with %i %j means %i', async (status, body, meant) => {
  const [payload] = send({});
  if (!payload) throw new Error('no payload');
  expect(await fb.deliver?.(payload, config, answering(status, body), {})).toEqual({ status: meant, response: body });
});
