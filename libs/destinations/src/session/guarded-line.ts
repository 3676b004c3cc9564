import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Outbound, OutboundConnection } from '../kind.js';

const CONNECT_TIMEOUT_MS = 10_000;

export type Where = Omit<OutboundConnection, 'timeoutMs'>;

/** Connects the client library of a kind: every socket comes from the way out, which checks where it goes. */
export class GuardedLine {
  /** Why the last connection could not be made: libraries put words of their own over it. */
  failure: unknown;

  constructor(private readonly outbound: Outbound) {}

  async connect(where: Where): Promise<Socket> {
    try {
      const socket = await this.outbound.connect({ ...where, timeoutMs: CONNECT_TIMEOUT_MS });
      this.failure = undefined;
      return socket;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  /** For libraries that want a socket at once, and wait for its `connect`. */
  socket(where: Where, onConnect: () => void = () => undefined): Duplex {
    return new LazySocket(() => this.connect(where), onConnect);
  }

  /** Throws the way out's own error, when it was that which failed. */
  throwFailure(): void {
    if (this.failure !== undefined) throw this.failure;
  }
}

/** A socket that is being connected: what is written meanwhile waits. */
class LazySocket extends Duplex {
  private socket: Socket | undefined;

  constructor(
    private readonly open: () => Promise<Socket>,
    private readonly onConnect: () => void,
  ) {
    super({ allowHalfOpen: false });
  }

  override _construct(callback: (error?: Error) => void): void {
    this.open().then((socket) => this.opened(socket, callback), callback);
  }

  private opened(socket: Socket, callback: () => void): void {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => this.push(chunk) || socket.pause());
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    callback();
    if (this.destroyed) return;
    this.emit('connect');
    this.onConnect();
  }

  override _read(): void {
    this.socket?.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.socket?.write(chunk, callback);
  }

  override _final(callback: () => void): void {
    this.socket?.end(callback);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.socket?.destroy();
    callback(error);
  }

  /** What libraries call on a socket; the way out has set what matters. */
  connect = (): this => this;
  setNoDelay = (): this => this;
  setKeepAlive = (): this => this;
  setTimeout = (): this => this;
  ref = (): this => this;
  unref = (): this => this;
}
