import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import type { OutboundRequest } from '../kind.js';
import { sha256 } from '../toolkit/index.js';
import { facebookConversionsBatch, facebookConversionsDeliver } from './facebook_conversions.deliver.js';
import { facebookConversionsTransform } from './facebook_conversions.transform.js';

const config = { datasetId: 'd 1', accessToken: 't&', actionSource: 'website' };
const now = () => new Date(Date.now() - 1_000).toISOString();
const track = (event: string, properties: JsonObject = {}, more: JsonObject = {}) => ({
  ...{ type: 'track', userId: 'ada', messageId: 'm-1', timestamp: now(), event, properties },
  ...more,
});
const send = (event: JsonObject, more: JsonObject = {}) => facebookConversionsTransform(event, { ...config, ...more });
function sent(event: JsonObject, more: JsonObject = {}): JsonObject {
  const data = send(event, more)[0]?.body.FORM['data'];
  return JSON.parse(String(Array.isArray(data) ? data[0] : data));
}

describe('an event for Facebook', () => {
  it('is one item of a form', () => {
    const [payload, ...others] = send(track('Signed Up'), { testDestination: true, testEventCode: 'T1' });
    expect(others).toEqual([]);
    expect(payload).toMatchObject({
      endpoint: 'https://graph.facebook.com/v25.0/d%201/events?access_token=t%26',
      body: { FORM: { test_event_code: 'T1' } },
    });
    expect(sent(track('Signed Up', { plan: 'pro' }))).toMatchObject({
      ...{ event_name: 'Signed Up', event_id: 'm-1', action_source: 'website' },
      ...{ user_data: { external_id: sha256('ada') }, custom_data: { plan: 'pro' } },
    });
    expect(sent({ ...track(''), type: 'screen' })).toMatchObject({ event_name: 'PageView' });
  });

  it('has hashed personal data, and the click of the page', () => {
    const traits = { email: ' Ada@Example.com', phone: '+44 20', name: 'Ada King', gender: 'Female', city: 'New York' };
    const timestamp = now();
    const context = {
      traits: { ...traits, birthday: '1990-12-31' },
      page: { url: 'https://a.example.com/?fbclid=c1' },
    };
    const user = sent(track('e', {}, { context, timestamp }), { removeExternalId: true })['user_data'];
    expect(user).toEqual({
      em: sha256('ada@example.com'),
      ph: sha256('4420'),
      fn: sha256('ada'),
      ln: sha256('king'),
      ge: sha256('f'),
      ct: sha256('newyork'),
      db: sha256('19901231'),
      fbc: `fb.1.${Date.parse(timestamp)}.c1`,
    });
  });

  it('travels with others as one JSON array', async () => {
    const requests: OutboundRequest[] = [];
    const outbound = {
      request: async (request: OutboundRequest) => {
        requests.push(request);
        return { status: 200, headers: {}, body: Buffer.from('{}'), truncated: false };
      },
      connect: () => Promise.reject(new Error('no connection')),
    };
    const payloads = [send(track('a')), send(track('b'))].flat();
    await facebookConversionsDeliver(facebookConversionsBatch.combine(payloads), config, outbound, {});
    const data = new URLSearchParams(requests[0]?.body).get('data');
    expect(JSON.parse(String(data))).toMatchObject([{ event_name: 'a' }, { event_name: 'b' }]);
    expect(new Set(payloads.map(facebookConversionsBatch.keyOf))).toHaveProperty('size', 1);
  });

  it.each<[string, JsonObject, JsonObject]>([
    [
      'Order Completed',
      { products: [{ sku: 's', price: '2', quantity: 3 }], currency: 'EUR' },
      { contents: [{ id: 's', quantity: 3, item_price: 2 }], content_ids: ['s'], num_items: 1, value: 6 },
    ],
    ['product_viewed', { product_id: 7, price: 2 }, { content_ids: [7], content_type: 'product', value: 2 }],
    ['Product List Viewed', { category: 'c' }, { content_ids: ['c'], content_type: 'product_group' }],
    ['Products Searched', { query: 'q' }, { search_string: 'q', contents: [] }],
    ['Bet', { value: '5' }, { currency: 'USD', value: 5 }],
  ])('tells what %s was worth', (name, properties, custom) => {
    expect(sent(track(name, properties))['custom_data']).toMatchObject(custom);
  });

  it('has the configured name, and no personal property that is not allowed', () => {
    const more = {
      eventsToEvents: [{ from: 'Bet', to: 'Lead' }],
      blacklistPiiProperties: [
        { blacklistPiiProperties: 'code', blacklistPiiHash: true },
        { blacklistPiiProperties: 'secret', blacklistPiiHash: false },
      ],
      whitelistPiiProperties: [{ whitelistPiiProperties: 'city' }],
    };
    const properties = { email: 'a@example.com', city: 'Turin', code: 'c', secret: 's', plan: 'pro' };
    expect(sent(track('bet', properties), more)).toMatchObject({ event_name: 'Lead' });
    expect(sent(track('bet', properties), more)['custom_data']).toEqual({
      ...{ city: 'Turin', code: sha256('c'), plan: 'pro' },
    });
  });

  it('says where it happened and how far its data may be used', () => {
    const event = track('e', {}, { channel: 'mobile', context: { dataProcessingOptions: [['LDU'], 1, 1000] } });
    expect(sent(event, { actionSource: '', limitedDataUSage: true })).toMatchObject({
      ...{ action_source: 'app', data_processing_options: ['LDU'], data_processing_options_state: 1000 },
    });
    expect(sent(event)).not.toHaveProperty('data_processing_options');
  });

  it.each<[JsonObject, JsonObject, string]>([
    [track('e', {}, { timestamp: '2020-01-01T00:00:00Z' }), {}, 'the last seven days'],
    [track('e', {}, { timestamp: '2999-01-01T00:00:00Z' }), {}, 'at most a minute ahead'],
    [track(''), {}, 'Event name is required'],
    [track('e'), { accessToken: '' }, 'accessToken is required'],
    [{ type: 'identify' }, {}, 'Event type identify is not supported'],
  ])('is refused', (event, more, message) => {
    expect(() => send(event, more)).toThrow(message);
  });
});
