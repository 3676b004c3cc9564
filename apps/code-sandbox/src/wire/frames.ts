import type { Writable } from 'node:stream';
import { FRAME_HEAD_BYTES_MAX } from '../limits.js';

/** Descriptor, in the child, of the socket to the supervisor. */
export const CHILD_SOCKET_FD = 3;

/** Length of the header, which contains the lengths of head and body. */
const LENGTHS_BYTES = 8;

/**
 * Encodes a message between supervisor and child: a JSON head and an opaque body. Events and results travel in the body, so they
 * are never quoted, parsed or serialised between broker and isolate.
 */
export const frameOf = (head: object, body: readonly Buffer[] = []): Buffer =>
  Buffer.concat([startOf(head, body), ...body]);

/** Sends such a message with one call of the system and without a copy of the body. */
export function sendFrame(socket: Writable, head: object, body: readonly Buffer[]): void {
  socket.cork();
  socket.write(startOf(head, body));
  for (const part of body) socket.write(part);
  socket.uncork();
}

/** The lengths and the head. */
function startOf(head: object, body: readonly Buffer[]): Buffer {
  const text = JSON.stringify(head);
  const headBytes = Buffer.byteLength(text);
  const start = Buffer.allocUnsafe(LENGTHS_BYTES + headBytes);
  start.writeUInt32LE(headBytes, 0);
  start.writeUInt32LE(
    body.reduce((sum, { length }) => sum + length, 0),
    4,
  );
  start.write(text, LENGTHS_BYTES);
  return start;
}

/** Reassembles frames from the chunks of a socket. */
export class FrameReader {
  private chunks: Buffer[] = [];
  private held = 0;
  private wanted = LENGTHS_BYTES;

  constructor(
    private readonly bytesMax: number,
    private readonly receive: (head: unknown, body: Buffer) => void,
  ) {}

  /** Throws {@link RangeError} if a frame is too large, and {@link SyntaxError} if a head is not JSON. */
  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.held += chunk.length;
    while (this.held >= this.wanted) {
      const bytes = this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks);
      const headEnd = LENGTHS_BYTES + bytes.readUInt32LE(0);
      const end = headEnd + bytes.readUInt32LE(4);
      if (end > this.bytesMax) throw new RangeError(`a frame of ${end} bytes`);
      if (headEnd > FRAME_HEAD_BYTES_MAX) throw new RangeError(`a head of ${headEnd} bytes`);
      this.chunks = [bytes];
      this.wanted = end;
      if (this.held < end) return;
      this.chunks = this.held === end ? [] : [bytes.subarray(end)];
      this.held -= end;
      this.wanted = LENGTHS_BYTES;
      this.receive(JSON.parse(bytes.toString('utf8', LENGTHS_BYTES, headEnd)), bytes.subarray(headEnd, end));
    }
  }
}
