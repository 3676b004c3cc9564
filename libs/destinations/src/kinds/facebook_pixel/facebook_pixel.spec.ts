import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { answering } from '../../../test/answering.fixtures.js';
import { withValues } from '../../../test/sources.fixtures.js';
import type { OutboundRequest } from '../../kind.js';
import { sha256 } from '../../toolkit/index.js';
import facebookPixel from './facebook_pixel.js';

const DAY_MS = 86_400_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const CONFIG = { pixelId: 'p 1', accessToken: 't&' };
const EVENT = { type: 'track', event: 'Bet', userId: 'ada', timestamp: ago(1_000), properties: { plan: 'pro' } };
const send = (values: JsonObject, config: JsonObject = {}) =>
  facebookPixel.transform(withValues(EVENT, values), { ...CONFIG, ...config });
const sent = (values: JsonObject, config: JsonObject = {}): JsonObject =>
  JSON.parse(String([send(values, config)[0]?.body.FORM['data']].flat()[0]));

describe('a request to the pixel', () => {
  it('is a form with one item', () => {
    expect(send({}, { testEventCode: 'T1' })).toMatchObject([
      {
        ...{ method: 'POST', headers: {}, params: {} },
        endpoint: 'https://graph.facebook.com/v25.0/p%201/events?access_token=t%26',
        body: { FORM: { data: [expect.any(String)] } },
      },
    ]);
  });

  it.each<[JsonObject, string | undefined]>([
    [{ testEventCode: 'T1' }, undefined],
    [{ testDestination: true, testEventCode: 'T1' }, 'T1'],
    [{ testDestination: true }, undefined],
  ])('with %j is of the test %s', (config, code) => {
    expect(send({}, config)[0]?.body.FORM['test_event_code']).toBe(code);
  });

  it('travels with others as one JSON array', async () => {
    const requests: OutboundRequest[] = [];
    const payload = facebookPixel.batch?.(CONFIG)?.combine([...send({ event: 'a' }), ...send({ event: 'b' })]);
    if (!payload) throw new Error('no batch');
    const result = await facebookPixel.deliver?.(payload, CONFIG, answering(200, { events_received: 2 }, requests), {});
    expect(result).toEqual({ status: 200, response: { events_received: 2 } });
    const data = new URLSearchParams(requests[0]?.body).get('data');
    expect(JSON.parse(String(data))).toMatchObject([{ event_name: 'a' }, { event_name: 'b' }]);
  });
});

describe('a person', () => {
  it('is told with hashes, and no more of an identify', () => {
    const traits = { email: ' Ada@Example.com', phone: '+44 (20)', gender: 'Female' };
    const values = { type: 'identify', 'context.traits': traits, 'properties.fbc': 'c', messageId: 'm' };
    expect(sent(values, { advancedMapping: true })).toEqual({
      user_data: {
        ...{ external_id: sha256('ada'), em: sha256('ada@example.com'), ph: sha256('4420') },
        ...{ ge: sha256('f'), fbc: 'c' },
      },
      ...{ event_name: 'identify', event_time: expect.any(Number), event_id: 'm', action_source: 'other' },
    });
  });

  it.each(['Facebook Pixel', 'FacebookPixel', 'FACEBOOK_PIXEL', 'fb_pixel'])(
    'is not hashed again if the option of %s says that it is hashed',
    (name) => {
      const blacklistPiiProperties = [{ blacklistPiiProperties: 'code', blacklistPiiHash: true }];
      const values = { 'traits.email': 'E', 'properties.code': 7, integrations: { [name]: { hashed: true } } };
      expect(sent(values, { blacklistPiiProperties })).toMatchObject({
        user_data: { external_id: 'ada', em: 'e' },
        custom_data: { code: '7' },
      });
    },
  );

  it('has no external_id if that is configured', () => {
    const values = { userId: undefined, anonymousId: 'anon', 'traits.email': 'a' };
    expect(sent(values)['user_data']).toEqual({ external_id: sha256('anon'), em: sha256('a') });
    expect(sent(values, { removeExternalId: true })['user_data']).toEqual({ em: sha256('a') });
  });
});

