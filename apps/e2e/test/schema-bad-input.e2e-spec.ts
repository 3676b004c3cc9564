import { describe, expect, it } from '@jest/globals';
import { expectMsg } from './support/matchers.js';
import { operator, UNKNOWN_UUID } from './support/workspace.js';

const UNKNOWN_IDS = [
  UNKNOWN_UUID,
  UNKNOWN_UUID.toUpperCase(),
  'x',
  '0',
  'null',
  '%00',
  '%F0%9F%92%A3',
  '..%2F..',
  "'%3B--",
  '%7B%7D',
  'a'.repeat(2_000),
];
const OF_AN_ID = [
  'event-model/*/metadata',
  'event-model/*/key-counts',
  'event-model/*/keys',
  'event-model/*/pii',
  'event-version/*/metadata',
  'event-version/*/missing-keys',
  'event-version/*/diff?against=x',
];

/** Refused queries and the reasons. */
const QUERIES: [query: string, because: RegExp][] = [
  ...['0', '-1', '201', '1.5', '1e2', 'ten', '', '%20', '0x10', '9'.repeat(30), 'null', '[]'].map(
    (limit): [string, RegExp] => [`event-models?limit=${limit}`, /^limit must be an integer from 1 to 200$/],
  ),
  ...['-1', '1.5', 'x', '', '1'.repeat(10)].map((after): [string, RegExp] => [
    `event-models?after=${after}`,
    /^after must be an integer/,
  ]),
  ...['0', '51', 'x'].map((limit): [string, RegExp] => [
    `drift?limit=${limit}`,
    /^limit must be an integer from 1 to 50$/,
  ]),
  ...['', 'new', 'NEW_TYPE', 'constructor'].map((kind): [string, RegExp] => [
    `drift?Kind=${kind}`,
    /^Kind must be one of new_version, new_type, vanished_key$/,
  ]),
  ['event-models?limit=1&limit=1', /^limit must be given once$/],
  [`event-models?SourceName=${'k'.repeat(257)}`, /^SourceName must/],
  ['event-versions', /^Mandatory field: EventID missing$/],
  ['event-versions?eventID=x', /^eventID is not a parameter of this path, which takes EventID/],
  ['event-models?writeKey=x', /^writeKey is not a parameter of this path, which takes WriteKey/],
  ['event-versions?limit=5', /^Mandatory field: EventID missing$/],
  [`event-version/${UNKNOWN_UUID}/diff`, /^Mandatory field: against missing$/],
];

const BODIES: [body: unknown, because: RegExp][] = [
  [undefined, /JSON body is required/],
  ['', /JSON body is required/],
  ['{', /JSON/],
  ['[]', /must be an object/],
  ['null', /must be an object/],
  ['"mask"', /must be an object/],
  [{}, /^Samples /],
  [{ Samples: 'some' }, /^Samples /],
  [{ Samples: null }, /^Samples /],
  [{ Samples: ['mask'] }, /^Samples /],
  [{ samples: 'mask' }, /^Samples /],
  ['{"__proto__":{"Samples":"mask"}}', /^Samples /],
  [{ Samples: 'mask', MaskedKeys: 'traits' }, /^MaskedKeys /],
  [{ Samples: 'mask', MaskedKeys: [''] }, /^MaskedKeys\.0 /],
  [{ Samples: 'mask', MaskedKeys: [1] }, /^MaskedKeys\.0 /],
  [{ Samples: 'mask', MaskedKeys: ['k'.repeat(513)] }, /^MaskedKeys\.0 /],
  [{ Samples: 'mask', MaskedKeys: Array(201).fill('k') }, /^MaskedKeys /],
];

describe('area D', () => {
  it('knows nothing by ids that nothing has', async () => {
    for (const path of OF_AN_ID) {
      for (const id of UNKNOWN_IDS) expectMsg(await operator().get(`/schemas/${path.replace('*', id)}`), 404);
    }
  });

  it.each(['WriteKey=a&WriteKey=b', `WriteKey=${'k'.repeat(300)}`, 'WriteKey=a%00b'])(
    'finds nothing by write keys that nothing has: %s',
    async (query) => {
      for (const path of ['event-models', 'event-models/json-schemas', 'event-models/days', 'drift'])
        expect(await operator().get(`/schemas/${path}?${query}`)).toMatchObject({ status: 200, body: [] });
    },
  );

  it.each(['EventID=a&EventID=b', `EventID=${'k'.repeat(300)}`, 'EventID=a%00b'])(
    'finds nothing by an id of a model that nothing has: %s',
    async (query) => {
      for (const path of ['event-versions', 'drift'])
        expect(await operator().get(`/schemas/${path}?${query}`)).toMatchObject({ status: 200, body: [] });
    },
  );

  it.each(QUERIES)('says what to change in %s', async (query, because) => {
    expectMsg(await operator().get(`/schemas/${query}`), 400, because);
  });

  it.each(BODIES)('says what to change in the body %j', async (body, because) => {
    expectMsg(await operator().put('/schemas/sources/nobody/privacy', body), 400, because);
  });

  it('refuses what is too large, of another type or compressed', async () => {
    const path = '/schemas/sources/nobody/privacy';
    expectMsg(await operator().put(path, `{"Samples":"mask","x":"${'x'.repeat(70_000)}"}`), 413);
    const body = '{"Samples":"mask"}';
    expectMsg(await operator().put(path, body, { headers: { 'content-type': 'text/xml' } }), 415);
    expectMsg(await operator().put(path, body, { headers: { 'content-encoding': 'br' } }), 415);
    expect((await operator().get(path)).body).toEqual({ Samples: 'keep', MaskedKeys: [] });
  });
});
