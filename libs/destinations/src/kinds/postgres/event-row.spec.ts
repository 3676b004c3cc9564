import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { streamPayload } from '../../session/stream.js';
import { eventRow } from './event-row.js';

const rowOf = (json: JsonObject) =>
  eventRow({
    payload: streamPayload({ type: 'POSTGRES', method: 'INSERT', endpoint: 'events', json }),
    idempotencyKey: 'k',
  });

describe('a row of an event', () => {
  it('has the columns of the table, and the event as it is', () => {
    const event = { messageId: 'm', type: 'track', event: 'Paid', userId: 7, anonymousId: 'a', list: [{ a: null }] };
    expect(rowOf(event)).toEqual(['k', 'm', 'track', 'Paid', '7', 'a', null, JSON.stringify(event)]);
  });

  it.each([
    [{ timestamp: '2026-01-02T03:04:05+01:00' }, '2026-01-02T02:04:05.000Z'],
    [{ originalTimestamp: 1_772_600_767_000 }, '2026-03-04T05:06:07.000Z'],
    [{ timestamp: 'soon', originalTimestamp: '2026-01-02' }, null],
    [{ timestamp: {} }, null],
    [{ timestamp: 9e15 }, null],
    [{ timestamp: '+012026-01-02T00:00:00Z' }, null],
  ])('of %j is sent at %j', (times, sentAt) => {
    expect(rowOf(times)[6]).toBe(sentAt);
  });

  it.each([[{}], [['a']], [true], [null]])('has no id of %j', (id) => {
    expect(rowOf({ userId: id, event: id })).toMatchObject({ 3: null, 4: null });
  });

  it('holds no text that Postgres refuses, at any depth', () => {
    const [, , , name, , , , payload] = rowOf({ event: 'a\u0000b', list: [{ 'k\ud800': 'v\u0000' }] });
    expect(name).not.toContain('\u0000');
    expect(payload).not.toMatch(/\\u0000|\\ud800/);
  });
});
