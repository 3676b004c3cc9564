import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { EVENTS_RAW } from '@weir/messaging';
import { patientManager, until } from '@weir/testing';
import { intakeClient } from './intake-client.js';
import { useGateway } from './running-gateway.js';

const gateway = useGateway();

const { newSource, send, stored } = intakeClient(gateway);

describe('the intake stores', () => {
  it('one event, enriched, with everything that its batch needs, before it answers OK', async () => {
    const source = await newSource();
    const answer = await send(
      source,
      'track',
      { userId: 'u1', event: 'Bought', messageId: 'm1' },
      { 'x-forwarded-for': '203.0.113.9, 10.0.0.1' },
    );
    expect(answer).toMatchObject({ status: 200, text: 'OK' });
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const [batch, ...more] = await stored(source);
    expect(more).toEqual([]);
    expect(batch).toMatchObject({ workspaceId: source.workspaceId, sourceId: source.id, writeKey: source.writeKey });
    expect(batch?.inventoryRevision).toBeGreaterThan(0);
    expect(batch?.events).toEqual([
      expect.objectContaining({
        type: 'track',
        userId: 'u1',
        event: 'Bought',
        messageId: 'm1',
        request_ip: '203.0.113.9',
      }),
    ]);
  });

  it.each(['identify', 'track', 'page', 'screen', 'group', 'alias'])('a %s event under its own type', async (call) => {
    const source = await newSource();
    expect(await send(source, call, { anonymousId: 'a', type: 'other' })).toMatchObject({ status: 200 });
    expect((await stored(source))[0]?.events[0]).toMatchObject({ type: call });
  });

  it('a gzip batch under any content type, with its sentAt', async () => {
    const source = await newSource();
    const batch = [1, 2, 3].map((n) => ({ type: 'track', userId: 'u', event: `e${n}` }));
    const body = gzipSync(JSON.stringify({ batch, sentAt: '2026-01-01T00:00:00Z' }));
    for (const contentType of ['application/json', 'text/plain', 'application/octet-stream', 'nonsense']) {
      const headers = { 'content-encoding': 'gzip', 'content-type': contentType };
      expect(await send(source, 'batch', body, headers)).toMatchObject({ status: 200, text: 'OK' });
    }
    const batches = await stored(source);
    expect(batches).toHaveLength(4);
    expect(batches[0]?.events.map(({ event }) => event)).toEqual(['e1', 'e2', 'e3']);
    expect(batches[0]?.events[0]).toMatchObject({ sentAt: '2026-01-01T00:00:00.000Z' });
  });

  it('a batch that does not fit one message in parts, in order', async () => {
    const source = await newSource();
    const batch = Array.from({ length: 35 }, (_, n) => ({ userId: 'u', n, text: 'x'.repeat(100_000) }));
    expect(await send(source, 'batch', { batch })).toMatchObject({ status: 200 });
    const batches = await stored(source);
    expect(batches.length).toBeGreaterThan(3);
    expect(batches.flatMap(({ events }) => events.map(({ n }) => n))).toEqual(batch.map(({ n }) => n));
  });

  it('a retry once, when its events have message ids; else every time', async () => {
    const source = await newSource();
    const named = { batch: [{ userId: 'u', messageId: randomUUID() }] };
    await send(source, 'batch', { ...named, sentAt: '2026-01-01T00:00:00Z' });
    await send(source, 'batch', { ...named, sentAt: '2026-01-01T00:00:09Z' });
    expect(await stored(source)).toHaveLength(1);
    await send(source, 'page', { userId: 'u' });
    await send(source, 'page', { userId: 'u' });
    expect(await stored(source)).toHaveLength(3);
  });

  it('events of a source that was made a moment ago', async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      const answer = await send(await newSource(), 'track', { userId: 'u' });
      expect(answer).toMatchObject({ status: 200 });
    }
  });
});

