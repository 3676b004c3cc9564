import { createRequire } from 'node:module';

interface Reader {
  buffer: Buffer;
  offset: number;
}

const ofPg = createRequire(createRequire(import.meta.url).resolve('pg'));
const { BufferReader } = ofPg('pg-protocol/dist/buffer-reader.js') as { BufferReader: { prototype: Reader } };

/** Where each reader of the client library stands. */
const offsets = new WeakMap<Reader, number>();

/**
 * The client library reads the fields of an error until one ends the list. Behind the end of the bytes it would read empty fields for
 * ever, and six bytes of a server would stop the process. So a reader that stands behind the end fails.
 */
Object.defineProperty(BufferReader.prototype, 'offset', {
  get(this: Reader): number {
    const offset = offsets.get(this) ?? 0;
    if (offset > this.buffer.length) throw new RangeError('the message ends too early');
    return offset;
  },
  set(this: Reader, offset: number): void {
    offsets.set(this, offset);
  },
});
