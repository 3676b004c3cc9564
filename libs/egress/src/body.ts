import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

export interface BoundedBody {
  body: Buffer;
  /** The body was longer. */
  truncated: boolean;
}

/** A map, because a server may name its encoding `constructor`. */
const DECODERS = new Map<string, () => Transform>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
]);

/**
 * Reads at most `maxBytes`, counted before and after decompression, and leaves the rest unread. So a decompression bomb is cut
 * before it grows. A body with an unknown encoding is returned as it came.
 */
export async function readBounded(raw: Readable, encoding: string, maxBytes: number): Promise<BoundedBody> {
  const wireState = { bytes: 0, truncated: false };
  const state = { bytes: 0, truncated: false };
  const wire = Readable.from(upTo(raw, maxBytes, wireState));
  const decoder = DECODERS.get(encoding.trim().toLowerCase())?.();
  const decoded = decoder ? upTo(pipeline(wire, decoder, ignore), maxBytes, state) : wire;
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of decoded) chunks.push(chunk);
  } catch (error) {
    // A compressed body that was cut ends within a block. An empty body (HEAD, 304) has no block at all. Neither is an error.
    const isEmpty = wireState.bytes === 0 && !raw.errored;
    if (!wireState.truncated && !isEmpty) throw error;
  } finally {
    raw.destroy();
  }
  return { body: Buffer.concat(chunks), truncated: wireState.truncated || state.truncated };
}

async function* upTo(source: Readable, maxBytes: number, state: ReadState): AsyncGenerator<Buffer> {
  for await (const chunk of source as AsyncIterable<Buffer>) {
    const left = maxBytes - state.bytes;
    state.truncated = chunk.length > left;
    state.bytes += Math.min(chunk.length, left);
    if (!state.truncated) yield chunk;
    else if (left > 0) yield chunk.subarray(0, left);
    if (state.truncated) return;
  }
}

interface ReadState {
  bytes: number;
  truncated: boolean;
}

/** The reader of the pipeline gets the error. */
const ignore = () => undefined;
