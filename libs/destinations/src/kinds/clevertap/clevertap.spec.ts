import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import clevertap, { clevertapBatch } from './clevertap.js';

const payloads = (event: JsonObject, config: JsonObject = {}) =>
  clevertap.transform({ ...ada, ...event }, { accountId: 'a', passcode: 'p', ...config });
const send = (event: JsonObject, config: JsonObject = {}) =>
  payloads(event, config).map(({ body }) => ((body.JSON['d'] ?? []) as JsonObject[])[0] ?? {});
const profile = (event: JsonObject, config: JsonObject = {}) =>
  send({ type: 'identify', ...event }, config)[0]?.['profileData'];
const sent = (event: JsonObject, config: JsonObject = {}) =>
  send({ type: 'track', event: 'Paid', ...event }, config)[0];

const byObject = { enableObjectIdMapping: true };
const anonymous = { userId: '' };

describe('a CleverTap profile', () => {
  it.each<[JsonObject, JsonObject]>([
    [
      { email: 'a@b.c', name: 'Ada', phone: '+49' },
      { Email: 'a@b.c', Name: 'Ada', Phone: '+49' },
    ],
    [{ firstName: 'Ada', last_name: 'King' }, { Name: 'Ada King' }],
    [{ first_name: 'Ada', lastname: 'King' }, { Name: 'Ada King' }],
    [{ firstname: 'Ada' }, {}],
    [
      { gender: 'Female', employed: false },
      { Gender: 'F', Employed: false },
    ],
    [
      { gender: 'm', married: 0 },
      { Gender: 'M', Married: 0 },
    ],
    [{ gender: 'fEmale', education: '' }, {}],
    [
      { birthday: '1815-12-10', customerType: 'c' },
      { DOB: '1815-12-10', 'Customer Type': 'c' },
    ],
    [
      { avatar: { url: 'u' }, education: 'e' },
      { Photo: '{"url":"u"}', Education: 'e' },
    ],
    [{ id: 'i', userId: 'u', anonymousId: 'a', ts: 1, none: null, blank: '' }, { blank: '' }],
    [
      { tags: ['a'], deep: { b: 1 }, 'x.y': 1, vip: false },
      { tags: '["a"]', deep: '{"b":1}', x: '{"y":1}', vip: false },
    ],
    [
      { 'category-unsubscribe': ['a'], 'category-resubscribe': ['b'] },
      { 'category-unsubscribe': ['a'], 'category-resubscribe': ['b'] },
    ],
    [{ name: 'Ada', overrideFields: { Name: ['N'], gone: null } }, { Name: ['N'] }],
    [{ overrideFields: 'odd' }, {}],
  ])('with traits %j has %j, from either place', (traits, expected) => {
    expect(profile({ traits })).toEqual(expected);
    expect(profile({ context: { traits } })).toEqual(expected);
  });

  it('takes each property from the first place, and custom traits from both', () => {
    const context = { traits: { phone: '1', plan: 'pro', name: 'B' } };
    const traits = { name: 'A', plan: 'free', size: 5 };
    expect(profile({ traits, context })).toEqual({ Name: 'A', Phone: '1', plan: 'pro', size: 5 });
    expect(profile({ properties: { email: 'a@b.c' } })).toEqual({ Email: 'a@b.c' });
  });

  it.each<[JsonObject, JsonObject, JsonObject]>([
    [{}, {}, { identity: 'ada', profileData: {} }],
    [anonymous, {}, { identity: 'anon-1', profileData: {} }],
    [{ ...anonymous, context: { traits: { id: 7 } } }, {}, { identity: '7', profileData: {} }],
    [{}, byObject, { objectId: 'anon-1', profileData: { identity: 'ada' } }],
    [anonymous, byObject, { objectId: 'anon-1', profileData: {} }],
    [{ anonymousId: '' }, byObject, { identity: 'ada', profileData: {} }],
  ])('of %j with %j is %j', (event, config, expected) => {
    expect(send({ type: 'identify', ...event }, config)).toEqual([{ type: 'profile', ...expected }]);
  });

  it.each([
    [1_468_308_340, 1_468_308_340],
    ['1468308340000', '1468308340000'],
    ['2026-01-01T00:00:00Z', 1_767_225_600],
    ['then', undefined],
  ])('of the time %j is of %j', (ts, expected) => {
    expect(send({ type: 'identify', traits: { ts } })[0]?.['ts']).toBe(expected);
    expect(sent({ properties: { ts } })?.['ts']).toBe(expected);
  });

  it('merges by alias', () => {
    expect(send({ type: 'alias', previousId: 'old', context: { traits: { ts: 5 } } })).toEqual([
      { type: 'profile', profileData: { identity: 'ada' }, ts: 5, identity: 'old' },
    ]);
    expect(send({ type: 'alias', userId: '', previousId: 'old' })).toMatchObject([{ profileData: {} }]);
  });
});

describe('a push token of CleverTap', () => {
  const tokens = (system: unknown, options: JsonObject = {}, event: JsonObject = {}, config: JsonObject = byObject) => {
    const context = { device: { token: 't' }, os: { name: system } };
    return send({ type: 'identify', context, integrations: { Clevertap: options }, ...event }, config).slice(1);
  };

  it.each<[string, JsonObject, JsonObject]>([
    ['Android', {}, { type: 'fcm' }],
    ['watchOS', { deviceTokenType: 'firefox' }, { type: 'apns' }],
    ['android', { deviceTokenType: 'gcm', chromeKeys: '' }, { type: 'gcm' }],
    ['android', { deviceTokenType: 'chrome', chromeKeys: { auth: 'x' } }, { type: 'chrome', keys: { auth: 'x' } }],
    ['iOS', { chromeKeys: 'k' }, { type: 'apns', keys: 'k' }],
  ])('of %s with %j is %j', (system, options, tokenData) => {
    expect(tokens(system, options)).toEqual([
      { type: 'token', tokenData: { id: 't', ...tokenData }, objectId: 'anon-1' },
    ]);
  });

  it('is sent only by object id, for a system that is known', () => {
    expect(tokens('iOS', {}, {}, {})).toEqual([]);
    expect(tokens('iOS', {}, { anonymousId: '' })).toEqual([]);
    expect(tokens('Windows', { deviceTokenType: 'wns' })).toEqual([]);
    expect(tokens('iOS', {}, { context: { os: { name: 'iOS' } } })).toEqual([]);
  });
});

