import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada, jsonOf } from '../../test/events.fixtures.js';
import { sha256 } from '../toolkit/index.js';
import { tiktokAdsTransform } from './tiktok_ads.transform.js';

const config = { accessToken: 't', pixelCode: 'P1', version: 'v2' };
const track = (event: string, properties: JsonObject = {}, context: JsonObject = {}) => ({
  ...ada,
  ...{ type: 'track', event, properties, context },
});
const send = (event: JsonObject, more: JsonObject = {}) => tiktokAdsTransform(event, { ...config, ...more });
const sent = (event: JsonObject, more: JsonObject = {}): JsonObject[] =>
  jsonOf('TIKTOK_ADS', event, { ...config, ...more })['data'] as JsonObject[];
const externalId = (id: unknown) => [{ type: 'tiktokExternalId', id }];

describe('an event for TikTok', () => {
  it('is one item of a list', () => {
    const [payload, ...others] = send(track('Search', { query: 'q', testEventCode: 'T1', eventId: 'e-1' }));
    expect(others).toEqual([]);
    expect(payload).toMatchObject({
      endpoint: 'https://business-api.tiktok.com/open_api/v1.3/event/track/',
      headers: { 'access-token': 't' },
      body: { JSON: { event_source: 'web', event_source_id: 'P1', test_event_code: 'T1' } },
    });
    expect(payload?.body.JSON['data']).toEqual([
      {
        ...{ event: 'Search', event_id: 'e-1', event_time: 1_772_600_767, user: {} },
        properties: { query: 'q', search_string: 'q' },
      },
    ]);
  });

  it.each<[string, JsonObject, string[]]>([
    ['viewCONTENT', {}, ['ViewContent']],
    ['Order Completed', {}, ['PlaceAnOrder']],
    ['Bet', { sendCustomEvents: true }, ['Bet']],
    ['Bet', { eventsToStandard: [{ from: 'bet', to: 'Lead' }] }, ['Lead']],
    [
      'Search',
      {
        eventsToStandard: [
          { from: 'Search', to: 'Contact' },
          { from: 'search', to: 'Schedule' },
        ],
      },
      ['Contact', 'Schedule'],
    ],
  ])('called %s is, with %j, %j', (name, more, names) => {
    expect(sent(track(name), more).map(({ event }) => event)).toEqual(names);
    expect(send(track(name), { ...more, version: '' }).map(({ body }) => body.JSON['event'])).toEqual(names);
  });

  it('has hashed personal data, unless it is hashed already', () => {
    const traits = {
      email: ' Ada@Example.com',
      firstName: 'Ada',
      city: 'New York',
      zip: '10-001',
      phone: ['+1', '+2'],
    };
    const event = track('Contact', { ttclid: 'c' }, { ip: '1.2.3.4', traits, externalId: externalId(['a', 'b']) });
    const plain = { city: 'newyork', ip: '1.2.3.4', ttclid: 'c' };
    expect(sent(event)[0]?.['user']).toEqual({
      ...plain,
      ...{ email: sha256('ada@example.com'), first_name: sha256('ada'), zip_code: sha256('10001') },
      ...{ phone: [sha256('+1'), sha256('+2')], external_id: [sha256('a'), sha256('b')] },
    });
    expect(sent(event, { hashUserProperties: false })[0]?.['user']).toEqual({
      ...plain,
      ...{ email: ' Ada@Example.com', first_name: 'Ada', zip_code: '10-001' },
      ...{ phone: ['+1', '+2'], external_id: ['a', 'b'] },
    });
  });

  it.each<[JsonObject, JsonObject]>([
    [
      { products: [{ product_id: 7, name: 'n', category: 'c', price: '2' }, 'no product'], revenue: '4' },
      {
        ...{ content_type: 'product', value: 4, contents_ids: ['7'], num_items: 1 },
        contents: [{ content_id: '7', content_name: 'n', content_category: 'c', price: 2 }],
      },
    ],
    [
      { contents: { content_id: 'x', own: true }, contentType: 'product_group' },
      {
        ...{ content_type: 'product_group', contents_ids: ['x'], num_items: 1 },
        contents: [{ content_id: 'x', own: true }],
      },
    ],
    [
      { order_id: 5, value: 1, currency: 'EUR' },
      { order_id: '5', value: 1, currency: 'EUR' },
    ],
  ])('tells what was bought: %j', (properties, told) => {
    expect(sent(track('Purchase', properties))[0]?.['properties']).toEqual(told);
  });

  it('has the form of 1.0 where no version is given', () => {
    const properties = {
      ...{ clickId: 'c', contentType: 'product', productId: 9, products: [{ sku: 's', quantity: '2' }] },
      context: { user: { email: 'a@example.com' }, page: { url: 'u' } },
    };
    const event = track('Download', properties, { ip: '1.2.3.4', externalId: externalId('x') });
    expect(jsonOf('TIKTOK_ADS', event, { ...config, version: 'v1' })).toEqual({
      ...{ pixel_code: 'P1', event: 'Download', event_id: 'm-1', timestamp: ada.timestamp },
      properties: {
        ...{ content_id: '9', content_type: 'product' },
        contents: [{ content_type: 'product', content_id: 's', quantity: 2 }],
      },
      context: {
        ...{ ad: { callback: 'c' }, page: { url: 'u' }, ip: '1.2.3.4' },
        user: { email: sha256('a@example.com'), external_id: sha256('x') },
      },
      partner_name: expect.any(String),
    });
  });

  it.each<[JsonObject, JsonObject, string]>([
    [track('Bet'), {}, 'the event Bet has no event of TikTok'],
    [{ ...track(''), event: 7 }, {}, 'Event name is required'],
    [track('Search'), { accessToken: '' }, 'accessToken is required'],
    [track('Search'), { pixelCode: null }, 'pixelCode is required'],
    [{ ...ada, type: 'page' }, {}, 'Event type page is not supported'],
  ])('is refused: %j %j', (event, more, message) => {
    expect(() => send(event, more)).toThrow(message);
  });
});
