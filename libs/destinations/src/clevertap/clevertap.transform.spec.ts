import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../test/events.fixtures.js';
import { clevertapBatch } from './clevertap.batch.js';
import { clevertapTransform } from './clevertap.transform.js';

const payloads = (event: JsonObject, config: JsonObject = {}) =>
  clevertapTransform({ ...ada, ...event }, { accountId: 'a', passcode: 'p', ...config });
const send = (event: JsonObject, config: JsonObject = {}) =>
  payloads(event, config).map(({ body }) => (body.JSON['d'] as JsonObject[])[0]);

describe('a CleverTap profile', () => {
  const traits = {
    firstName: 'Ada',
    last_name: 'King',
    gender: 'Woman',
    tags: ['a'],
    vip: false,
    ts: '2026-01-01T00:00:00Z',
  };

  it('has the names of CleverTap, and JSON for lists', () => {
    expect(send({ type: 'identify', traits })).toEqual([
      {
        type: 'profile',
        profileData: { Name: 'Ada King', Gender: 'F', tags: '["a"]', vip: false },
        ts: 1_767_225_600,
        identity: 'ada',
      },
    ]);
  });

  it('is known by object id where that is on, and has a push token', () => {
    const context = { device: { token: 't', type: 'Android' } };
    const integrations = { clevertap: { deviceTokenType: 'chrome', chromeKeys: { auth: 'x' } } };
    expect(send({ type: 'identify', traits: {}, context }, { enableObjectIdMapping: true })).toEqual([
      { type: 'profile', profileData: { identity: 'ada' }, objectId: 'anon-1' },
      { type: 'token', tokenData: { id: 't', type: 'fcm' }, objectId: 'anon-1' },
    ]);
    expect(send({ type: 'identify', context, integrations })[1]).toMatchObject({
      tokenData: { type: 'chrome', keys: { auth: 'x' } },
    });
  });
});

describe('a CleverTap event', () => {
  it.each<[JsonObject, JsonObject]>([
    [
      { type: 'track', event: 'Paid', properties: { a: 1 } },
      { evtName: 'Paid', evtData: { a: 1 } },
    ],
    [
      {
        type: 'track',
        event: 'Order Completed',
        properties: { checkout_id: 'c', revenue: 5, products: [{ sku: 's' }], tax: 1 },
      },
      { evtName: 'Charged', evtData: { 'Charged ID': 'c', Amount: 5, Items: [{ sku: 's' }], tax: 1 } },
    ],
    [{ type: 'page', name: 'Home' }, { evtName: 'Web Page Viewed: Home' }],
    [{ type: 'screen' }, { evtName: 'Screen Viewed' }],
  ])('%j', (event, expected) => {
    expect(send(event)).toMatchObject([{ type: 'event', identity: 'ada', ...expected }]);
  });

  it('merges by alias', () => {
    expect(send({ type: 'alias', previousId: 'old' })).toEqual([
      { type: 'profile', profileData: { identity: 'ada' }, identity: 'old' },
    ]);
  });

  it.each([
    [{ region: 'in1' }, 'https://in1.api.clevertap.com/1/upload'],
    [{ region: 'none' }, 'https://api.clevertap.com/1/upload'],
  ])('goes, with %j, to %s', (config, endpoint) => {
    expect(payloads({ type: 'page' }, config)[0]?.endpoint).toBe(endpoint);
  });

  it.each<[JsonObject, string]>([
    [{ type: 'track', event: 'e', userId: '' }, 'trackAnonymous is off'],
    [{ type: 'track', event: 'e', userId: '', anonymousId: '' }, 'a userId or an anonymousId'],
    [{ type: 'group' }, 'Event type group is not supported'],
  ])('is refused: %j', (event, message) => {
    expect(() => send(event)).toThrow(message);
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
      expect(answered('partial', unprocessed)).toMatchObject([{ status: 400 }, { status: 400 }]);
    }
  });
});
