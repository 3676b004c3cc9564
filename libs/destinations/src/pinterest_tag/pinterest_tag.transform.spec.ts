import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../test/events.fixtures.js';
import type { OutboundRequest } from '../kind.js';
import { sha256 } from '../toolkit/index.js';
import { pinterestTagBatch, pinterestTagDeliver } from './pinterest_tag.deliver.js';
import { pinterestTagTransform } from './pinterest_tag.transform.js';

const config = { apiVersion: 'newApi', adAccountId: 'a/1', conversionToken: 't' };
const track = (event: string, properties: JsonObject = {}, more: JsonObject = {}) => ({
  ...{ ...ada, type: 'track', channel: 'web', event, properties },
  ...more,
});
const send = (event: JsonObject, more: JsonObject = {}) => pinterestTagTransform(event, { ...config, ...more });
const bodyOf = (event: JsonObject, more: JsonObject = {}) => send(event, more)[0]?.body.JSON;

describe('an event for Pinterest', () => {
  it('has its id, its time and a token', () => {
    expect(send(track('Product Added'), { sendAsTestEvent: true })).toMatchObject([
      {
        endpoint: 'https://api.pinterest.com/v5/ad_accounts/a%2F1/events',
        headers: { authorization: 'Bearer t' },
        params: { test: true },
        body: { JSON: { event_name: 'add_to_cart', event_id: 'm-1', event_time: 1_772_600_767, action_source: 'web' } },
      },
    ]);
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
    const payloads = [track('Product Added'), track('Product Viewed')].flatMap((event) => send(event));
    for (const payload of [...payloads, pinterestTagBatch.combine(payloads)]) {
      await pinterestTagDeliver(payload, config, outbound, {});
    }
    const [added, viewed] = [{ event_name: 'add_to_cart' }, { event_name: 'page_visit' }];
    expect(bodies).toMatchObject([{ data: [added] }, { data: [viewed] }, { data: [added, viewed] }]);
  });

  it('goes to the legacy address for an advertiser', () => {
    const [payload] = send(track('Products Searched'), { apiVersion: 'legacyApi', advertiserId: '9' });
    expect(payload).toMatchObject({ endpoint: 'https://ct.pinterest.com/events/v3', params: {} });
    expect(payload?.body.JSON).toMatchObject({ event_name: 'search', advertiser_id: '9' });
  });

  it('is one for each event that is configured, and a custom one when asked', () => {
    const eventsMapping = [
      { from: 'Film Seen', to: 'WatchVideo' },
      { from: 'film_seen', to: 'Lead' },
    ];
    const names = send(track('Film Seen'), { eventsMapping }).map(({ body }) => body.JSON['event_name']);
    expect(names).toEqual(['watch_video', 'lead']);
    expect(bodyOf(track('Else'), { sendAsCustomEvent: true })).toMatchObject({ event_name: 'custom' });
  });

  it('of a page views a category when it has one', () => {
    expect(bodyOf({ ...track(''), type: 'page' })).toMatchObject({ event_name: 'page_visit' });
    expect(bodyOf({ ...track(''), type: 'screen', category: 'c' })).toMatchObject({ event_name: 'view_category' });
  });

  it('has hashed lists of personal data, or what was hashed before', () => {
    const traits = { email: [' Ada@Example.com', 'b@example.com'], phone: '+44 20', gender: 'Female' };
    const context = { traits, device: { adTrackingEnabled: false } };
    const body = bodyOf(track('Product Viewed', {}, { context }), { sendingUnHashedData: true, sendExternalId: true });
    expect(body).toMatchObject({ opt_out: true, advertiser_tracking_enabled: false });
    expect(body?.['user_data']).toEqual({
      em: [sha256('ada@example.com'), sha256('b@example.com')],
      ph: [sha256('4420')],
      ge: [sha256('f')],
      external_id: [sha256('ada')],
    });
    const asGiven = bodyOf(track('Product Viewed', {}, { context: { traits: { phone: 'hashed' } } }));
    expect(asGiven).toMatchObject({ user_data: { ph: ['hashed'] } });
  });

  it('names its products', () => {
    const products = [{ sku: 's', price: 2.5, quantity: 2, name: 'Pen' }, { product_id: 7 }];
    expect(bodyOf(track('Order Completed', { products, total: 5, order_id: 1 }))?.['custom_data']).toEqual({
      ...{ value: '5', order_id: '1', num_items: 2, content_ids: ['s', '7'] },
      contents: [
        { id: 's', item_name: 'Pen', quantity: 2, item_price: '2.5' },
        { id: '7', quantity: 1 },
      ],
    });
  });

  it('of a mobile app says of which system', () => {
    const event = track('Product Added', {}, { channel: 'mobile', context: { os: { name: 'Android' } } });
    expect(bodyOf(event)).toMatchObject({ action_source: 'app_android' });
  });

  it.each<[JsonObject, JsonObject, string]>([
    [track('Else'), {}, 'name one in eventsMapping'],
    [track('Product Added', {}, { channel: 'fax' }), {}, 'properties.action_source must be one of'],
    [track('Product Added', {}, { timestamp: '' }), {}, 'event_time is required'],
    [track('Product Added'), { conversionToken: '' }, 'conversionToken is required'],
    [track('Product Added'), { apiVersion: '' }, 'advertiserId is required'],
    [{ type: 'identify' }, {}, 'Event type identify is not supported'],
  ])('is refused: %j %j', (event, more, message) => {
    expect(() => send(event, more)).toThrow(message);
  });
});
