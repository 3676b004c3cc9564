import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../../kind.js';
import webhook from './webhook.js';

const URL = 'https://hooks.example.com/in';

function transform(event: JsonObject, config: JsonObject = {}): Payload {
  const payloads = webhook.transform({ type: 'track', ...event }, { webhookUrl: URL, ...config });
  expect(payloads).toHaveLength(1);
  return payloads[0] as Payload;
}

describe('a webhook payload', () => {
  it('has the keys of the specification in their order', () => {
    const payload = transform({ anonymousId: 'anon-1', event: 'Paid' });
    const keys = ['version', 'type', 'method', 'endpoint', 'headers', 'params', 'body', 'files', 'userId'];
    expect(Object.keys(payload)).toEqual(keys);
    expect(Object.keys(payload.body)).toEqual(['JSON', 'JSON_ARRAY', 'XML', 'FORM']);
    expect(payload).toEqual({
      version: '1',
      type: 'REST',
      method: 'POST',
      endpoint: URL,
      headers: { 'content-type': 'application/json' },
      params: {},
      body: { JSON: { type: 'track', anonymousId: 'anon-1', event: 'Paid' }, JSON_ARRAY: {}, XML: {}, FORM: {} },
      files: {},
      userId: 'anon-1',
    });
  });

  it('has no userId without an anonymousId', () => {
    expect(transform({ userId: 'u1' })).not.toHaveProperty('userId');
  });
});

describe('method', () => {
  it.each([
    [undefined, 'POST'],
    ['', 'POST'],
    ['PUT', 'PUT'],
    ['PATCH', 'PATCH'],
    ['GET', 'GET'],
    ['DELETE', 'DELETE'],
  ])('%j sends %s', (webhookMethod, method) => {
    expect(transform({}, { webhookMethod }).method).toBe(method);
  });

  it.each(['PUT', 'PATCH', 'POST'])('%s carries the event in the body', (webhookMethod) => {
    const { body, params } = transform({ properties: { a: 1 } }, { webhookMethod });
    expect([body.JSON, params]).toEqual([{ type: 'track', properties: { a: 1 } }, {}]);
  });

  it.each(['GET', 'DELETE'])('%s carries flat properties in the query and no body', (webhookMethod) => {
    const properties = { plan: 'pro', deep: { er: { x: 1 } }, list: ['a', { b: 2 }], none: {} };
    const { body, params, headers } = transform({ properties }, { webhookMethod });
    expect(params).toEqual({ plan: 'pro', 'deep.er.x': 1, 'list[0]': 'a', 'list[1].b': 2, none: {} });
    expect(body).toEqual({ JSON: {}, JSON_ARRAY: {}, XML: {}, FORM: {} });
    expect(headers).toEqual({});
  });

  it('GET carries the traits of an identify', () => {
    const get = { webhookMethod: 'GET' };
    expect(transform({ type: 'identify', traits: { plan: 'pro' } }, get).params).toEqual({ plan: 'pro' });
    expect(transform({ type: 'identify', context: { traits: { plan: 'free' } } }, get).params).toEqual({
      plan: 'free',
    });
    expect(transform({ type: 'identify', traits: {}, context: { traits: { plan: 'free' } } }, get).params).toEqual({});
    expect(transform({ type: 'identify' }, get).params).toEqual({});
    expect(transform({ type: 'track', properties: 'none' }, get).params).toEqual({});
  });
});

