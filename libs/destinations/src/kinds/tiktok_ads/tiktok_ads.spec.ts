import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { asItIs, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import { FIRST_NAME, LAST_NAME, property, sha256, trait, valueAt, ZIP } from '../../toolkit/index.js';
import tiktokAds from './tiktok_ads.js';

const CONFIG = { accessToken: 't', pixelCode: 'P1', version: 'v2' };
const EVENT = { ...ada, type: 'track', event: 'Search' };
const send = (values: JsonObject, config: JsonObject = {}) =>
  tiktokAds.transform(withValues(EVENT, values), { ...CONFIG, ...config });
const bodyOf = (values: JsonObject, config: JsonObject = {}): JsonObject => send(values, config)[0]?.body.JSON ?? {};
const itemsOf = (values: JsonObject, config: JsonObject = {}) => bodyOf(values, config)['data'] as JsonObject[];
const itemOf = (values: JsonObject, config: JsonObject = {}): JsonObject => itemsOf(values, config)[0] ?? {};
const plain = { hashUserProperties: true };
const lower = (text: string) => text.toLowerCase();
const word = (text: string) => sha256(text.toLowerCase());
const externalId = (id: unknown) => ({
  'context.externalId': [
    { type: 'other', id: 'o' },
    { type: 'tiktokExternalId', id },
  ],
});

describe('a field of Events API 2.0', () => {
  it.each<SourcesRow>([
    ['event_id', [...property('eventId', 'event_id'), 'messageId'], asItIs],
    ['limited_data_use', property('limited_data_use'), asItIs],
    ['properties.content_type', property('contentType', 'content_type'), asItIs],
    ['properties.search_string', property('query'), asItIs],
    ['properties.query', property('query'), asItIs],
    ['properties.shop_id', property('shop_id', 'shopId'), asItIs],
    ['properties.order_id', property('order_id', 'orderId'), asItIs],
    ['properties.currency', property('currency'), asItIs],
    ['properties.value', property('value'), asItIs],
    ['properties.description', property('description'), asItIs],
    ['page.url', ['properties.context.page.url', 'properties.url', 'context.page.url'], asItIs],
    ['page.referrer', ['properties.context.page.referrer', 'properties.referrer', 'context.page.referrer'], asItIs],
    ['user.locale', ['properties.context.user.locale', 'context.locale'], asItIs],
    ['user.ttclid', property('ttclid'), asItIs],
    ['user.ttp', ['properties.context.user.ttp', 'properties.ttp'], asItIs],
    [
      'user.email',
      ['properties.context.user.email', 'context.user.email', ...trait('email'), 'properties.email'],
      lower,
    ],
    ['user.phone', ['properties.context.user.phone', ...trait('phone'), 'properties.phone'], asItIs],
    ['user.ip', ['properties.context.user.ip', 'context.ip', 'request_ip'], asItIs],
    ['user.user_agent', ['properties.context.user.userAgent', 'context.userAgent'], asItIs],
    ['user.first_name', FIRST_NAME, word],
    ['user.last_name', LAST_NAME, word],
    ['user.zip_code', ZIP, sha256],
    ['user.city', ['context.traits.city', 'context.traits.address.city', 'properties.city'], asItIs],
    ['user.country', ['context.traits.country', 'context.traits.address.country', 'properties.country'], asItIs],
    ['user.state', ['context.traits.address.state', 'context.traits.state', 'properties.state'], asItIs],
    ['user.idfa', ['context.device.advertisingId'], asItIs],
    ['user.gaid', ['context.device.advertisingId'], lower],
    ['user.idfv', ['context.device.id'], asItIs],
    ['app.app_id', [...property('appId', 'app_id'), 'context.app.namespace'], asItIs],
    ['app.app_name', [...property('appName', 'app_name'), 'context.app.name'], asItIs],
    ['app.app_version', [...property('appVersion', 'app_version'), 'context.app.version'], asItIs],
    ['ad.callback', property('callBack'), asItIs],
    ['ad.campaign_id', property('campaignId', 'campaign_id'), asItIs],
    ['ad.ad_id', property('adId', 'ad_id'), asItIs],
    ['ad.creative_id', property('creativeId', 'creative_id'), asItIs],
    ['ad.is_retargeting', property('isRetargeting', 'is_retargeting'), asItIs],
    ['ad.attributed', property('attributed'), asItIs],
    ['ad.attribution_type', property('attributionType', 'attribution_type'), asItIs],
    ['ad.attribution_provider', property('attributionProvider', 'attribution_provider'), asItIs],
    ['lead.lead_id', property('leadId', 'lead_id'), asItIs],
    ['lead.lead_event_source', property('leadEventSource', 'lead_event_source'), asItIs],
  ])('%s is read from %j', (...row) => {
    expectSources((values) => itemOf(values), row);
  });

  it.each<[JsonObject, string, unknown, unknown]>([
    [{ 'traits.email': ' Ada@B.cd' }, 'email', 'ada@b.cd', sha256('ada@b.cd')],
    [{ 'traits.email': 7 }, 'email', 7, sha256('7')],
    [{ 'traits.phone': ' +1' }, 'phone', ' +1', sha256('+1')],
    [{ 'traits.phone': ['+1', ' +2'] }, 'phone', ['+1', ' +2'], [sha256('+1'), sha256('+2')]],
    [{ 'traits.phone': 39 }, 'phone', 39, 39],
    [{ 'traits.phone': ' ' }, 'phone', ' ', undefined],
    [{ 'traits.email': { at: 'b' } }, 'email', undefined, undefined],
    [externalId([{}, ' ', null]), 'external_id', [' '], undefined],
    [externalId([{}, 'a']), 'external_id', ['a'], [sha256('a')]],
    [{ 'traits.firstName': {} }, 'first_name', undefined, undefined],
    [{ 'traits.lastName': ' ' }, 'last_name', undefined, undefined],
    [{ 'traits.zip': ' - ' }, 'zip_code', undefined, undefined],
    [{ 'traits.zip': ['US'] }, 'zip_code', undefined, undefined],
    [externalId(' A'), 'external_id', ' A', sha256('A')],
    [externalId(['a', 'b']), 'external_id', ['a', 'b'], [sha256('a'), sha256('b')]],
    [externalId(7), 'external_id', undefined, undefined],
    [externalId(''), 'external_id', undefined, undefined],
    [{ 'context.device.advertisingId': ' ID ' }, 'idfa', 'ID', sha256('ID')],
    [{ 'context.device.advertisingId': ' ID ' }, 'gaid', 'id', sha256('id')],
    [{ 'context.device.id': 'ID' }, 'idfv', 'ID', 'ID'],
    [{ 'traits.zip': ' US - 12-' }, 'zip_code', sha256('US12'), sha256('US12')],
    [{ 'traits.zip': 1_234 }, 'zip_code', sha256('1234'), sha256('1234')],
    [{ 'traits.firstName': ' Ada ' }, 'first_name', sha256('ada'), sha256('ada')],
    [{ 'context.traits.city': 'New York' }, 'city', 'New York', 'New York'],
    [{ 'properties.att_status': 'denied' }, 'att_status', 'DENIED', 'DENIED'],
    [{ 'properties.att_status': 'perhaps' }, 'att_status', undefined, undefined],
  ])('of the user of %j is %s: %j, or hashed %j', (values, key, given, hashed) => {
    const seen = [{}, { hashUserProperties: false }, plain].map((config) =>
      valueAt(itemOf(values, config), `user.${key}`),
    );
    expect(seen).toEqual([given, given, hashed]);
  });

  it.each<[unknown, string[]]>([
    ['iOS', ['idfa', 'idfv']],
    ['tvos', ['idfa', 'idfv']],
    ['Android', ['gaid']],
    ['Windows', ['gaid', 'idfa', 'idfv']],
    [undefined, ['gaid', 'idfa', 'idfv']],
    [7, ['gaid', 'idfa', 'idfv']],
  ])('identifies a device of %j by %j', (name, keys) => {
    const user = itemOf({ 'context.device': { id: 'i', advertisingId: 'a' }, 'context.os.name': name })['user'];
    expect(Object.keys(user ?? {}).sort()).toEqual(keys);
  });

  it('is absent without a source', () => {
    expect(itemOf({ 'properties.other': 1, 'properties.revenue': 5, 'traits.city': 'c' })).toEqual({
      ...{ event: 'Search', event_id: 'm-1', event_time: 1_772_600_767 },
    });
    expect(itemOf({ timestamp: null, originalTimestamp: 1_772_600_767_890 })['event_time']).toBe(1_772_600_767);
    expect(itemOf({ 'properties.value': 0, 'properties.limited_data_use': false })).toMatchObject({
      ...{ limited_data_use: false, properties: { value: 0 } },
    });
  });
});

describe('the products', () => {
  const product = {
    product_id: 7,
    name: 'n',
    category: 'c',
    price: '2',
    quantity: 1,
    description: 'd',
    brand: 'b',
    sku: 's',
  };
  const content = {
    content_id: '7',
    content_name: 'n',
    content_category: 'c',
    price: '2',
    quantity: 1,
    description: 'd',
    brand: 'b',
  };

  it.each<[string, JsonObject, JsonObject | undefined]>([
    [
      'Search',
      { products: [product, 'odd', { sku: 's' }] },
      { contents: [content], contents_ids: ['7'], num_items: 1 },
    ],
    ['Search', { products: [] }, { contents: [] }],
    ['Search', { products: 'p' }, { contents: [] }],
    ['Search', {}, undefined],
    ['ViewContent', {}, { content_type: 'product' }],
    ['Product Added', { content_type: 'own' }, { content_type: 'own' }],
    ['Order Completed', { order_id: 5 }, { content_type: 'product', order_id: '5' }],
    ['Checkout Step Completed', {}, { content_type: 'product' }],
    ['Purchase', { contents: [{ own: true }], products: [product] }, { contents: [{ own: true }] }],
    [
      'Search',
      { contents: { content_id: 'x', own: true } },
      { contents: [{ content_id: 'x', own: true }], contents_ids: ['x'], num_items: 1 },
    ],
  ])('of %s with %j are %j', (event, properties, expected) => {
    expect(itemOf({ event, properties })['properties']).toEqual(expected);
  });
});

describe('the name', () => {
  const eventsToStandard = [
    { from: ' Search', to: 'Contact' },
    { from: 'search', to: 'Schedule' },
    { from: 'SEARCH', to: 'Contact' },
  ];

  it.each<[string, JsonObject, string[]]>([
    [' viewCONTENT', {}, ['ViewContent']],
    ['Product Added to Wishlist', {}, ['AddToWishlist']],
    ['Checkout Started', {}, ['InitiateCheckout']],
    ['Payment Info Entered', {}, ['AddPaymentInfo']],
    ['Order Completed', {}, ['PlaceAnOrder']],
    ['Start Trial', {}, ['StartTrial']],
    ['Submit Application', {}, ['SubmitApplication']],
    ['Application Approval', {}, ['ApplicationApproval']],
    [' My Bet', { sendCustomEvents: true }, [' My Bet']],
    ['addToCart', { sendCustomEvents: true }, ['addToCart']],
    ['Order_Completed', { sendCustomEvents: true }, ['Order_Completed']],
    ['Search ', { eventsToStandard }, ['Contact', 'Schedule']],
  ])('of %s with %j is %j', (event, config, names) => {
    expect(itemsOf({ event }, config).map((item) => item['event'])).toEqual(names);
    const older = send({ event }, { ...config, version: '' });
    expect(older.map(({ body }) => body.JSON['event'])).toEqual(names);
  });
});

describe('a request to TikTok', () => {
  it('has one item for each name', () => {
    expect(send({ 'properties.testEventCode': 'T1' })).toMatchObject([
      {
        endpoint: 'https://business-api.tiktok.com/open_api/v1.3/event/track/',
        headers: { 'access-token': 't' },
        body: {
          JSON: { event_source: 'web', event_source_id: 'P1', test_event_code: 'T1', data: [{ event: 'Search' }] },
        },
      },
    ]);
    expect(bodyOf({ 'properties.testEventCode': '' })).not.toHaveProperty('test_event_code');
  });

  it.each<[JsonObject, string]>([
    [{ eventSource: 'app', event_source: 'crm' }, 'app'],
    [{ eventSource: 'App', event_source: 'crm' }, 'crm'],
    [{ event_source: 'offline' }, 'offline'],
    [{ event_source: 'kiosk' }, 'web'],
  ])('of %j comes from the source %s', (properties, source) => {
    expect(bodyOf({ properties })['event_source']).toBe(source);
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ event: 'Bet' }, {}, 'the event Bet has no event of TikTok'],
    [{ event: 'addToCart' }, {}, 'has no event of TikTok'],
    [{ event: 7 }, {}, 'Event name is required'],
    [{ event: ' ' }, {}, 'Event name is required'],
    [{}, { accessToken: '' }, 'accessToken is required'],
    [{}, { pixelCode: null }, 'pixelCode is required'],
    [{}, { pixelCode: '', version: 'v1' }, 'pixelCode is required'],
    [{ timestamp: undefined }, {}, 'event_time is required'],
    [{ type: 'page' }, {}, 'Event type page is not supported'],
    [{ type: '' }, {}, 'Event type is required'],
  ])('for %j with %j is refused: %s', (values, config, message) => {
    expect(() => send(values, config)).toThrow(message);
  });
});
