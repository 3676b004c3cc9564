import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { asItIs, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import { USER_ID } from '../../toolkit/index.js';
import branch from './branch.js';

const config = { branchKey: 'key_live_1' };
const tour = { ...ada, type: 'track', event: 'Tour Booked' };
const added = { event: 'Product Added' };
const send = (values: JsonObject, settings: JsonObject = {}) =>
  branch.transform(withValues(tour, values), { ...config, ...settings });
const bodyOf = (values: JsonObject, settings: JsonObject = {}): JsonObject =>
  send(values, settings)[0]?.body.JSON ?? {};
const pathOf = (values: JsonObject, settings: JsonObject = {}) =>
  send(values, settings)[0]?.endpoint.replace('https://api2.branch.io/v2/event/', '');

describe('an event for Branch', () => {
  it('is custom, with its properties as custom data', () => {
    expect(send({ 'properties.guide': 'Eve' })).toMatchObject([
      {
        ...{ method: 'POST', endpoint: 'https://api2.branch.io/v2/event/custom', userId: 'ada' },
        headers: { accept: 'application/json', 'content-type': 'application/json' },
      },
    ]);
    const properties = { guide: 'Eve', name: 'Old town', seats: 2, isOpen: false, stops: ['mill'], nothing: null };
    expect(bodyOf({ properties })).toEqual({
      ...{ branch_key: 'key_live_1', name: 'Tour Booked', content_items: [{}] },
      custom_data: { guide: 'Eve', name: 'Old town', seats: 2, isOpen: false, stops: '["mill"]' },
      user_data: { developer_identity: 'ada' },
    });
  });

  it('has no items without properties', () => {
    const nothing = { branch_key: 'key_live_1', name: 'Tour Booked', user_data: { developer_identity: 'ada' } };
    expect(bodyOf({})).toEqual(nothing);
    expect(bodyOf({ properties: ['a'] })).toEqual(nothing);
  });

  it('is named after the user if it identifies one', () => {
    const identify = { type: 'identify', traits: { plan: 'pro', name: 'Ada' } };
    expect(pathOf(identify)).toBe('custom');
    expect(bodyOf(identify)).toMatchObject({
      ...{ name: 'ada', content_items: [{}], custom_data: { plan: 'pro', name: 'Ada' } },
    });
    const unknown = { type: 'identify', userId: null, 'context.traits.plan': 'pro' };
    expect(bodyOf(unknown)).toMatchObject({ name: 'anon-1', custom_data: { plan: 'pro' } });
  });

  it.each([
    ['Product Added', 'ADD_TO_CART'],
    ['products_searched', 'SEARCH'],
    ['Order Completed', 'PURCHASE'],
    ['checkoutStarted', 'INITIATE_PURCHASE'],
    ['start trial', 'START_TRIAL'],
    ['UNLOCK_ACHIEVEMENT', 'UNLOCK_ACHIEVEMENT'],
  ])('named %s is the standard event %s', (event, name) => {
    expect([pathOf({ event }), bodyOf({ event })['name']]).toEqual(['standard', name]);
  });

  it('has the name of the configuration', () => {
    const eventsMapping = [
      { from: 'tour booked', to: 'PURCHASE' },
      { from: 'Product Added', to: 'Souvenir' },
    ];
    expect([pathOf({}, { eventsMapping }), bodyOf({}, { eventsMapping })['name']]).toEqual(['standard', 'PURCHASE']);
    expect([pathOf(added, { eventsMapping }), bodyOf(added, { eventsMapping })['name']]).toEqual([
      'custom',
      'Souvenir',
    ]);
  });
});

describe('a standard event for Branch', () => {
  it('has an item, an order and custom data', () => {
    const properties = {
      ...{ title: 'Cup', description: 'Blue', image_url: 'https://example.com/c.png', sku: 'c-1', name: 'Blue cup' },
      ...{ brand: 'Kiln', category: 'cups', variant: 'large', canonical_identifier: 'cups/1', condition: 'NEW' },
      ...{ publicly_indexable: true, locally_indexable: false, creating_timestamp: 1, exp_date: 2 },
      ...{ address_street: 'Mill 1', address_city: 'Rome', address_region: 'RM', address_country: 'IT' },
      ...{ address_postal_code: '00100', price: '9.5', quantity: 2, rating_average: 4, rating_count: 8, rating_max: 5 },
      ...{ latitude: 41.9, longitude: '12.5', keywords: ['cup', 7], image_captions: 'A cup' },
      ...{ order_id: 7, revenue: '19', shipping: 3, tax: 1, currency: 'EUR', coupon: 'SPRING', affiliation: 'Shop' },
      ...{ query: 'cup', gift: true },
    };
    expect(bodyOf({ ...added, properties })).toMatchObject({
      content_items: [
        {
          ...{ $og_title: 'Cup', $og_description: 'Blue', $og_image_url: 'https://example.com/c.png', $sku: 'c-1' },
          ...{
            $product_name: 'Blue cup',
            $product_brand: 'Kiln',
            $product_category: 'cups',
            $product_variant: 'large',
          },
          ...{ $canonical_identifier: 'cups/1', $condition: 'NEW', $publicly_indexable: true },
          ...{ $locally_indexable: false, $creation_timestamp: 1, $exp_date: 2, $address_street: 'Mill 1' },
          ...{ $address_city: 'Rome', $address_region: 'RM', $address_country: 'IT', $address_postal_code: '00100' },
          ...{ $price: 9.5, $quantity: 2, $rating_average: 4, $rating_count: 8, $rating_max: 5, $latitude: 41.9 },
          ...{ $longitude: 12.5, $keywords: ['cup'], $image_captions: ['A cup'] },
        },
      ],
      event_data: {
        ...{ transaction_id: '7', revenue: 19, shipping: 3, tax: 1, currency: 'EUR', coupon: 'SPRING' },
        ...{ affiliation: 'Shop', search_query: 'cup' },
      },
      custom_data: { gift: true },
    });
    expect(bodyOf({ ...added, 'properties.name': { of: 'cup' }, 'properties.keywords': [7] })).not.toHaveProperty(
      'custom_data',
    );
  });

  it('has an item for each product', () => {
    const products = [{ sku: 'c-1', price: 3, glaze: 'blue' }, { name: 'Plate' }];
    const items = [{ $sku: 'c-1', $price: 3, $custom_fields: { glaze: 'blue' } }, { $product_name: 'Plate' }];
    expect(bodyOf({ ...added, 'properties.products': products })['content_items']).toEqual(items);
    expect(bodyOf({ 'properties.products': products })['content_items']).toEqual(items);
    const both = { ...added, 'properties.products': products, 'properties.category': 'table' };
    expect(bodyOf(both)['content_items']).toEqual([{ $product_category: 'table' }, ...items]);
  });
});

describe('the user of an event for Branch', () => {
  const userOf = (values: JsonObject) => bodyOf(values)['user_data'] as JsonObject;
  it.each<SourcesRow>([
    ['os', ['context.os.name'], asItIs],
    ['os_version', ['context.os.version'], asItIs],
    ['app_version', ['context.app.version'], asItIs],
    ['developer_identity', USER_ID, asItIs],
    ['model', ['context.device.model'], asItIs],
    ['user_agent', ['context.userAgent'], asItIs],
  ])('has %s from %j', (...row) => {
    expectSources((values) => userOf({ userId: undefined, anonymousId: undefined, ...values }), row);
  });

  it('has the size of the screen as numbers', () => {
    const screen = { density: '2', width: 640, height: 480 };
    expect(userOf({ 'context.screen': screen })).toMatchObject({
      ...{ screen_dpi: 2, screen_width: 640, screen_height: 480 },
    });
  });

  const device = { id: 'd-1', advertisingId: 'ad-1' };
  it.each<[JsonObject, JsonObject]>([
    [{ 'context.device.type': 'iOS' }, { idfa: 'ad-1', idfv: 'd-1' }],
    [{ 'context.os.name': 'tvOS' }, { idfa: 'ad-1', idfv: 'd-1', os: 'tvOS' }],
    [{ 'context.device.type': 'android' }, { aaid: 'ad-1', android_id: 'd-1' }],
    [{}, {}],
  ])('with %j has the ids %j', (values, ids) => {
    expect(userOf({ 'context.device': device, ...values })).toEqual({ developer_identity: 'ada', ...ids });
  });

  it.each<[JsonObject, boolean | undefined]>([
    [{ adTrackingEnabled: false, attTrackingStatus: 3 }, false],
    [{ adTrackingEnabled: true, attTrackingStatus: 2 }, true],
    [{ attTrackingStatus: 0 }, true],
    [{ adTrackingEnabled: 'true' }, false],
    [{ adTrackingEnabled: false }, true],
    [{}, undefined],
  ])('of the device %j limits tracking: %j', (values, isLimited) => {
    expect(userOf({ 'context.device': values })['limit_ad_tracking']).toBe(isLimited);
  });
});

describe('Branch refuses', () => {
  it.each<[JsonObject, string]>([
    [{ type: 'page' }, 'Event type page is not supported'],
    [{ event: '' }, 'Event name is required'],
    [{ type: 'identify', userId: '', anonymousId: '' }, 'userId or anonymousId is required'],
  ])('%j', (values, message) => {
    expect(() => send(values)).toThrow(message);
  });

  it('to work without a key', () => {
    expect(() => send({}, { branchKey: '' })).toThrow('branchKey is required');
  });
});