describe('endpoint', () => {
  it.each<[string, JsonObject, string]>([
    ['the configured one', {}, URL],
    ['with the path of the event', { appendPath: '/x?y=1' }, `${URL}/x?y=1`],
    ['the full path of the event', { fullPath: 'https://a.example/' }, 'https://a.example/'],
    ['both', { fullPath: 'https://a.example', appendPath: '/x' }, 'https://a.example/x'],
    ['of the integration', { integrations: { Webhook: { fullPath: 'https://i.example' } } }, 'https://i.example'],
    ['with the path of the integration', { integrations: { webhook: { appendPath: '/i' } } }, `${URL}/i`],
    [
      'of the event before the integration',
      { fullPath: 'https://a.example', integrations: { WEBHOOK: { fullPath: 'https://i.example' } } },
      'https://a.example',
    ],
    ['unmoved by an integration that is only switched on', { integrations: { Webhook: true, All: false } }, URL],
    [
      'of the first integration that is on',
      { integrations: { webhook: false, WebHook: { appendPath: '/w' } } },
      `${URL}/w`,
    ],
    ['unmoved by an integration of another spelling', { integrations: { webHook: { appendPath: '/w' } } }, URL],
    ['with a path that is a number', { appendPath: 7 }, `${URL}7`],
    ['with an empty path of the event', { appendPath: '', integrations: { webhook: { appendPath: '/i' } } }, URL],
    [
      'with a path of the integration instead of null',
      { appendPath: null, integrations: { webhook: { appendPath: '/i' } } },
      `${URL}/i`,
    ],
  ])('is %s', (_, event, endpoint) => {
    expect(transform(event).endpoint).toBe(endpoint);
  });

  it.each([undefined, '', null, 5])('is missing when webhookUrl is %j', (webhookUrl) => {
    expect(() => transform({}, { webhookUrl })).toThrow('Invalid URL in destination config');
  });
});

describe('headers', () => {
  it('are the configured ones in lower case; the last of a name wins', () => {
    const headers = [
      { from: 'X-Api-Key', to: 'one' },
      { from: 'x-api-key', to: 'two' },
      { from: ' X-Padded ', to: 'p' },
    ];
    expect(transform({}, { headers }).headers).toEqual({
      'content-type': 'application/json',
      'x-api-key': 'two',
      'x-padded': 'p',
    });
  });

  it('leave out what has no name or no value, and whatever is no pair', () => {
    const headers = [{ from: '', to: 'v' }, { from: 'a' }, { from: 'b', to: null }, 'c', null, { to: 'd' }];
    expect(transform({}, { headers }).headers).toEqual({ 'content-type': 'application/json' });
    expect(transform({}, { headers: 'none' }).headers).toEqual({ 'content-type': 'application/json' });
  });

  it('of the event win over the configured ones, and everything becomes text', () => {
    const header = { 'X-A': 'event', num: 5, flag: false, obj: { k: [1] }, none: null };
    const headers = [{ from: 'x-a', to: 'config' }];
    expect(transform({ header }, { headers }).headers).toEqual({
      'content-type': 'application/json',
      'x-a': 'event',
      num: '5',
      flag: 'false',
      obj: '{"k":[1]}',
      none: 'null',
    });
  });

  it('may change the content type', () => {
    const headers = [{ from: 'Content-Type', to: 'application/cloudevents+json' }];
    expect(transform({}, { headers }).headers).toEqual({ 'content-type': 'application/cloudevents+json' });
  });

  it('cannot reach the prototype', () => {
    const { headers } = transform({ header: JSON.parse('{"__proto__":"x"}') });
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype);
  });
});

describe('body', () => {
  it('leaves out the steering keys and what is null at the top', () => {
    const event = {
      fullPath: 'https://a.example',
      appendPath: '/x',
      header: {},
      groupId: null,
      properties: { a: null },
    };
    expect(transform(event).body.JSON).toEqual({ type: 'track', properties: { a: null } });
  });

  it.each<[JsonObject, JsonObject]>([
    [
      { context: { ip: '1.2.3.4', os: 'x' }, request_ip: '9.9.9.9' },
      { ip: '1.2.3.4', os: 'x' },
    ],
    [
      { context: { os: 'x' }, request_ip: '9.9.9.9' },
      { os: 'x', ip: '9.9.9.9' },
    ],
    [{ request_ip: '9.9.9.9' }, { ip: '9.9.9.9' }],
  ])('takes context.ip of %j', (event, context) => {
    expect(transform(event).body.JSON['context']).toEqual(context);
  });

  it('gets no context when there is no address', () => {
    expect(transform({}).body.JSON).toEqual({ type: 'track' });
  });

  it('does not change the event', () => {
    const event = { type: 'track', request_ip: '9.9.9.9', context: { os: 'x' }, fullPath: 'https://a.example' };
    const before = structuredClone(event);
    webhook.transform(event, { webhookUrl: URL });
    expect(event).toEqual(before);
  });
});