describe('an event', () => {
  it.each<[JsonObject, JsonObject, string]>([
    [{}, {}, 'other'],
    [{ channel: 'web' }, {}, 'website'],
    [{ channel: 'mobile' }, {}, 'app'],
    [{ channel: 'sources' }, {}, 'other'],
    [{ channel: 'constructor' }, {}, 'other'],
    [{ channel: 'web', 'traits.action_source': 'email', 'properties.action_source': 'chat' }, {}, 'email'],
    [{ 'context.traits.action_source': 'chat' }, {}, 'chat'],
    [{ 'properties.action_source': 'phone_call' }, {}, 'phone_call'],
    [{ 'integrations.Facebook Pixel': { action_source: 'app' } }, {}, 'app'],
  ])('of %j with %j says where it happened', (values, config, source) => {
    expect(sent(values, config)['action_source']).toBe(source);
  });

  it('of an app has the data of the app if it tells all of it', () => {
    const device = { type: 'android', adTrackingEnabled: false };
    const app = { channel: 'mobile', 'context.device': device, 'context.os.version': '14' };
    const complete = { ...app, 'properties.application_tracking_enabled': 1 };
    expect(sent(complete)['app_data']).toMatchObject({
      advertiser_tracking_enabled: false,
      extinfo: expect.any(Array),
    });
    expect(sent(app)).not.toHaveProperty('app_data');
    expect(sent({ ...complete, 'context.device.type': 'tv' })).not.toHaveProperty('app_data');
    expect(sent({ ...complete, channel: 'web' })).not.toHaveProperty('app_data');
  });

  it('says how far its data may be used', () => {
    const values = { 'context.dataProcessingOptions': [['LDU'], 1, 1000] };
    expect(sent(values, { limitedDataUSage: true })).toMatchObject({
      ...{ data_processing_options: ['LDU'], data_processing_options_country: 1, data_processing_options_state: 1000 },
    });
    expect(sent(values)).not.toHaveProperty('data_processing_options');
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ type: 'page', name: 'Home' }, {}, 'Viewed page Home'],
    [{ type: 'page' }, {}, 'PageView'],
    [{ type: 'page', name: 'Home' }, { standardPageCall: true }, 'PageView'],
    [{ type: 'screen', name: 'Home' }, {}, 'PageView'],
    [{ type: 'screen' }, { standardPageCall: true }, 'PageView'],
    [{ event: 'ORDER completed' }, {}, 'Purchase'],
    [{ event: 'Product Added to Wishlist' }, {}, 'Product Added to Wishlist'],
    [{ event: 'AddToWishlist' }, {}, 'AddToWishlist'],
    [{ event: 'Purchase' }, {}, 'Purchase'],
    [{ event: 'purchase' }, {}, 'purchase'],
    [{ event: 'BET' }, { from: 'bet', to: 'AddPaymentInfo' }, 'AddPaymentInfo'],
    [{ event: 'Order Completed' }, { from: 'order completed', to: 'Lead' }, 'Lead'],
    [{}, { from: 'bet', to: 'InitiateCheckout' }, 'InitiateCheckout'],
    [{}, { from: 'bet', to: 'Own' }, 'Bet'],
  ])('of %j with %j is called %s', (values, { from, to, ...config }, name) => {
    expect(sent(values, { eventsToEvents: from ? [{ from, to }] : null, ...config })['event_name']).toBe(name);
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ timestamp: ago(7 * DAY_MS + 5_000) }, {}, 'from the last 7 days'],
    [{ timestamp: ago(-120_000) }, {}, 'at most a minute ahead'],
    [{ timestamp: undefined }, {}, 'event_time is required'],
    [{ event: undefined }, {}, 'Event name is required'],
    [{ event: 7 }, {}, 'Event name is required'],
    [{ userId: '' }, {}, 'needs a userId or an anonymousId'],
    [{}, { accessToken: null }, 'accessToken is required'],
    [{}, { pixelId: '' }, 'pixelId is required'],
    [{ 'properties.action_source': 'kiosk' }, {}, 'action_source must be one of'],
    [{ type: 'identify' }, {}, 'needs advancedMapping'],
    [{ type: 'group' }, {}, 'Event type group is not supported'],
    [{ 'properties.revenue': 'much' }, {}, 'properties.revenue must be a number'],
    [{ event: 'Products Searched', 'properties.query': ['a'] }, {}, 'properties.query must be a text'],
    [{ event: 'Product Viewed', 'properties.category': { a: 1 } }, {}, 'properties.category must be a text'],
    [{ event: 'Lead', properties: {} }, {}, 'needs properties beside opt_out, event_id, action_source'],
    [{ event: 'Lead', properties: { opt_out: true, event_id: 'e' } }, {}, 'needs properties'],
    [{ type: 'page', properties: undefined }, { standardPageCall: true }, 'needs properties'],
    [{ type: 'screen', properties: {} }, { standardPageCall: true }, 'needs properties'],
  ])('of %j with %j is refused: %s', (values, config, message) => {
    expect(() => send(values, config)).toThrow(message);
  });

  it('without properties has no data unless its name is standard', () => {
    const values = { properties: { opt_out: true, event_id: 'e' } };
    expect(sent(values)).not.toHaveProperty('custom_data');
    expect(sent({ ...values, type: 'page' })).not.toHaveProperty('custom_data');
    expect(sent(values)).toMatchObject({ opt_out: true, event_id: 'e' });
  });

  it('of a shop may be two months old', () => {
    expect(send({ timestamp: ago(61 * DAY_MS), 'traits.action_source': 'physical_store' })).toHaveLength(1);
  });
});
