import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { asItIs, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import type { OutboundRequest } from '../../kind.js';
import { KNOWN_USER_ID, property, sha256, trait, valueAt } from '../../toolkit/index.js';
import pinterestTag, { pinterestTagBatch, pinterestTagDeliver } from './pinterest_tag.js';

const CONFIG = { apiVersion: 'newApi', adAccountId: 'a/1', conversionToken: 't' };
const known = { request_ip: '192.0.2.1', context: { userAgent: 'agent' } };
const EVENT = { ...ada, ...known, type: 'track', channel: 'web', event: 'Product Added' };

const send = (values: JsonObject, config: JsonObject = {}) =>
  pinterestTag.transform(withValues(EVENT, values), { ...CONFIG, ...config });
const bodyOf = (values: JsonObject, config: JsonObject = {}): JsonObject => send(values, config)[0]?.body.JSON ?? {};
const namesOf = (values: JsonObject, config: JsonObject = {}) =>
  send(values, config).map(({ body }) => body.JSON['event_name']);
const inList = (text: string) => [text];

describe('a field for Pinterest', () => {
  it.each<SourcesRow>([
    ['event_source_url', ['context.page.url', 'properties.url'], asItIs],
    ['app_name', ['properties.appName', 'context.app.name'], asItIs],
    ['app_version', ['properties.appVersion', 'context.app.version'], asItIs],
    ['device_brand', ['properties.manufacturer', 'context.device.manufacturer'], asItIs],
    ['device_model', ['properties.deviceModel', 'context.device.model'], asItIs],
    ['device_type', ['properties.deviceType', 'context.device.type'], asItIs],
    ['os_version', ['context.os.version'], asItIs],
    ['language', ['properties.language', 'context.traits.language', 'context.locale'], asItIs],
    ['event_id', ['properties.own', 'messageId'], asItIs],
    ['user_data.em', [...trait('email'), 'properties.email'], inList],
    ['user_data.ph', [...trait('phone'), 'properties.phone'], inList],
    ['user_data.ge', trait('gender'), inList],
    ['user_data.db', ['traits.birthday', 'context.traits.birthday', 'traits.dateOfBirth'], inList],
    ['user_data.db', ['context.traits.dateOfBirth', 'traits.dateofbirth', 'context.dateofbirth'], inList],
    ['user_data.db', ['traits.dob', 'context.traits.dob', 'traits.DOB', 'context.traits.DOB'], inList],
    ['user_data.ln', trait('lastName', 'lastname', 'last_name'), inList],
    ['user_data.fn', trait('firstName', 'firstname', 'first_name'), inList],
    ['user_data.ct', trait('address.city'), inList],
    ['user_data.st', trait('address.state'), inList],
    ['user_data.zp', trait('address.zip'), inList],
    ['user_data.country', trait('address.country'), inList],
    ['user_data.hashed_maids', ['context.device.advertisingId'], inList],
    ['user_data.external_id', [...KNOWN_USER_ID, 'anonymousId'], inList],
    ['user_data.client_ip_address', ['context.ip', 'request_ip'], asItIs],
    ['user_data.client_user_agent', ['context.userAgent'], asItIs],
    ['user_data.click_id', ['properties.clickId'], asItIs],
    ['user_data.partner_id', trait('partnerId'), asItIs],
    ['custom_data.currency', property('currency'), asItIs],
    ['custom_data.value', property('value', 'total', 'revenue'), asItIs],
    ['custom_data.order_id', property('order_id'), asItIs],
    ['custom_data.search_string', property('query'), asItIs],
    ['custom_data.opt_out_type', property('optOutType'), asItIs],
    ['custom_data.content_name', property('contentName'), asItIs],
    ['custom_data.content_category', property('contentCategory'), asItIs],
    ['custom_data.content_brand', property('contentBrand'), asItIs],
    ['custom_data.np', property('np'), asItIs],
  ])('%s is read from %j', (...row) => {
    const config = { sendExternalId: true, deduplicationKey: 'properties.own' };
    expectSources((values) => bodyOf({ userId: undefined, ...values }, config), row);
  });

  it('that names where it happened comes from many places, and from the channel in the end', () => {
    const paths = [...trait('action_source'), ...trait('actionSource'), ...property('action_source', 'actionSource')];
    for (const path of paths) expect(bodyOf({ [path]: 'offline' })['action_source']).toBe('offline');
    expect(bodyOf({ 'traits.action_source': 'app_ios', channel: 'mobile' })['action_source']).toBe('app_ios');
  });

  it.each<[JsonObject, JsonObject, string, unknown]>([
    [{}, {}, 'event_time', 1_772_600_767],
    [{ timestamp: undefined, originalTimestamp: '2026-01-01T00:00:01Z' }, {}, 'event_time', 1_767_225_601],
    [{}, { appId: '' }, 'app_id', ''],
    [{}, { appId: null }, 'app_id', undefined],
    [{}, { deduplicationKey: null }, 'event_id', 'm-1'],
    [{}, { deduplicationKey: 'context' }, 'event_id', undefined],
    [{ 'context.device.adTrackingEnabled': true }, {}, 'opt_out', false],
    [{ 'context.device.adTrackingEnabled': 'false' }, {}, 'opt_out', false],
    [{ 'context.device.adTrackingEnabled': null }, {}, 'opt_out', true],
    [{}, {}, 'opt_out', undefined],
    [{ 'context.device.adTrackingEnabled': false }, {}, 'advertiser_tracking_enabled', false],
    [{ 'context.device.adTrackingEnabled': 'true' }, {}, 'advertiser_tracking_enabled', undefined],
    [{ 'properties.partnerName': { a: 1 } }, {}, 'partner_name', '{"a":1}'],
    [{ 'properties.partnerName': 'p', 'context.network.carrier': 7 }, {}, 'device_carrier', '7'],
    [{ 'context.network.carrier': 'c' }, {}, 'device_carrier', undefined],
    [{ 'context.network.wifi': 'yes' }, {}, 'wifi', true],
    [{ 'context.network.wifi': false }, {}, 'wifi', undefined],
    [{ 'context.externalId': [{ type: 'any', id: 'e' }] }, {}, 'user_data.em', ['e']],
    [{ 'properties.clickId': ['a'] }, {}, 'user_data.click_id', '["a"]'],
    [{ 'traits.phone': 39_011 }, {}, 'user_data.ph', undefined],
    [{ 'traits.email': ['a', '', 5, 'b'] }, {}, 'user_data.em', ['a', 'b']],
    [{ 'traits.email': { a: 1 } }, {}, 'user_data.em', undefined],
    [{ 'traits.gender': 'Female' }, {}, 'user_data.ge', ['Female']],
    [{}, {}, 'user_data.external_id', undefined],
    [{ 'properties.value': 0 }, {}, 'custom_data.value', '0'],
    [{ 'properties.order_id': { a: 'b' } }, {}, 'custom_data.order_id', '{"a":"b"}'],
    ...['order_id', 'contentName', 'contentCategory', 'contentBrand', 'np'].flatMap((property) =>
      [0, false].map((value): [JsonObject, JsonObject, string, unknown] => [
        { [`properties.${property}`]: value },
        {},
        `custom_data.${property.replace('content', 'content_').toLowerCase()}`,
        undefined,
      ]),
    ),
    [{ 'properties.other': 1 }, {}, 'custom_data.other', undefined],
  ])('of %j with %j is at %s %j', (values, config, key, expected) => {
    expect(valueAt(bodyOf(values, config), key)).toEqual(expected);
  });

  it.each<[string, unknown, string, string[] | undefined]>([
    ['traits.email', [' Ada@Example.com', 'b'], 'em', ['ada@example.com', 'b']],
    ['traits.phone', '+044 (20)', 'ph', ['4420']],
    ['traits.phone', 'none', 'ph', undefined],
    ['traits.address.zip', 'AB-12 3', 'zp', ['123']],
    ['traits.address.city', ' New York ', 'ct', ['new york']],
    ['traits.birthday', ' 1815 ', 'db', [' 1815 ']],
    ['traits.firstName', sha256('ada'), 'fn', [sha256('ada')]],
    ['userId', 'Ada', 'external_id', ['Ada']],
    ['userId', 7, 'external_id', undefined],
    ['context.device.advertisingId', 'ID', 'hashed_maids', ['ID']],
    ...['F', 'female', 'FEMALE'].map((word): [string, string, string, string[]] => [
      'traits.gender',
      word,
      'ge',
      ['f'],
    ]),
    ['traits.gender', 'Male', 'ge', ['m']],
    ['traits.gender', 'Non Binary', 'ge', ['n']],
    ['traits.gender', 'Other', 'ge', ['other']],
  ])('%s of %j is hashed as %s of %j', (path, value, key, expected) => {
    const body = bodyOf({ [path]: value }, { sendingUnHashedData: true, sendExternalId: true });
    expect(valueAt(body, `user_data.${key}`)).toEqual(expected?.map(sha256));
  });
});

describe('the products', () => {
  const root = { quantity: '3', price: 5 };
  it.each<[JsonObject, JsonObject]>([
    [{}, { num_items: 0, contents: [{ quantity: 1 }] }],
    [{ quantity: 0 }, { num_items: 0, contents: [{ quantity: 1 }] }],
    [
      { price: 0, quantity: 'many' },
      { num_items: 0, contents: [{ quantity: 1 }] },
    ],
    [
      { price: 0, products: [{}] },
      { num_items: 0, content_ids: [], contents: [{ quantity: 1, item_price: '0' }] },
    ],
    [
      { ...root, id: 'i' },
      { num_items: 3, content_ids: ['i'], contents: [{ quantity: 3, item_price: '5' }] },
    ],
    [
      { product_id: 1, name: 'n', category: 'c', brand: 'b', numOfItems: '4' },
      {
        ...{ num_items: 4, content_ids: ['1'] },
        contents: [{ id: '1', item_name: 'n', item_category: 'c', item_brand: 'b', quantity: 1 }],
      },
    ],
    [
      { ...root, products: [] },
      { num_items: 0, content_ids: [], contents: [] },
    ],
    [
      { ...root, products: [{ sku: 's', quantity: '2', price: 1.5, name: null }, { id: 'i' }, 'odd', { quantity: 1 }] },
      {
        ...{ num_items: 3, content_ids: ['s', 'i'] },
        contents: [
          { id: 's', quantity: 2, item_price: '1.5' },
          { quantity: 3, item_price: '5' },
          { quantity: 1, item_price: '5' },
        ],
      },
    ],
    [
      { products: [{ sku: 's', quantity: 'many' }], numOfItems: 0 },
      { num_items: 0, content_ids: ['s'], contents: [{ id: 's' }] },
    ],
    [
      { products: [{ quantity: 'many' }, { quantity: 2 }] },
      { num_items: 0, content_ids: [], contents: [{}, { quantity: 2 }] },
    ],
  ])('of %j are %j', (properties, expected) => {
    expect(bodyOf({ properties })['custom_data']).toEqual(expected);
  });

  it('are not part of pages and screens', () => {
    expect([bodyOf({ type: 'page' }), bodyOf({ type: 'screen' })].map((body) => body['custom_data'])).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('the name', () => {
  const eventsMapping = [
    { from: 'Film Seen', to: 'WatchVideo' },
    { from: 'Film Seen', to: 'Lead' },
    { from: 'Film Seen', to: '' },
    { from: 'Home', to: 'page visit' },
    { from: 'Odd', to: 7 },
  ];

  it.each<[JsonObject, JsonObject, string[]]>([
    [{ event: 'Order Completed' }, {}, ['checkout']],
    [{ event: 'product added' }, {}, ['add_to_cart']],
    [{ event: 'Products Searched' }, {}, ['search']],
    [{ event: 'Product List Filtered' }, {}, ['search']],
    [{ event: 'Product Viewed' }, {}, ['Product Viewed']],
    [{ event: 'order_completed' }, { sendAsCustomEvent: true }, ['custom']],
    [{ event: 'Film Seen' }, { eventsMapping }, ['watch_video', 'lead']],
    [{ event: 'film seen' }, { eventsMapping }, ['film seen']],
    [{ event: ' Film Seen' }, { eventsMapping, sendAsCustomEvent: true }, ['custom']],
    [{ event: 'Odd' }, { eventsMapping }, ['7']],
    [{ type: 'page' }, {}, ['page_visit']],
    [{ type: 'page', category: 'c' }, {}, ['view_category']],
    [{ type: 'page', 'properties.category': 'c' }, {}, ['page_visit']],
    [{ type: 'screen', event: null, name: 'Home' }, { eventsMapping }, ['page_visit']],
    [{ type: 'screen', event: undefined, name: 'Cart', category: 'c' }, {}, ['Cart']],
    [{ event: null, name: 'Product Added' }, {}, ['add_to_cart']],
  ])('of %j with %j is %j', (values, config, names) => {
    expect(namesOf(values, config)).toEqual(names);
  });
});

describe('a request to Pinterest', () => {
  it('goes to the account of version 5', () => {
    expect(send({}, { sendAsTestEvent: true })).toMatchObject([
      {
        endpoint: 'https://api.pinterest.com/v5/ad_accounts/a%2F1/events',
        headers: { authorization: 'Bearer t' },
        params: { test: true },
      },
    ]);
    expect(bodyOf({}, { advertiserId: '9' })['advertiser_id']).toBeUndefined();
  });

  it.each(['legacyApi', null, undefined])('goes to the legacy address for an advertiser: %j', (apiVersion) => {
    const values = { 'context.device.adTrackingEnabled': true };
    const [payload] = send(values, { apiVersion, advertiserId: '9' });
    expect(payload).toMatchObject({ endpoint: 'https://ct.pinterest.com/events/v3', params: {} });
    expect(payload?.headers).not.toHaveProperty('authorization');
    expect(payload?.body.JSON).toMatchObject({ advertiser_id: '9', opt_out: false });
    expect(payload?.body.JSON).not.toHaveProperty('advertiser_tracking_enabled');
  });

  it('travels in a list, also when alone', async () => {
    const bodies: unknown[] = [];
    const outbound = {
      request: async ({ body }: OutboundRequest) => {
        bodies.push(JSON.parse(String(body)));
        return { status: 200, headers: {}, body: Buffer.from('{}'), truncated: false };
      },
      connect: () => Promise.reject(new Error('no connection')),
    };
    const payloads = [{}, { event: 'Order Completed' }].flatMap((values) => send(values));
    for (const payload of [...payloads, pinterestTagBatch.combine(payloads)]) {
      await pinterestTagDeliver(payload, CONFIG, outbound, {});
    }
    const [added, bought] = [{ event_name: 'add_to_cart' }, { event_name: 'checkout' }];
    expect(bodies).toMatchObject([{ data: [added] }, { data: [bought] }, { data: [added, bought] }]);
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ type: 'identify' }, {}, 'Event type identify is not supported'],
    [{ type: '' }, {}, 'Event type is required'],
    [{ event: undefined }, {}, 'Event name is required'],
    [{ event: '', name: 'n' }, {}, 'Event name is required'],
    [{ event: 7 }, {}, 'Event name is required'],
    [{ type: 'screen', event: undefined }, {}, 'Event name is required'],
    [{ timestamp: '' }, {}, 'event_time is required'],
    [{ timestamp: 'soon' }, {}, 'event_time is required'],
    [{ channel: 'mobile' }, {}, 'action_source must be one of'],
    [{ channel: undefined }, {}, 'action_source must be one of'],
    [{ 'context.userAgent': null, 'traits.phone': '39' }, {}, 'an email, an advertising id'],
    [{}, { conversionToken: '' }, 'conversionToken is required'],
    [{}, { adAccountId: null }, 'adAccountId is required'],
    [{}, { apiVersion: '' }, 'advertiserId is required'],
  ])('of %j with %j is refused: %s', (values, config, message) => {
    expect(() => send(values, config)).toThrow(message);
  });

  it.each<JsonObject>([{ 'traits.email': 'e' }, { 'context.device.advertisingId': 'a' }])(
    'knows a person by %j',
    (values) => {
      expect(send({ ...values, request_ip: undefined })).toHaveLength(1);
    },
  );
});
