import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { asItIs, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import { sha256, trait, valueAt, ZIP } from '../../toolkit/index.js';
import snapchatConversion from './snapchat_conversion.js';

const timestamp = new Date(Date.now() - 60_000).toISOString();
const seconds = String(Math.floor(Date.parse(timestamp) / 1_000));
const CONFIG = { apiKey: 'k', pixelId: 'px', snapAppId: 'sa', appId: 'app' };
const newApi = { apiVersion: 'newApi' };
const known = { request_ip: '192.0.2.1', context: { userAgent: 'agent' } };
const EVENT = { type: 'track', event: 'save', channel: 'web', timestamp, ...known };

const transformed = (values: JsonObject, config: JsonObject = {}) =>
  snapchatConversion.transform(withValues(EVENT, values), { ...CONFIG, ...config });
const version2 = (values: JsonObject): JsonObject => transformed(values)[0]?.body.JSON ?? {};
const version3 = (values: JsonObject): JsonObject => {
  const [item] = [transformed(values, newApi)[0]?.body.JSON['data']].flat();
  return item as JsonObject;
};

const word = (text: string) => sha256(text.toLowerCase());
const emails = [...trait('email'), 'properties.email'];
const properties = (...names: string[]) => names.map((name) => `properties.${name}`);

describe('version 2', () => {
  it('is one request for each event', () => {
    expect(transformed({ 'traits.email': 'a@b.cd' })).toMatchObject([
      {
        endpoint: 'https://tr.snapchat.com/v2/conversion',
        headers: { authorization: 'Bearer k' },
        body: { JSON: { event_type: 'SAVE', event_conversion_type: 'WEB', pixel_id: 'px', timestamp: seconds } },
      },
    ]);
  });

  it.each<SourcesRow>([
    ...['description', 'event_tag', 'click_id', 'level', 'uuid_c1', 'customer_status', 'data', 'att_status'].map(
      (key): SourcesRow => [key, [`properties.${key}`], asItIs],
    ),
    ['advertiser_cookie_1', ['properties.advertiser_cookie_1'], asItIs],
    ['delivery_method', ['properties.delivery_method'], asItIs],
    ['sign_up_method', properties('sign_up_method', 'signUpMethod'), asItIs],
    ['device_model', ['context.device.model'], asItIs],
    ['country', trait('country'), asItIs],
    ['region', trait('region'), asItIs],
    ['user_agent', ['context.userAgent'], (text) => text.toLowerCase()],
    ['hashed_first_name_sha', trait('firstName', 'firstname', 'first_name'), word],
    ['hashed_middle_name_sha', trait('middleName', 'middle_name'), word],
    ['hashed_last_name_sha', trait('lastName', 'lastname', 'last_name'), word],
    ['hashed_city_sha', trait('address.city'), word],
    ['hashed_state_sha', trait('state'), word],
    ['hashed_zip', ZIP, word],
    ['hashed_email', emails, word],
    ['hashed_ip_address', ['context.ip', 'request_ip'], sha256],
    ['hashed_mobile_ad_id', ['properties.adId', 'context.device.advertisingId'], sha256],
    ['page_url', ['context.page.url', 'properties.url'], asItIs],
    ['client_dedup_id', ['properties.client_dedup_id'], asItIs],
    ['transaction_id', properties('transaction_id', 'transactionId'), asItIs],
    ['item_ids', properties('item_ids'), asItIs],
    ['item_category', properties('category'), asItIs],
    ['number_items', properties('number_items', 'quantity'), asItIs],
    ['price', properties('price', 'value', 'revenue'), asItIs],
    ['currency', properties('currency'), asItIs],
    ['search_string', properties('search_string'), asItIs],
  ])('has %s from %j', (...row) => {
    expectSources(version2, row);
  });

  it('reads the first external id as an e-mail in the end, and keeps hashes', () => {
    const externalId = [{ type: 'any', id: ' A@B.cd' }];
    expect(version2({ 'context.externalId': externalId })['hashed_email']).toBe(sha256('a@b.cd'));
    expect(version2({ 'traits.email': word('a') })['hashed_email']).toBe(word('a'));
  });

  it.each<[unknown, unknown]>([
    ['+39 (011) 0', sha256('390110')],
    ['0039 011', sha256('39011')],
    [39_011, sha256('39011')],
    ['none', undefined],
    [['39'], undefined],
  ])('hashes the digits of the phone %j', (phone, expected) => {
    expect(version2({ 'traits.phone': phone })['hashed_phone_number']).toBe(expected);
  });

  it.each<[JsonObject, JsonObject]>([
    [{ 'context.device.type': 'iOS', 'properties.idfv': 'D', 'context.device.id': 'e' }, { hashed_idfv: sha256('D') }],
    [{ 'context.device.type': 'tvos', 'context.device.id': 'D' }, { hashed_idfv: sha256('D') }],
    [{ 'context.device.type': 'android', 'context.device.id': 'D' }, { hashed_idfv: undefined }],
    [{ 'context.device.attTrackingStatus': 2 }, { data_use: "['lmu']" }],
    [{ 'context.device.attTrackingStatus': '2' }, { data_use: undefined }],
    [{ 'properties.brands': ['b'] }, { brands: ['b'] }],
    [{ 'properties.brands': 'b' }, { brands: undefined }],
    [
      { 'properties.number_items': 0, 'properties.price': 0 },
      { number_items: 0, price: 0 },
    ],
    [
      { channel: 'server', 'context.page.url': 'u' },
      { page_url: undefined, pixel_id: 'px' },
    ],
    [{ channel: 'mobile' }, { snap_app_id: 'sa', app_id: 'app', pixel_id: undefined }],
    [
      { 'properties.other': 1, 'properties.level': '' },
      { other: undefined, level: undefined },
    ],
  ])('of %j has %j', (values, expected) => {
    const body = version2(values);
    expect(Object.fromEntries(Object.keys(expected).map((key) => [key, body[key]]))).toEqual(expected);
  });
});

describe('version 3', () => {
  it.each<SourcesRow>([
    ['event_source_url', ['context.page.url', 'properties.url'], asItIs],
    ['event_id', properties('client_dedup_id', 'transaction_id', 'transactionId'), asItIs],
    ['user_data.em', emails, word],
    ['user_data.fn', trait('firstName', 'firstname', 'first_name'), word],
    ['user_data.ln', trait('lastName', 'lastname', 'last_name'), word],
    ['user_data.ge', trait('gender'), word],
    ['user_data.ct', trait('address.city'), word],
    ['user_data.zp', ZIP, word],
    ['user_data.st', trait('state'), word],
    ['user_data.country', trait('country'), word],
    ['user_data.client_ip_address', ['context.ip', 'request_ip'], asItIs],
    ['user_data.client_user_agent', ['context.userAgent'], asItIs],
    ['user_data.idfv', ['properties.idfv', 'context.device.id'], asItIs],
    ['user_data.madid', ['properties.adId', 'context.device.advertisingId'], asItIs],
    ['user_data.sc_click_id', ['properties.click_id'], asItIs],
    ['user_data.sc_cookie1', ['properties.uuid_c1'], asItIs],
    ['app_data.advertiser_tracking_enabled', ['properties.att_status'], asItIs],
    ['custom_data.content_ids', properties('item_ids'), asItIs],
    ['custom_data.content_category', properties('category'), asItIs],
    ['custom_data.num_items', properties('number_items', 'quantity'), asItIs],
    ['custom_data.value', properties('price', 'value', 'revenue'), asItIs],
    ['custom_data.currency', properties('currency'), asItIs],
    ['custom_data.search_string', properties('search_string'), asItIs],
  ])('has %s from %j', (...row) => {
    expectSources(version3, row);
  });

  it('is a list in one request, and has nothing of what is not known', () => {
    const [payload, ...more] = transformed({ 'traits.phone': '39' }, newApi);
    expect(more).toEqual([]);
    expect(payload).toMatchObject({
      endpoint: 'https://tr.snapchat.com/v3/px/events',
      params: { access_token: 'k' },
      body: {
        JSON: {
          data: [
            {
              ...{ event_name: 'SAVE', action_source: 'WEB', event_time: seconds },
              user_data: { ph: sha256('39'), client_ip_address: '192.0.2.1', client_user_agent: 'agent' },
            },
          ],
        },
      },
    });
    expect(Object.keys(version3({})).sort()).toEqual(['action_source', 'event_name', 'event_time', 'user_data']);
  });

  it.each<[JsonObject, string, unknown]>([
    [{ 'traits.email': 'nobody' }, 'user_data.em', undefined],
    [{ 'traits.email': word('a@b.cd') }, 'user_data.em', undefined],
    [{ 'traits.firstName': '  ' }, 'user_data.fn', undefined],
    [{ 'context.device.attTrackingStatus': 2 }, 'data_processing_options', "['lmu']"],
    [{ 'properties.brand': ['b'] }, 'custom_data.brand', ['b']],
    [{ 'properties.brands': 'b' }, 'custom_data.brand', undefined],
    [{ channel: 'offline', 'context.page.url': 'u' }, 'event_source_url', undefined],
    [{ event: 'Promotion Viewed', 'properties.price': 2 }, 'custom_data.price', 2],
    [{ event: 'Promotion Clicked', 'properties.price': 2 }, 'custom_data.value', undefined],
  ])('of %j has at %s %j', (values, key, expected) => {
    expect(valueAt(version3(values), key)).toEqual(expected);
  });

  it.each<[JsonObject, JsonObject[] | undefined]>([
    [{ 'properties.sku': 's', 'properties.brand': 'B' }, [{ id: 's', brand: 'B' }]],
    [{ 'properties.products': [], 'properties.id': 'i' }, [{ id: 'i' }]],
    [{ 'properties.products': 'p', 'properties.product_id': 'i' }, [{ id: 'i' }]],
    [
      {
        'properties.products': [
          { product_id: 'p', sku: 's', price: '2', quantity: 0 },
          'odd',
          { delivery_category: 'd' },
          {},
        ],
      },
      [{ id: 'p', item_price: '2', quantity: 0 }, { delivery_category: 'd' }],
    ],
    [{ 'properties.products': [{ name: 'n' }] }, undefined],
    [
      { 'properties.products': [{ product_id: '', sku: 's', brand: '', price: null, quantity: false }] },
      [{ id: 's', brand: '', quantity: false }],
    ],
  ])('of %j has the contents %j', (values, expected) => {
    expect(valueAt(version3(values), 'custom_data.contents')).toEqual(expected);
  });

  it.each<SourcesRow>([
    ...['app.namespace', 'app.build', 'app.version', 'os.version', 'device.model', 'locale'].map(
      (path, index): SourcesRow => [`extinfo.${index + 1}`, [`context.${path}`], asItIs],
    ),
    ...['network.carrier', 'screen.width', 'screen.height', 'screen.density'].map(
      (path, index): SourcesRow => [`extinfo.${index + 8}`, [`context.${path}`], asItIs],
    ),
    ...['cpu_cores', 'storage', 'free_storage'].map(
      (name, index): SourcesRow => [`extinfo.${index + 12}`, [`properties.${name}`], asItIs],
    ),
    ['extinfo.15', ['context.timezone'], asItIs],
  ])('of the app, %s, is read from %j', (key, ...row) => {
    expectSources((values) => version3({ channel: 'mobile', ...values }), [`app_data.${key}`, ...row]);
  });

  it('describes the app in sixteen places', () => {
    const app = { namespace: 'com.example', build: '7', version: '1.2' };
    const screen = { width: 10, height: 20, density: 2 };
    const context = { app, screen, timezone: 'Asia/Kolkata', locale: 'it-IT', device: { type: 'iPadOS' } };
    const item = version3({
      channel: 'mobile',
      'traits.phone': '39',
      context,
      'properties.att_status': 0,
      'properties.storage': 128,
    });
    expect(item['app_data']).toEqual({
      app_id: 'app',
      advertiser_tracking_enabled: 0,
      extinfo: [
        ...['i2', 'com.example', '7', '1.2', '', '', 'it-IT', 'IST', '', '10', '20', '2'],
        ...['', '128', '', 'Asia/Kolkata'],
      ],
    });
    const bare = version3({ channel: 'mobile', 'context.os.name': 'ios' });
    expect(bare['app_data']).toEqual({ app_id: 'app', extinfo: ['a2', ...Array(15).fill('')] });
  });
});
