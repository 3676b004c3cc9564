import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { sha256 } from '../toolkit/index.js';
import { snapchatConversionBatch, snapchatConversionTransform } from './snapchat_conversion.transform.js';

const timestamp = new Date(Date.now() - 60_000).toISOString();
const seconds = String(Math.floor(Date.parse(timestamp) / 1_000));
const context = { traits: { email: ' A@B.c', phone: '+39 011', firstName: 'Ada' }, device: { id: 'd', type: 'ios' } };
const send = (event: JsonObject, config: JsonObject = {}) => {
  const [payload] = snapchatConversionTransform(
    { type: 'track', channel: 'web', context, timestamp, messageId: 'm', ...event },
    { apiKey: 'k', pixelId: 'px', snapAppId: 'sa', appId: 'app', ...config },
  );
  if (!payload) throw new Error('no payload');
  return payload;
};
const products = [
  { product_id: 'p', price: '2', quantity: 2, brand: 'B' },
  { product_id: 'q', price: 3 },
];

describe('version 2', () => {
  it('has people hashed and an order summed up', () => {
    const payload = send(
      { event: 'Order Completed', properties: { products, order_id: 'o', currency: 'EUR' } },
      { enableDeduplication: true },
    );
    expect(payload).toMatchObject({
      endpoint: 'https://tr.snapchat.com/v2/conversion',
      headers: { authorization: 'Bearer k' },
    });
    expect(payload.body.JSON).toEqual({
      ...{
        event_type: 'PURCHASE',
        event_conversion_type: 'WEB',
        pixel_id: 'px',
        timestamp: seconds,
        client_dedup_id: 'm',
      },
      ...{ hashed_email: sha256('a@b.c'), hashed_phone_number: sha256('39011'), hashed_idfv: sha256('d') },
      ...{ item_ids: ['p', 'q'], price: '7', currency: 'EUR', transaction_id: 'o' },
    });
  });

  it.each<[JsonObject, JsonObject, JsonObject]>([
    [{ type: 'page', properties: { url: 'u' } }, {}, { event_type: 'PAGE_VIEW', page_url: 'u' }],
    [{ event: 'Products Searched', properties: { query: 'tea' } }, {}, { event_type: 'SEARCH', search_string: 'tea' }],
    [{ event: 'level_complete' }, {}, { event_type: 'LEVEL_COMPLETE' }],
    [
      { event: 'My Event' },
      { rudderEventsToSnapEvents: [{ from: 'my_event', to: 'product_added' }] },
      { event_type: 'ADD_CART' },
    ],
    [
      { event: 'save', channel: 'mobile' },
      {},
      { event_conversion_type: 'MOBILE_APP', snap_app_id: 'sa', app_id: 'app' },
    ],
    [{ event: 'save', channel: 'server' }, {}, { event_conversion_type: 'OFFLINE', pixel_id: 'px' }],
  ])('%j with %j', (event, config, expected) => {
    expect(send(event, config).body.JSON).toMatchObject(expected);
  });
});

describe('version 3', () => {
  const newApi = { apiVersion: 'newApi' };

  it('has a list with contents', () => {
    const payload = send({ event: 'Product List Viewed', properties: { products } }, newApi);
    expect(payload).toMatchObject({ endpoint: 'https://tr.snapchat.com/v3/px/events', params: { access_token: 'k' } });
    expect(payload.body.JSON['data']).toEqual([
      {
        ...{ event_name: 'VIEW_CONTENT', action_source: 'WEB', event_time: seconds },
        user_data: { em: sha256('a@b.c'), ph: sha256('39011'), fn: sha256('ada'), idfv: 'd' },
        custom_data: {
          ...{ content_ids: ['p', 'q'], value: '7' },
          contents: [
            { id: 'p', item_price: '2', quantity: 2, brand: 'B' },
            { id: 'q', item_price: 3 },
          ],
        },
      },
    ]);
  });

  it('describes the app in sixteen places', () => {
    const app = { namespace: 'com.example', build: '7', version: '1.2' };
    const more = {
      ...context,
      app,
      timezone: 'Asia/Kolkata',
      locale: 'it-IT',
      screen: { width: 10, height: 20, density: 2 },
    };
    const [item] = send({ event: 'save', channel: 'mobile', context: more, properties: { att_status: 0 } }, newApi).body
      .JSON['data'] as JsonObject[];
    expect(item?.['app_data']).toEqual({
      app_id: 'app',
      advertiser_tracking_enabled: 0,
      extinfo: [
        'i2',
        'com.example',
        '7',
        '1.2',
        '',
        '',
        'it-IT',
        'IST',
        '',
        '10',
        '20',
        '2',
        '',
        '',
        '',
        'Asia/Kolkata',
      ],
    });
  });
});

describe('Snapchat', () => {
  it.each<[JsonObject, JsonObject, string]>([
    [{ event: 'Something' }, {}, "none of Snapchat's events"],
    [{ event: 'save', context: {} }, {}, 'an email, a phone, an advertising id'],
    [{ event: 'save', timestamp: '2020-01-01T00:00:00Z' }, {}, 'last 28 days'],
    [{ event: 'save', timestamp: '2020-01-01T00:00:00Z' }, { apiVersion: 'newApi' }, 'last 7 days'],
    [{ event: 'save', channel: 'mobile' }, { snapAppId: '' }, 'snapAppId is required'],
    [{ event: 'save' }, { pixelId: '' }, 'pixelId is required'],
    [{ type: 'identify' }, {}, 'Event type identify is not supported'],
  ])('refuses %j with %j', (event, config, message) => {
    expect(() => send(event, config)).toThrow(message);
  });

  it('takes arrays in version 2 and lists in version 3', () => {
    const old = [send({ event: 'save' }), send({ event: 'share' })];
    const current = [
      send({ event: 'save' }, { apiVersion: 'newApi' }),
      send({ event: 'share' }, { apiVersion: 'newApi' }),
    ];
    expect(new Set(old.map(snapchatConversionBatch.keyOf)).size).toBe(1);
    expect(JSON.parse(String(snapchatConversionBatch.combine(old).body.JSON_ARRAY['batch']))).toHaveLength(2);
    expect(snapchatConversionBatch.combine(current).body.JSON['data']).toHaveLength(2);
    expect(snapchatConversionBatch.keyOf(old[0] as never)).not.toBe(snapchatConversionBatch.keyOf(current[0] as never));
  });
});
