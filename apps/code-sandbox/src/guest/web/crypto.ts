import { hexOf, sha256Bytes } from './sha256.js';
import { bytesOf, utf8Encode } from './text-encoding.js';

/** Limit of one `getRandomValues` call, as in browsers. */
const RANDOM_BYTES_MAX = 65_536;

/** Returns the SHA-256 of a text in UTF-8, in hexadecimal. Allows hashing without `await`. */
export const sha256 = (text: unknown): string => hexOf(sha256Bytes(utf8Encode(String(text))));

/**
 * The `crypto` object of user code. Derives randomness by hashing a host secret, fresh for every run, with a counter. This needs
 * no host function.
 */
export function cryptoOf(seedHex: () => string) {
  let counter = 0;
  const randomBytes = (length: number): Uint8Array => {
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; at += 32) {
      counter += 1;
      bytes.set(sha256Bytes(utf8Encode(`${seedHex()}/${counter}`)).subarray(0, length - at), at);
    }
    return bytes;
  };
  return {
    randomUUID(): string {
      const bytes = randomBytes(16);
      bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
      bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
      return hexOf(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
    getRandomValues<T>(view: T): T {
      const bytes = bytesOf(view);
      if (bytes.length > RANDOM_BYTES_MAX) throw new RangeError(`At most ${RANDOM_BYTES_MAX} random bytes at a time`);
      bytes.set(randomBytes(bytes.length));
      return view;
    },
    subtle: {
      async digest(algorithm: unknown, data: unknown): Promise<ArrayBuffer> {
        const name = typeof algorithm === 'object' ? (algorithm as { name?: unknown } | null)?.name : algorithm;
        if (String(name).toUpperCase() !== 'SHA-256') throw new TypeError('Only SHA-256 is supported');
        return sha256Bytes(bytesOf(data)).buffer as ArrayBuffer;
      },
    },
  };
}