describe('a CleverTap event', () => {
  const order = { checkout_id: 'c', revenue: 5, products: [{ sku: 's' }], tax: 1, tags: ['a'], ts: 5 };

  it.each<[JsonObject, JsonObject]>([
    [
      { properties: { a: 1, deep: { b: [] }, none: null, ts: 5 } },
      { evtData: { a: 1, deep: '{"b":[]}', none: null, ts: 5 }, ts: 5 },
    ],
    [{}, { evtName: 'Paid', evtData: {} }],
    [
      { event: 'ORDER completed', properties: order },
      {
        evtName: 'Charged',
        ts: 5,
        evtData: { 'Charged ID': 'c', Amount: 5, Items: [{ sku: 's' }], tax: 1, tags: '["a"]' },
      },
    ],
    [{ event: 'Order Completed' }, { evtName: 'Charged', evtData: {} }],
    [{ event: ' Order Completed' }, { evtName: ' Order Completed' }],
    [{ type: 'page', event: undefined, name: 'Home', properties: { name: 'n' } }, { evtName: 'Web Page Viewed: Home' }],
    [{ type: 'page', name: 'Home', properties: { event: 'e' } }, { evtName: 'Web Page Viewed: Paid' }],
    [{ type: 'screen', event: '', properties: { event: 'e', name: 'n' } }, { evtName: 'Screen Viewed: e' }],
    [{ type: 'screen', event: '', properties: { name: 'n' } }, { evtName: 'Screen Viewed: n' }],
    [
      { type: 'screen', event: '' },
      { evtName: 'Screen Viewed', evtData: {} },
    ],
  ])('of %j is %j', (event, expected) => {
    expect(sent(event)).toMatchObject({ type: 'event', identity: 'ada', ...expected });
    if (expected['evtData']) expect(sent(event)?.['evtData']).toEqual(expected['evtData']);
  });

  it.each<[JsonObject, JsonObject, JsonObject]>([
    [anonymous, { trackAnonymous: true }, { identity: 'anon-1' }],
    [{ ...anonymous, traits: { userId: 'u' } }, {}, { identity: 'u' }],
    [{}, byObject, { objectId: 'anon-1' }],
    [{ anonymousId: '' }, byObject, { identity: 'ada' }],
  ])('of %j with %j is of %j', (event, config, expected) => {
    expect(sent(event, config)).toEqual({ evtName: 'Paid', evtData: {}, type: 'event', ...expected });
  });

  it.each([
    [{ region: 'in1' }, 'https://in1.api.clevertap.com/1/upload'],
    [{ region: 'none' }, 'https://api.clevertap.com/1/upload'],
    [{}, 'https://api.clevertap.com/1/upload'],
  ])('goes, with %j, to %s', (config, endpoint) => {
    const [payload] = payloads({ type: 'page' }, config);
    const headers = { 'x-clevertap-account-id': 'a', 'x-clevertap-passcode': 'p' };
    expect(payload).toMatchObject({ endpoint, headers });
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ type: 'track', event: 'e', userId: '' }, {}, 'trackAnonymous is off'],
    [{ type: 'page', userId: '' }, {}, 'trackAnonymous is off'],
    [
      { type: 'track', event: 'e', userId: '', anonymousId: '' },
      { trackAnonymous: true },
      'a userId or an anonymousId',
    ],
    [{ type: 'identify', userId: '', anonymousId: '' }, {}, 'a userId or an anonymousId'],
    [{ type: 'track' }, {}, 'Event name is required'],
    [{ type: 'track', event: 'Order Completed', properties: { products: [] } }, {}, 'must be a list of objects'],
    [{ type: 'track', event: 'Order Completed', properties: { products: ['p'] } }, {}, 'must be a list of objects'],
    [{ type: 'track', event: 'Order Completed', properties: { products: { a: 1 } } }, {}, 'must be a list of objects'],
    [{ type: 'alias' }, {}, 'previousId is required'],
    [{ type: 'group' }, {}, 'Event type group is not supported'],
  ])('is refused: %j with %j', (event, config, message) => {
    expect(() => send(event, config)).toThrow(message);
  });

  it('is refused also by an answer of 200', () => {
    const both = [...payloads({ type: 'page' }), ...payloads({ type: 'screen' })];
    expect(clevertapBatch.combine(both).body.JSON['d']).toHaveLength(2);
    const answered = (status: string, unprocessed?: unknown[]) =>
      clevertapBatch.outcomes?.({ status: 200, response: { status, unprocessed } }, both);
    const [, record] = both.flatMap(({ body }) => body.JSON['d']);
    expect(answered('success')).toBeUndefined();
    expect(answered('partial', [{ code: 509, record }])).toMatchObject([{ status: 200 }, { status: 400 }]);
    for (const unprocessed of [undefined, [{ code: 509, record: {} }]]) {
      expect(answered('fail', unprocessed)).toMatchObject([{ status: 400 }, { status: 400 }]);
    }
  });
});
