import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { INTAKE_BODY_BYTES_MAX } from '@weir/contracts';
import { InFlightBytes } from './in-flight.js';
import { discardBody, readBody } from './read-body.js';

const GZIP = { 'content-encoding': 'gzip' };

function read(chunks: Buffer[], headers = {}, bound = new InFlightBytes()) {
  return readBody(Readable.from(chunks, { objectMode: false }), headers, bound.open());
}

describe('readBody', () => {
  it('joins what comes in pieces', async () => {
    expect((await read([Buffer.from('{"a"'), Buffer.from(':1}')])).toString()).toBe('{"a":1}');
  });

  it('inflates gzip, whatever the case of the header', async () => {
    const body = await read([gzipSync('{"a":1}')], { 'content-encoding': ' GZip' });
    expect(body.toString()).toBe('{"a":1}');
  });

  it('counts bytes after decompression: a small bomb is too large', async () => {
    const bomb = gzipSync(Buffer.alloc(INTAKE_BODY_BYTES_MAX + 1));
    expect(bomb.length).toBeLessThan(10_000);
    await expect(read([bomb], GZIP)).rejects.toThrow('request size exceeds max limit');
    const fits = await read([gzipSync(Buffer.alloc(INTAKE_BODY_BYTES_MAX))], GZIP);
    expect(fits).toHaveLength(INTAKE_BODY_BYTES_MAX);
  });

  it('stops at the limit, announced or not', async () => {
    const half = Buffer.alloc(INTAKE_BODY_BYTES_MAX / 2);
    await expect(read([half, half, Buffer.from('x')])).rejects.toThrow('request size exceeds max limit');
    const announced = { 'content-length': String(INTAKE_BODY_BYTES_MAX + 1) };
    await expect(read([], announced)).rejects.toThrow('request size exceeds max limit');
  });

  it.each([
    ['what is not gzip', [Buffer.from('{}')], GZIP, 'failed to read body from request'],
    [
      'another encoding',
      [Buffer.from('{}')],
      { 'content-encoding': 'br' },
      'content encoding is neither gzip nor identity',
    ],
  ])('refuses %s', async (_, chunks, headers, message) => {
    await expect(read(chunks, headers)).rejects.toThrow(message);
  });

  it('refuses a body that breaks off, and one that broke off before', async () => {
    const stream = new Readable({ read: () => undefined });
    const reading = readBody(stream, {}, new InFlightBytes().open());
    stream.destroy();
    await expect(reading).rejects.toThrow('failed to read body from request');
    await expect(readBody(stream, {}, new InFlightBytes().open())).rejects.toThrow('failed to read body from request');
  });

  it('holds what it read until it is released, and refuses more than the bound', async () => {
    const bound = new InFlightBytes(10);
    const hold = bound.open();
    await readBody(Readable.from([Buffer.alloc(8)], { objectMode: false }), {}, hold);
    expect(bound.bytes).toBe(8);
    await expect(read([Buffer.alloc(3)], {}, bound)).rejects.toThrow('service unavailable');
    hold.release();
    hold.release();
    expect(bound.bytes).toBe(0);
  });
});

describe('discardBody', () => {
  it('reads what a refusal left, so that the client gets to see the answer', async () => {
    const stream = Readable.from([Buffer.alloc(1_000), Buffer.alloc(1_000)], { objectMode: false });
    const announced = { 'content-length': String(INTAKE_BODY_BYTES_MAX + 1) };
    await expect(readBody(stream, announced, new InFlightBytes().open())).rejects.toThrow(
      'request size exceeds max limit',
    );
    expect(stream.readableEnded).toBe(false);
    await discardBody(stream);
    expect(stream.readableEnded).toBe(true);
    await discardBody(stream);
  });

  it('does not wait for a client that has left', async () => {
    const stream = new Readable({ read: () => undefined });
    stream.destroy();
    await discardBody(stream);
    expect(stream.readableEnded).toBe(false);
  });
});
