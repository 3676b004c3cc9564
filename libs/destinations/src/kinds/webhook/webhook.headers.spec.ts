import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { sendPayload } from '../../delivery/send-payload.js';
import type { Outbound, OutboundRequest, Payload } from '../../kind.js';
import webhook from './webhook.js';

const CONFIG = { webhookUrl: 'https://hooks.example.com/in', headers: [{ from: 'x-key', to: 'secret-1' }] };

const payloadOf = (event: JsonObject, config: JsonObject = CONFIG): Payload =>
  webhook.transform({ type: 'track', ...event }, config)[0] as Payload;

const headersOf = (event: JsonObject, config: JsonObject = {}): string =>
  JSON.stringify(payloadOf(event, { ...CONFIG, ...config }).headers);

describe('the stored headers', () => {
  it.each<[JsonObject]>([
    [{}],
    [{ appendPath: '/more' }],
    [{ appendPath: '/more/../less?page=2' }],
    [{ appendPath: '?page=2' }],
    [{ appendPath: '//more' }],
    [{ fullPath: 'https://hooks.example.com/in' }],
    [{ fullPath: 'https://hooks.example.com/in/more' }],
    [{ integrations: { Webhook: { appendPath: '/more' } } }],
  ])('go to the configured path and below: %j', (event) => {
    expect(headersOf(event)).toContain('secret-1');
  });

  it.each<[JsonObject]>([
    [{ fullPath: 'https://evil.example/in' }],
    [{ fullPath: 'http://hooks.example.com/in' }],
    [{ fullPath: 'https://hooks.example.com:8443/in' }],
    [{ fullPath: 'https://hooks.example.com', appendPath: '.evil.example/' }],
    [{ fullPath: 'https://hooks.example.com', appendPath: '@evil.example/' }],
    [{ fullPath: 'https://hooks.example.com/admin' }],
    [{ appendPath: 'side' }],
    [{ appendPath: '/../../admin' }],
    [{ appendPath: '/%2e%2e/admin' }],
    [{ appendPath: '/..%2fadmin' }],
    [{ appendPath: '/..%252fadmin' }],
    [{ appendPath: '\\..\\admin' }],
    [{ appendPath: '/..;/admin' }],
    [{ appendPath: '/.\t./admin' }],
    [{ integrations: { Webhook: { appendPath: '/../admin' } } }],
    [{ integrations: { Webhook: { fullPath: '//hooks.example.com/in' } } }],
  ])('go nowhere else that an event points: %j', (event) => {
    expect(headersOf(event)).not.toContain('secret-1');
  });

  it('go nowhere when the event changes a parameter that is configured, by address or by property', () => {
    const webhookUrl = 'https://hooks.example.com/in?op=add';
    const get = { webhookUrl, webhookMethod: 'GET' };
    expect(headersOf({ appendPath: '&page=2' }, { webhookUrl })).toContain('secret-1');
    expect(headersOf({ appendPath: '&op=delete' }, { webhookUrl })).not.toContain('secret-1');
    expect(headersOf({ appendPath: '/../admin' }, { webhookUrl })).not.toContain('secret-1');
    expect(headersOf({ properties: { page: 2 } }, get)).toContain('secret-1');
    expect(headersOf({ properties: { op: 'delete' } }, get)).not.toContain('secret-1');
  });

  it.each<[JsonObject, boolean]>([
    [{ fullPath: 'https://other.example.com/in' }, true],
    [{ fullPath: 'https://other.example.com/in', appendPath: '/more?page=2' }, true],
    [{ appendPath: '/more' }, true],
    [{ fullPath: 'https://other.example.com/admin' }, false],
    [{ fullPath: 'https://other.example.com/in', appendPath: '/../admin' }, false],
    [{ fullPath: 'https://evil.example/in' }, false],
  ])('go to addresses that the configuration trusts, and below: %j is %s', (event, isTrusted) => {
    const trustedUrls = [{ url: 'https://third.example.com' }, { url: ' https://other.example.com/in ' }, { url: '' }];
    expect(headersOf(event, { trustedUrls }).includes('secret-1')).toBe(isTrusted);
  });

  it.each([null, 'https://evil.example/', [{ url: 'no address' }], [{ url: 5 }], ['https://evil.example/']])(
    'go nowhere else with the trusted addresses %j',
    (trustedUrls) => {
      expect(headersOf({ fullPath: 'https://evil.example/' }, { trustedUrls })).not.toContain('secret-1');
      expect(headersOf({}, { trustedUrls })).toContain('secret-1');
    },
  );

  it('stay behind when a trusted address changes', () => {
    expect(webhook.definition.config.addressKeys).toContain('trustedUrls');
    expect(webhook.definition.config.destConfig.defaultConfig).not.toContain('trustedUrls');
  });

  it('leave those of the event where it points', () => {
    const event = { fullPath: 'https://elsewhere.example/', header: { 'x-own': 'of the event' } };
    expect(payloadOf(event).headers).toEqual({ 'content-type': 'application/json', 'x-own': 'of the event' });
  });
});

it('what is shown is what is sent', async () => {
  const sent: OutboundRequest[] = [];
  const outbound: Outbound = {
    request: async (request) => {
      sent.push(request);
      return { status: 200, headers: {}, body: Buffer.alloc(0), truncated: false };
    },
    connect: () => Promise.reject(new Error('not used')),
  };
  for (const event of [
    {},
    { appendPath: '/more' },
    { appendPath: '/../admin' },
    { fullPath: 'https://evil.example/' },
  ]) {
    const payload = payloadOf(event);
    await (webhook.deliver ?? ((one, _, out) => sendPayload(one, out)))(payload, CONFIG, outbound, {});
    expect(sent.at(-1)).toMatchObject({ headers: payload.headers, body: JSON.stringify(payload.body.JSON) });
  }
});
