import { FRAME_HEAD_BYTES_MAX } from '../limits.js';

/** Descriptor, in the child, of the socket to the supervisor. */
export const CHILD_SOCKET_FD = 3;

/** Length of the header, which contains the lengths of head and body. */
const LENGTHS_BYTES = 8;

/**
 * Encodes a message between supervisor and child: a JSON head and an opaque body. Events and results travel in the body, so they
 * are never quoted, parsed or serialised between broker and isolate.
 */
export function frameOf(head: object, body: readonly Buffer[] = []): Buffer {
  const text = JSON.stringify(head);
  const headBytes = Buffer.byteLength(text);
  const bodyBytes = body.reduce((sum, { length }) => sum + length, 0);
  const frame = Buffer.allocUnsafe(LENGTHS_BYTES + headBytes + bodyBytes);
  frame.writeUInt32LE(headBytes, 0);
  frame.writeUInt32LE(bodyBytes, 4);
  let at = LENGTHS_BYTES + frame.write(text, LENGTHS_BYTES);
  for (const part of body) at += part.copy(frame, at);
  return frame;
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
