import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { INTAKE_BODY_BYTES_MAX } from '@weir/contracts';
import type { Hold } from './in-flight.js';
import { refusals } from './refusals.js';

const inflate = promisify(gunzip);

/** A client that is cut off while it sends does not get to see why; one that sends for longer than this may not. */
const DISCARD_MS = 1_000;

/** The body of a request, inflated when it is gzip, whatever its content type. Throws as soon as it is too large. */
export async function readBody(stream: Readable, headers: IncomingHttpHeaders, hold: Hold): Promise<Buffer> {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip' && encoding !== 'x-gzip') throw refusals.unknownEncoding();
  if (Number(headers['content-length']) > INTAKE_BODY_BYTES_MAX) throw refusals.tooLarge();
  const sent = await collect(stream, hold);
  if (encoding === 'identity' || sent.length === 0) return sent;
  const body = await inflateBounded(sent);
  hold.add(body.length);
  return body;
}

/** Reads what is left of a refused body, and keeps none of it. */
export async function discardBody(stream: Readable): Promise<void> {
  if (stream.readableEnded || stream.destroyed) return;
  const ended = once(stream, 'end', { signal: AbortSignal.timeout(DISCARD_MS) });
  stream.resume();
  await ended.catch(() => undefined);
}

/** By events and not by iteration: this is half as long for the small bodies that most requests have. */
function collect(stream: Readable, hold: Hold): Promise<Buffer> {
  return new Promise((done, fail) => {
    // Its events are over: the client left while its key was looked up.
    if (stream.destroyed) fail(refusals.unreadableBody());
    const chunks: Buffer[] = [];
    let bytes = 0;
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      try {
        if (bytes > INTAKE_BODY_BYTES_MAX) throw refusals.tooLarge();
        hold.add(chunk.length);
        chunks.push(chunk);
      } catch (refusal) {
        stream.removeAllListeners('data');
        fail(refusal);
      }
    });
    stream.once('end', () => done(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    stream.once('error', () => fail(refusals.unreadableBody()));
    stream.once('close', () => stream.readableEnded || fail(refusals.unreadableBody()));
  });
}

async function inflateBounded(sent: Buffer): Promise<Buffer> {
  try {
    return await inflate(sent, { maxOutputLength: INTAKE_BODY_BYTES_MAX });
  } catch (error) {
    const isTooLarge = error instanceof RangeError || Reflect.get(Object(error), 'code') === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge ? refusals.tooLarge() : refusals.unreadableBody();
  }
}
