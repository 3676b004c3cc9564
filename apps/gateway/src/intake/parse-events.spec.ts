import { describe, expect, it } from '@jest/globals';
import { EVENT_BYTES_MAX, EVENT_DEPTH_MAX } from '@weir/contracts';
import { countTurns } from '@weir/testing';
import { parseJsonBody } from '../http/json-body.js';
import type { IntakeCall } from './intake.api.js';
import { parseEvents } from './parse-events.js';
import { BATCH_EVENTS_MAX } from './refusals.js';

const parse = (call: IntakeCall, body: unknown) =>
  parseEvents(call, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
const nested = (depth: number) => `{"userId":"u","a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
const huge = { userId: 'u', text: 'x'.repeat(EVENT_BYTES_MAX) };

describe('parseEvents refuses', () => {
  it.each<[string, IntakeCall, unknown, string]>([
    ['no body', 'track', '', 'request body is nil'],
    ['what is not JSON', 'track', '{"userId":', 'invalid json'],
    ['what nests too deep', 'track', nested(EVENT_DEPTH_MAX + 1), 'invalid json'],
    ['an array', 'track', [{ userId: 'u' }], 'event is not a valid rudder event'],
    ['null', 'page', 'null', 'event is not a valid rudder event'],
    ['an event without ids', 'track', { event: 'e' }, 'request neither has anonymousId nor userId'],
    ['blank ids', 'track', { userId: '  ', anonymousId: '' }, 'request neither has anonymousId nor userId'],
    ['ids that are no ids', 'track', { userId: {}, anonymousId: true }, 'request neither has anonymousId nor userId'],
    ['no batch', 'batch', { userId: 'u' }, 'empty batch payload'],
    ['a batch that is not a list', 'batch', { batch: { userId: 'u' } }, 'empty batch payload'],
    ['an empty batch', 'batch', { batch: [] }, 'empty batch payload'],
    ['a body that is a list', 'batch', [{ userId: 'u' }], 'empty batch payload'],
    ['an item that is not an event', 'batch', { batch: [{ userId: 'u' }, 'x'] }, 'event is not a valid rudder event'],
    ['one item without ids', 'batch', { batch: [{ userId: 'u' }, {}] }, 'request neither has anonymousId nor userId'],
    ['an event that is too large', 'track', huge, 'request size exceeds max limit of 524288 bytes an event'],
    [
      'a batch with an event that is too large',
      'batch',
      { batch: [huge] },
      'request size exceeds max limit of 524288 bytes an event',
    ],
    ['a webhook that reports a text', 'webhook', '"text"', 'event is not a valid rudder event'],
    ['a webhook that reports nothing', 'webhook', [], 'empty batch payload'],
    ['a webhook that nests too deep', 'webhook', nested(EVENT_DEPTH_MAX), 'invalid json'],
    [
      'too many events',
      'batch',
      { batch: Array.from({ length: BATCH_EVENTS_MAX + 1 }, () => ({ userId: 'u' })) },
      'request size exceeds max limit of 10000 events',
    ],
  ])('%s', async (_, call, body, message) => {
    await expect(parse(call, body)).rejects.toThrow(new Error(message));
  });

  it('in the order of the intake: form, then identity, then size', async () => {
    const body = (...batch: unknown[]) => parse('batch', { batch });
    await expect(body(huge, {}, 'x')).rejects.toThrow('event is not a valid rudder event');
    await expect(body(huge, {})).rejects.toThrow('request neither has anonymousId nor userId');
  });
});

describe('parseEvents takes', () => {
  it('one event of the type that the path names, whatever the client wrote', async () => {
    const { events } = await parse('identify', { type: 'track', userId: 'u' });
    expect(events.map(({ event }) => event)).toEqual([{ type: 'identify', userId: 'u' }]);
  });

  it('the events of a batch as they are, with the sentAt of the whole', async () => {
    const batch = [{ type: 'track', userId: 1 }, { anonymousId: 'a' }];
    const { events, sentAt } = await parse('batch', { batch, sentAt: '2026-01-01T00:00:00Z' });
    expect(events.map(({ event }) => event)).toEqual(batch);
    expect(events[0]?.identity).toEqual({ userId: '1', anonymousId: '' });
    expect(sentAt).toBe('2026-01-01T00:00:00Z');
  });

  it('ids as they are written where a number cannot keep them, and other numbers as numbers', async () => {
    const [first, second] = ['12345678901234567890', '12345678901234567891'];
    const text = `{"batch":[{"userId":${first},"amount":${first}},{"anonymousId":${second},"messageId": ${first}},{"userId":1.0}]}`;
    const { events } = await parse('batch', text);
    expect(events.map(({ event }) => event)).toEqual([
      { userId: first, amount: 12345678901234567000 },
      { anonymousId: second, messageId: first },
      { userId: 1 },
    ]);
    expect(events.map(({ identity }) => identity.userId || identity.anonymousId)).toEqual([first, second, '1']);
    expect((await parse('alias', `{"userId":"u","previousId":${first}}`)).events[0]?.event['previousId']).toBe(first);
  });

  it.each([
    ['its own', '"userId":9007199254740993'],
    ['a fraction', '"userId":0.1000000000000000055'],
    ['in properties', '"userId":"u","properties":{"userId":9007199254740993,"amount":9007199254740993}'],
    ['in traits', '"userId":"u","context":{"traits":{"id":12345678901234567890,"age":1e21}}'],
    ['in a list', '"userId":"u","context":{"externalId":[{"type":"t","id":12345678901234567890}]}'],
    ['behind escaped keys', '"userId":"u","traits":{"\\u0069d":12345678901234567890}'],
    ['that a number keeps', '"userId":123.0,"properties":{"id":1e2}'],
  ])('ids of an event as the Test API does: %s', async (_, fields) => {
    const text = `{"type":"track",${fields}}`;
    const [one, inBatch] = [await parse('track', text), await parse('batch', `{"batch":[${text}]}`)];
    const shown = parseJsonBody(Buffer.from(text));
    expect([one.events[0]?.event, inBatch.events[0]?.event]).toEqual([shown, shown]);
  });

  it('an event at the greatest depth, alone and in a batch', async () => {
    expect((await parse('track', nested(EVENT_DEPTH_MAX))).events).toHaveLength(1);
    expect((await parse('batch', `{"batch":[${nested(EVENT_DEPTH_MAX)}]}`)).events).toHaveLength(1);
  });

  it('brackets inside of texts, which do not nest', async () => {
    expect((await parse('track', { userId: 'u', text: `\\"${'[{'.repeat(500)}` })).events).toHaveLength(1);
  });

  it('a key named __proto__ without touching any prototype', async () => {
    const { events } = await parse('track', '{"userId":"u","__proto__":{"polluted":1}}');
    expect(Object.getPrototypeOf(events[0]?.event)).toBe(Object.prototype);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it.each([
    [
      'four megabytes of objects',
      `{"batch":[${Array(7)
        .fill(`{"userId":"u","p":[${Array(170_000).fill('{}').join()}]}`)
        .join()}]}`,
    ],
    [
      'many ids that a number cannot keep',
      `{"batch":[{"userId":1e30,"p":[${Array(20_000).fill('{"userId":1e30}').join()}]}]}`,
    ],
  ])('%s in slices: others have their turn in between', async (_, body) => {
    const turns = countTurns();
    const { events } = await parse('batch', body).finally(turns.stop);
    expect(events.length).toBeGreaterThan(0);
    expect(turns.count).toBeGreaterThan(1);
  });
});
