import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { InFlightBytes } from './in-flight.js';
import { type BodyRules, inflated, readBody } from './read-body.js';
import { SlowBodies } from './slow-bodies.js';
import { HttpProblem } from './status.js';

const BYTES_MAX = 100_000;
/** Far more than any body needs. */
const ROOM = 100 * BYTES_MAX;

const noRoom = () => new Error('no room');
const slow = new SlowBodies();
afterAll(() => slow.onModuleDestroy());

function rulesIn(bound: InFlightBytes): BodyRules {
  const refusals = { tooLarge: () => new Error('too large'), unreadableBody: () => new Error('unreadable') };
  return { bytesMax: BYTES_MAX, hold: bound.open({ workspaceId: 'w' }), address: '192.0.2.1', slow, refusals };
}

const sent = (chunks: Buffer[], headers = {}) =>
  Object.assign(Readable.from(chunks, { objectMode: false }), { headers });

const room = () => new InFlightBytes(ROOM, noRoom);
const read = (chunks: Buffer[], headers = {}) => readBody(sent(chunks, headers), rulesIn(room()));

describe('readBody', () => {
  it('joins the pieces of a body', async () => {
    expect((await read([Buffer.from('{"a"'), Buffer.from(':1}')])).toString()).toBe('{"a":1}');
    expect(await read([])).toHaveLength(0);
    const pieces = Array.from({ length: 300 }, (_, n) => Buffer.alloc(333, n % 256));
    expect((await read(pieces)).equals(Buffer.concat(pieces))).toBe(true);
  });

  it('stops at the limit, announced or not', async () => {
    const half = Buffer.alloc(BYTES_MAX / 2);
    expect(await read([half, half])).toHaveLength(BYTES_MAX);
    await expect(read([half, half, Buffer.from('x')])).rejects.toThrow('too large');
    await expect(read([], { 'content-length': String(BYTES_MAX + 1) })).rejects.toThrow('too large');
  });

  it('counts received bytes, not announced ones', async () => {
    const bound = room();
    const stream = Object.assign(new Readable({ read: () => undefined }), {
      headers: { 'content-length': String(BYTES_MAX) },
    });
    const reading = readBody(stream, rulesIn(bound));
    expect(bound.bytes).toBe(0);
    stream.push(Buffer.alloc(1_000));
    await new Promise((done) => setImmediate(done));
    expect(bound.bytes).toBe(1_000);
    stream.destroy();
    await expect(reading).rejects.toThrow('unreadable');
  });

  it('tells the watch over slow bodies what has come, and is cut by it', async () => {
    const watched = { bytes: 0 };
    let cut = (_refusal: HttpProblem) => {};
    const begin = (_address: string, stop: typeof cut) => {
      cut = stop;
      return watched;
    };
    const stream = Object.assign(new Readable({ read: () => undefined }), { headers: {} });
    const watch = { begin, end: () => undefined } as unknown as SlowBodies;
    const reading = readBody(stream, { ...rulesIn(room()), slow: watch });
    stream.push(Buffer.alloc(1_000));
    await new Promise((done) => setImmediate(done));
    expect(watched.bytes).toBe(1_000);
    cut(new HttpProblem(408, 'REQUEST_TIMEOUT', 'too slow'));
    await expect(reading).rejects.toMatchObject({ status: 408 });
  });

  it('counts what pieces of a byte weigh as one buffer, which is twice as much at most', async () => {
    const bound = room();
    const pieces = Array.from({ length: 50_000 }, () => Buffer.alloc(1, 7));
    const body = await readBody(sent(pieces), rulesIn(bound));
    expect(body.equals(Buffer.alloc(50_000, 7))).toBe(true);
    expect(body.buffer.byteLength).toBe(bound.bytes);
    expect(bound.bytes).toBeLessThanOrEqual(100_000);
  });

  it('refuses a body that breaks off, and one that broke off before', async () => {
    const stream = Object.assign(new Readable({ read: () => undefined }), { headers: {} });
    const reading = readBody(stream, rulesIn(room()));
    stream.destroy();
    await expect(reading).rejects.toThrow('unreadable');
    await expect(readBody(stream, rulesIn(room()))).rejects.toThrow('unreadable');
  });

  it('holds the bytes until release, and refuses more than the holder may have', async () => {
    const bound = new InFlightBytes(2_000, noRoom);
    const rules = rulesIn(bound);
    await readBody(sent([Buffer.alloc(900)]), rules);
    expect(bound.bytes).toBe(900);
    await expect(readBody(sent([Buffer.alloc(300)]), rulesIn(bound))).rejects.toThrow('no room');
    rules.hold.release();
    expect(bound.bytes).toBe(0);
  });
});

describe('inflated', () => {
  const inflate = (body: Buffer, bound = room()) => inflated(body, rulesIn(bound));

  it('is what was packed', async () => {
    expect((await inflate(gzipSync('{"a":1}'))).toString()).toBe('{"a":1}');
  });

  it('counts bytes after decompression: a small bomb is too large', async () => {
    const bomb = gzipSync(Buffer.alloc(BYTES_MAX + 1));
    expect(bomb.length).toBeLessThan(1_000);
    await expect(inflate(bomb)).rejects.toThrow('too large');
    expect(await inflate(gzipSync(Buffer.alloc(BYTES_MAX)))).toHaveLength(BYTES_MAX);
  });

  it('counts while it grows: many at a time are refused before they are whole', async () => {
    const bound = new InFlightBytes(2 * BYTES_MAX, noRoom);
    const body = gzipSync(Buffer.alloc(BYTES_MAX));
    const peaks: number[] = [];
    const look = setInterval(() => peaks.push(bound.bytes), 0);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => {
        const rules = rulesIn(bound);
        return inflated(body, rules).finally(() => rules.hold.release());
      }),
    );
    clearInterval(look);
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
    expect(Math.max(...peaks)).toBeLessThanOrEqual(2 * BYTES_MAX);
    expect(bound.bytes).toBe(0);
  });

  it('gives back what was sent', async () => {
    const bound = room();
    const rules = rulesIn(bound);
    const packed = await readBody(sent([gzipSync(Buffer.alloc(5_000))]), rules);
    expect(bound.bytes).toBe(packed.length);
    await inflated(packed, rules);
    expect(bound.bytes).toBe(5_000);
  });

  it.each([
    ['what is not gzip', Buffer.from('{}')],
    ['gzip that ends too early', gzipSync('{"a":1}').subarray(0, 15)],
  ])('refuses %s', async (_, body) => {
    await expect(inflate(body)).rejects.toThrow('unreadable');
  });
});
