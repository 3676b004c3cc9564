import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Outbound, OutboundConnection } from '../kind.js';

const CONNECT_TIMEOUT_MS = 10_000;

export type Where = Omit<OutboundConnection, 'timeoutMs'>;

/** Connects the client library of a kind. Every socket comes from the outbound client, which checks its target. */
export class GuardedConnector {
  /** The error of the last failed connection. Libraries hide it behind their own messages. */
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

  /** For libraries that need a socket at once and wait for its `connect` event. */
  socket(where: Where, onConnect: () => void = () => undefined): Duplex {
    return new LazySocket(() => this.connect(where), onConnect);
  }

  /** Throws the error of the outbound client, if that failed. */
  throwFailure(): void {
    if (this.failure !== undefined) throw this.failure;
  }
}

/** A socket that is still connecting. Writes wait until it is connected. */
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

  /** Methods that libraries call on a socket. They do nothing, because the outbound client has configured it. */
  connect = (): this => this;
  setNoDelay = (): this => this;
  setKeepAlive = (): this => this;
  setTimeout = (): this => this;
  ref = (): this => this;
  unref = (): this => this;
}

/** One connection. Opens on first use, and again after a loss. */
export class Kept<T> {
  private current: Promise<T> | undefined;
  private isClosed = false;

  /** `open` calls `lost` when the connection ends by itself. `end` may reject. */
  constructor(
    private readonly open: (lost: () => void) => Promise<T>,
    private readonly end: (connection: T) => Promise<unknown>,
  ) {}

  async get(): Promise<T> {
    if (this.isClosed) throw new Error('the session is closed');
    this.current ??= this.begin();
    return this.current;
  }

  /** Ends the connection. The next caller gets a new one. Never rejects. */
  async drop(): Promise<void> {
    const ended = this.current;
    this.current = undefined;
    await ended?.then(this.end).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.drop();
  }

  private begin(): Promise<T> {
    // The end of an earlier connection must not remove a later one.
    const forget = () => {
      if (this.current === opening) this.current = undefined;
    };
    const opening = this.open(forget);
    opening.catch(forget);
    return opening;
  }
}
