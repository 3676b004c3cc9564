import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import { httpBatch, httpTransform } from './http.transform.js';

const event = {
  type: 'track',
  event: 'Bought',
  userId: 'ada/1',
  properties: { items: [{ sku: 'a', tags: ['x'] }, { sku: 'b' }], total: 7, note: '<&>' },
};
const send = (config: JsonObject): Payload =>
  httpTransform(event, { apiUrl: 'https://api.example.com/in/', ...config })[0] as Payload;

describe('mappings', () => {
  it.each<[string, string, JsonObject]>([
    ['$.event', '$.name', { name: 'Bought' }],
    ['$.properties.total', '$.deep.er', { deep: { er: 7 } }],
    ["'text'", "$['a b']", { 'a b': 'text' }],
    ['plain', '$."c-d"', { 'c-d': 'plain' }],
    ['$.properties.items[*].sku', '$.list[*].id', { list: [{ id: 'a' }, { id: 'b' }] }],
    ['$.properties.items[*].sku', '$.ids', { ids: ['a', 'b'] }],
    ['$.properties.items[1].sku', '$.second[0]', { second: ['b'] }],
    ['$.nothing', '$.nothing', {}],
    ['$.event', '$.__proto__.polluted', {}],
  ])('%s to %s', (from, to, body) => {
    expect(send({ propertiesMapping: [{ from, to }] }).body.JSON).toEqual(body);
  });

  it('refuses a path that it does not read', () => {
    const propertiesMapping = [{ from: '$.items[?(@.a)]', to: '$.a' }];
    expect(() => send({ propertiesMapping })).toThrow(expect.objectContaining({ code: 'invalid' }));
  });
});

describe('a request', () => {
  it.each([
    [{ auth: 'basicAuth', username: 'u', password: 'p' }, { authorization: 'Basic dTpw' }],
    [{ auth: 'bearerTokenAuth', bearerToken: 't' }, { authorization: 'Bearer t' }],
    [{ auth: 'apiKeyAuth', apiKeyName: 'X-Key', apiKeyValue: 'k' }, { 'x-key': 'k' }],
    [{ headers: [{ from: '$.properties.total', to: '$.x-total' }] }, { 'x-total': '7' }],
  ])('has the headers of %j', (config, headers) => {
    expect(send(config).headers).toEqual({ 'content-type': 'application/json', ...headers });
  });

  it('has segments and a query of the event', () => {
    const payload = send({
      method: 'GET',
      pathParams: [{ path: 'users' }, { path: '$.userId' }],
      queryParams: [{ from: '$.event', to: '$.q' }],
    });
    expect(payload).toMatchObject({ endpoint: 'https://api.example.com/in/users/ada%2F1', params: { q: 'Bought' } });
    expect(payload.body.JSON).toEqual({});
  });

  it('is refused without the segment that says what it is about', () => {
    expect(() => send({ pathParams: [{ path: '$.groupId' }] })).toThrow('path parameter $.groupId');
  });

  it('is refused for a header that is no text', () => {
    expect(() => send({ headers: [{ from: '$.properties', to: '$.h' }] })).toThrow('header h must be text');
  });

  it('speaks XML and forms too', () => {
    const propertiesMapping = [
      { from: '$.properties.items[*].sku', to: '$.item[*].sku' },
      { from: '$.properties.note', to: '$.note' },
    ];
    const xml = '<?xml version="1.0" encoding="UTF-8"?><root><item><sku>a</sku></item><item><sku>b</sku></item>';
    expect(send({ format: 'XML', propertiesMapping }).body.XML).toEqual({
      payload: `${xml}<note>&lt;&amp;&gt;</note></root>`,
    });
    expect(send({ format: 'FORM', propertiesMapping }).body.FORM).toEqual({
      item: '[{"sku":"a"},{"sku":"b"}]',
      note: '<&>',
    });
  });

  it('is the event itself by the default mapping', () => {
    expect(send({ isDefaultMapping: true }).body.JSON).toEqual(event);
  });
});

describe('a batch', () => {
  it('is an array, also of one', () => {
    const rule = httpBatch({ isBatchingEnabled: true, maxBatchSize: '2' });
    const payload = send({ propertiesMapping: [{ from: '$.event', to: '$.e' }] });
    expect(rule?.itemsMax).toBe(2);
    expect(rule?.combine([payload]).body).toMatchObject({ JSON: {}, JSON_ARRAY: { batch: '[{"e":"Bought"}]' } });
    expect(httpBatch({})).toBeUndefined();
  });
});