describe('the intake refuses', () => {
  it.each<[string, unknown, number, string]>([
    ['no body', '', 400, 'request body is nil'],
    ['what is not JSON', '{', 400, 'invalid json'],
    ['JSON that nests too deep', `{"userId":"u","a":${'['.repeat(250)}${']'.repeat(250)}}`, 400, 'invalid json'],
    ['what is not an event', '[]', 400, 'event is not a valid rudder event'],
    ['an event without ids', {}, 400, 'request neither has anonymousId nor userId'],
    [
      'an event that is too large',
      { userId: 'u', text: 'x'.repeat(530_000) },
      413,
      'request size exceeds max limit of 524288 bytes an event',
    ],
    [
      'a body that is too large',
      { userId: 'u', text: 'x'.repeat(4_100_000) },
      413,
      'request size exceeds max limit of 4096000 bytes',
    ],
  ])('%s', async (_, body, status, text) => {
    const source = await newSource();
    const answer = await send(source, 'track', body);
    expect(answer).toMatchObject({ status, text: `${text}\n` });
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await stored(source)).toEqual([]);
  });

  it('the whole batch when one item is bad', async () => {
    const source = await newSource();
    expect(await send(source, 'batch', { batch: [{ userId: 'u' }, {}] })).toMatchObject({ status: 400 });
    expect(await stored(source)).toEqual([]);
  });

  it('a small body that inflates beyond the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
    const answer = await send(await newSource(), 'batch', bomb, { 'content-encoding': 'gzip' });
    expect(answer).toMatchObject({ status: 413, text: 'request size exceeds max limit of 4096000 bytes\n' });
  });

  it('an unknown key, a missing key and a disabled source', async () => {
    const event = { userId: 'u' };
    const unknown = await send({ writeKey: 'nobody-knows-this' }, 'track', event);
    expect(unknown).toMatchObject({ status: 401, text: 'invalid write key\n' });
    expect(unknown.headers.get('www-authenticate')).toContain('Basic');
    const missing = await send(undefined, 'track', event);
    expect(missing).toMatchObject({ status: 401, text: 'failed to read writekey from header\n' });
    const empty = await send({ writeKey: '' }, 'track', event);
    expect(empty).toMatchObject({ status: 401, text: 'failed to read writekey from header\n' });
    const disabled = await send(await newSource({ enabled: false }), 'track', event);
    expect(disabled).toMatchObject({ status: 404, text: 'source is disabled\n' });
  });

  it('credentials before it looks at the body', async () => {
    expect(await send(undefined, 'track', '{')).toMatchObject({ status: 401 });
  });

  it('other methods, and says which one it takes', async () => {
    const response = await fetch(`${gateway.url}/v1/track`);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toContain('POST');
  });
});

describe('browsers', () => {
  it('may send from any origin', async () => {
    const origin = 'https://shop.example.com';
    const preflight = await fetch(`${gateway.url}/v1/batch`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization');
    const refused = await send(undefined, 'track', {}, { origin });
    expect(refused.headers.get('access-control-allow-origin')).toBe(origin);
  });
});

describe('without the broker', () => {
  it('nothing is OK: 503 while the stream is full, and OK again when it is not', async () => {
    const source = await newSource();
    const manager = await patientManager(gateway.nats.connection);
    const { config, state } = await manager.streams.info(EVENTS_RAW);
    await manager.streams.update(EVENTS_RAW, { ...config, max_bytes: state.bytes + 100 });
    const refused = await send(source, 'track', { userId: 'u' });
    expect(refused).toMatchObject({ status: 503, text: 'service unavailable\n' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await manager.streams.update(EVENTS_RAW, config);
    await until('the intake to take events again', async () => {
      const { status } = await send(source, 'track', { userId: 'u' });
      return status === 200;
    });
    expect(await stored(source)).toHaveLength(1);
  });

  it('503 for known and unknown keys while the broker is away, and OK once it is back', async () => {
    const source = await newSource();
    await send(source, 'track', { userId: 'u' });
    await gateway.nats.hold();
    expect(await send(source, 'track', { userId: 'u' })).toMatchObject({ status: 503 });
    expect(await send({ writeKey: 'not-known-yet' }, 'track', { userId: 'u' })).toMatchObject({ status: 503 });
    await gateway.nats.resume();
    await until('the intake to take events again', async () => {
      const { status } = await send(source, 'track', { userId: 'u' });
      return status === 200;
    });
  });
});
