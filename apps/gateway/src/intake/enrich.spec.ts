import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ENRICHMENT_BYTES_MAX, enrich, formatTime, identityOf, timeOf } from './enrich.js';

const RECEIVED = '2026-03-01T12:00:00.000Z';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function enriched(event: JsonObject, batchSentAt?: unknown): JsonObject {
  const copy = structuredClone(event);
  const identity = identityOf(copy) ?? { userId: '', anonymousId: '' };
  enrich(copy, identity, { receivedAt: Date.parse(RECEIVED), requestIp: '192.0.2.7', sentAt: batchSentAt });
  return copy;
}

describe('enrich', () => {
  it('adds every field that the pipeline relies on, as text', () => {
    const event = enriched({ userId: 'u1' });
    expect(event).toEqual({
      userId: 'u1',
      messageId: expect.stringMatching(UUID),
      rudderId: expect.stringMatching(UUID),
      request_ip: '192.0.2.7',
      receivedAt: RECEIVED,
      originalTimestamp: RECEIVED,
      sentAt: RECEIVED,
      timestamp: RECEIVED,
    });
  });

  it.each([
    ['kept', 'm1', 'm1'],
    ['trimmed', '  m1\n', 'm1'],
    ['freed of invisible characters', 'm\u200b1\u0000', 'm1'],
    ['a number as text', 17, '17'],
  ])('messageId: %s', (_, given, expected) => {
    expect(enriched({ userId: 'u', messageId: given })['messageId']).toBe(expected);
  });

  it.each([undefined, null, '', ' \u200b ', {}, true])('messageId %p is replaced by a UUID', (given) => {
    expect(enriched({ userId: 'u', messageId: given })['messageId']).toMatch(UUID);
  });

  it('gives the same person the same rudderId, numbers and blanks included', () => {
    const id = (event: JsonObject) => enriched(event)['rudderId'];
    expect(id({ userId: 'u', anonymousId: 'a' })).toBe(id({ userId: ' u ', anonymousId: 'a' }));
    expect(id({ userId: 7 })).toBe(id({ userId: '7', anonymousId: '  ' }));
    expect(id({ userId: 'u' })).not.toBe(id({ anonymousId: 'u' }));
  });

  it('makes rudderId from the MD5 of "userId:anonymousId"', () => {
    // `printf u1: | md5sum` is 5eff0fc3094488fa1c0438f62e3890ca. The version and variant bits of a UUID overwrite part of it.
    expect(enriched({ userId: 'u1' })['rudderId']).toBe('5eff0fc3-0944-48fa-9c04-38f62e3890ca');
  });

  it.each([
    ['own sentAt', { sentAt: '2026-03-01T11:00:00Z' }, '2026-02-01T00:00:00Z', '2026-03-01T11:00:00.000Z'],
    ['sentAt of the batch', {}, '2026-03-01T10:00:00+02:00', '2026-03-01T08:00:00.000Z'],
    ['no usable sentAt', { sentAt: 'yesterday' }, 12, RECEIVED],
  ])('sentAt: %s', (_, event, batchSentAt, expected) => {
    expect(enriched({ userId: 'u', ...event }, batchSentAt)['sentAt']).toBe(expected);
  });

  it.each([
    ["the client's own", { timestamp: '2026-01-01T00:00:00Z', sentAt: RECEIVED }, '2026-01-01T00:00:00.000Z'],
    [
      'a wrong clock corrected',
      { originalTimestamp: '2020-01-01T00:00:00Z', sentAt: '2020-01-01T00:00:10Z' },
      '2026-03-01T11:59:50.000Z',
    ],
    ['beyond four-digit years', { originalTimestamp: '0001-01-01', sentAt: '9999-01-01' }, RECEIVED],
    ['not a date', { timestamp: { now: true } }, RECEIVED],
  ])('timestamp: %s', (_, event, expected) => {
    expect(enriched({ userId: 'u', ...event })['timestamp']).toBe(expected);
  });

  it('keeps receivedAt and request_ip that an upstream proxy has set', () => {
    const event = enriched({ userId: 'u', receivedAt: '2026-02-28T23:59:59.5Z', request_ip: '198.51.100.1' });
    expect(event).toMatchObject({ receivedAt: '2026-02-28T23:59:59.500Z', request_ip: '198.51.100.1' });
    expect(enriched({ userId: 'u', receivedAt: 1, request_ip: {} })).toMatchObject({
      receivedAt: RECEIVED,
      request_ip: '192.0.2.7',
    });
  });

  it('stays within the bytes that splitting reserves for it', () => {
    const event = { userId: 'u', type: 'track' };
    const grown = Buffer.byteLength(JSON.stringify(enriched(event))) + 45 - '192.0.2.7'.length;
    expect(grown - Buffer.byteLength(JSON.stringify(event))).toBeLessThanOrEqual(ENRICHMENT_BYTES_MAX);
  });
});

describe('timeOf', () => {
  it.each([
    ['2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z'],
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05.123456Z', '2026-01-02T03:04:05.123Z'],
    ['2026-01-02T03:04:05+05:30', '2026-01-01T21:34:05.000Z'],
    ['2026-01-02T03:04:05-0100', '2026-01-02T04:04:05.000Z'],
    ['2026-01-02 03:04:05', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04', '2026-01-02T03:04:00.000Z'],
    ['2026-01-02', '2026-01-02T00:00:00.000Z'],
  ])('%s is %s', (given, expected) => {
    const time = timeOf(given);
    expect(time === undefined ? undefined : formatTime(time)).toBe(expected);
  });

  it.each([
    '',
    'now',
    '12',
    '2026-13-01',
    '2026-01-02T25:00:00Z',
    '+012026-01-02T00:00:00Z',
    1_767_000_000_000,
    null,
    {},
  ])('%p is no date', (given) => {
    expect(timeOf(given)).toBeUndefined();
  });
});
