import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../../kind.js';
import http, { httpBatch } from './http.js';
import { toXml } from './xml.js';

const event = {
  type: 'track',
  event: 'Bought',
  userId: 'ada/1',
  none: null,
  properties: {
    items: [{ sku: 'a' }, { sku: 'b' }],
    one: [{ sku: 'a' }],
    total: 7,
    note: '<&>',
    deep: { a: null, list: [1, null] },
  },
};
const send = (config: JsonObject): Payload =>
  http.transform(event, { apiUrl: 'https://api.example.com/in/', ...config })[0] as Payload;
const P = '$.properties';

describe('a request', () => {
  it.each<[JsonObject, JsonObject]>([
    [{ auth: 'basicAuth', username: 'u', password: 'p' }, { authorization: 'Basic dTpw' }],
    [{ auth: 'basicAuth', username: 'u' }, { authorization: 'Basic dTo=' }],
    [{ auth: 'bearerTokenAuth', bearerToken: 't' }, { authorization: 'Bearer t' }],
    [{ auth: 'apiKeyAuth', apiKeyName: 'X-Key', apiKeyValue: 'k' }, { 'x-key': 'k' }],
    [{ auth: 'noAuth', headers: [{ from: '$.event', to: 'X-Name' }] }, { 'x-name': 'Bought' }],
    [{ headers: [{ from: 'text/plain', to: 'Content-Type' }] }, {}],
    [{ headers: [{ from: 'text/plain', to: 'content-type' }] }, { 'content-type': 'text/plain' }],
    [{ auth: 'other', username: 'ada' }, {}],
    [
      { auth: 'bearerTokenAuth', bearerToken: 't', headers: [{ from: 'own', to: 'Authorization' }] },
      { authorization: 'own' },
    ],
  ])('has the headers of %j', (config, headers) => {
    expect(send(config).headers).toEqual({ 'content-type': 'application/json', ...headers });
  });

  it.each<[JsonObject, string]>([
    [{ apiUrl: '' }, 'apiUrl is required'],
    [{ auth: 'basicAuth' }, 'username is required'],
    [{ auth: 'bearerTokenAuth' }, 'bearerToken is required'],
    [{ auth: 'apiKeyAuth' }, 'apiKeyName is required'],
    [{ auth: 'apiKeyAuth', apiKeyName: 'k' }, 'apiKeyValue is required'],
    [{ headers: [{ from: `${P}.total`, to: 'h' }] }, 'header h must be text, not number'],
    [{ headers: [{ from: P, to: 'h' }] }, 'header h must be text, not object'],
  ])('is refused with %j', (config, message) => {
    expect(() => send(config)).toThrow(message);
  });

  it.each(['POST', 'GET', 'DELETE'])('by %s has a body and a query', (method) => {
    const mapping = [{ from: '$.event', to: '$.q' }];
    const queryParams = [...mapping, { from: `${P}.one`, to: 'list' }, { from: '$.none', to: 'n' }];
    expect(send({ method, queryParams, propertiesMapping: mapping })).toMatchObject({
      ...{ method, params: { q: 'Bought', list: [{ sku: 'a' }] }, body: { JSON: { q: 'Bought' } } },
    });
    expect(send({ method }).params).toEqual({});
  });

  it.each<[unknown, string]>([
    [undefined, 'https://api.example.com//in/'],
    [[], 'https://api.example.com/in/'],
    [[{ path: 'users' }, { path: '$.userId' }], 'https://api.example.com/in/users/ada%2F1'],
    [[{ path: `${P}.total` }, { path: "'q'" }], "https://api.example.com/in/7/'q'"],
    [[{ path: `${P}.items[*].sku` }], 'https://api.example.com/in/a'],
  ])('with the path parameters %j goes to %s', (pathParams, endpoint) => {
    expect(send({ apiUrl: 'https://api.example.com//in/', pathParams }).endpoint).toBe(endpoint);
  });

  it.each<[string | undefined, string]>([
    ['a/b', 'has a slash'],
    ['$.groupId', 'no text for the path parameter $.groupId'],
    ['$.none', 'no text'],
    ['$.properties', 'no text'],
    ['$.k-x', 'not a mapping'],
    ['..', 'cannot be part of an address'],
    [undefined, 'no text'],
  ])('is refused with the path parameter %s', (path, message) => {
    expect(() => send({ pathParams: [{ path }] })).toThrow(message);
  });

  it.each<[string, JsonObject, string, unknown]>([
    ['FORM', {}, 'FORM', { item: '[{"sku":"a"},{"sku":"b"}]', note: '<&>', total: '7' }],
    [
      'XML',
      { xmlRootKey: 'order' },
      'XML',
      {
        payload:
          '<?xml version="1.0" encoding="UTF-8"?><order><item><sku>a</sku></item><item><sku>b</sku></item>' +
          '<note>&lt;&amp;&gt;</note><total>7</total></order>',
      },
    ],
    ['YAML', {}, 'JSON', {}],
  ])('speaks %s with %j', (format, more, section, body) => {
    const propertiesMapping = [
      { from: `${P}.items[*].sku`, to: '$.item[*].sku' },
      { from: `${P}.note`, to: '$.note' },
      { from: `${P}.total`, to: '$.total' },
    ];
    expect(send({ format, propertiesMapping, ...more }).body).toMatchObject({ [section]: body });
    expect(send({ format }).body).toEqual({ JSON: {}, JSON_ARRAY: {}, XML: {}, FORM: {} });
  });

  it('is the event itself by the default mapping, without null', () => {
    const { none, ...rest } = event;
    const { deep, ...properties } = event.properties;
    const sent = { ...rest, properties: { ...properties, deep: { list: [1, null] } } };
    expect([none, send({ isDefaultMapping: true, propertiesMapping: [{ from: 'x', to: 'y' }] }).body.JSON]).toEqual([
      null,
      sent,
    ]);
    expect(deep.a).toBeNull();
  });
});

it('an unknown format leaves the body empty, and the method is as written', () => {
  const config = { format: 'TEXT', method: 'HEAD', isDefaultMapping: true };
  expect(send(config)).toMatchObject({ method: 'HEAD', headers: {}, body: { JSON: {}, FORM: {}, XML: {} } });
});

describe('XML', () => {
  it.each<[JsonObject, string]>([
    [{ '1abc': 1, 'a b': true, é: 'x' }, '<_abc>1</_abc><a_b>true</a_b><_>x</_>'],
    [{ a: '', b: {}, c: [], d: null }, '<a/><b/>'],
    [{ a: [[1, 2], 3] }, '<a><_>1</_><_>2</_></a><a>3</a>'],
    [{ '': 'x' }, '<_>x</_>'],
  ])('of %j is %s', (value, inner) => {
    expect(toXml(value, 'r')).toBe(`<?xml version="1.0" encoding="UTF-8"?><r>${inner}</r>`);
  });
});

describe('a batch', () => {
  it('is an array, also of one', () => {
    const rule = httpBatch({ isBatchingEnabled: true, maxBatchSize: '2' });
    const payload = send({ propertiesMapping: [{ from: '$.event', to: '$.e' }] });
    expect(rule?.itemsMax).toBe(2);
    expect(rule?.combine([payload]).body).toMatchObject({ JSON: {}, JSON_ARRAY: { batch: '[{"e":"Bought"}]' } });
    expect(httpBatch({})).toBeUndefined();
    expect(httpBatch({ isBatchingEnabled: true, format: 'XML' })).toBeUndefined();
    expect(httpBatch({ isBatchingEnabled: true })?.itemsMax).toBe(100);
  });
});
