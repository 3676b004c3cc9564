import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outbound, OutboundConnection } from '../kind.js';
import { receivedBudget } from './received-budget.js';
import { type Check, shielded } from './shielded.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** How long a client library may take leave of its server. Then its sockets are cut. */
const LEAVE_MS = 2_000;
const GIVEN_UP = 'the connection was given up';

export type Where = Omit<OutboundConnection, 'timeoutMs'>;

/** Connects the client library of a kind. Every socket comes from the outbound client, which checks its target. */
export class GuardedConnector {
  /** The error of the last failed connection. Libraries hide it behind their own messages. */
  private failure: unknown;
  /** Why the last broken connection was ended here. */
  private broken: Error | undefined;
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  constructor(private readonly outbound: Outbound) {}

  async connect(where: Where, ...checks: Check[]): Promise<Socket> {
    try {
      const socket = await this.outbound.connect({ ...where, timeoutMs: CONNECT_TIMEOUT_MS });
      this.keep(this.shield(socket, receivedBudget(socket), ...checks));
      this.failure = undefined;
      return socket;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  /**
   * Destroys every socket, also one that is still connecting. A server may keep its end open after it refused or was left, and each
   * retry would add another socket to a process that many workspaces share. The error tells the library, whose timers would stay.
   */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy(new Error(GIVEN_UP));
  }

  private keep(socket: Socket): void {
    if (this.isCut) {
      socket.destroy();
      throw new Error(GIVEN_UP);
    }
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
  }

  /** For libraries that need a socket at once and wait for its `connect` event. */
  socket(where: Where, onConnect: () => void = () => undefined): Duplex {
    return this.shield(new LazySocket(() => this.connect(where), onConnect));
  }

  /** For a stream that a library makes itself of one of these sockets. */
  shield<T extends Duplex>(stream: T, ...checks: Check[]): T {
    const broken = (error: Error) => {
      this.broken = error;
    };
    return shielded(stream, broken, ...checks);
  }

  /** Why a call failed, for an error of the library. Throws the error of the outbound client if that was the reason. */
  causeOf(error: unknown): unknown {
    if (this.failure !== undefined) throw this.failure;
    return this.broken ?? error;
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

/** One connection. Opens on first use, and again after a loss. Leaves no socket behind, whatever its server does. */
export class Kept<T> {
  private current: Promise<T> | undefined;
  private line: GuardedConnector;
  private isClosed = false;

  /** `open` calls `lost` when the connection ends by itself. `end` takes leave of the server, and may reject. */
  constructor(
    private readonly outbound: Outbound,
    private readonly open: (line: GuardedConnector, lost: () => void) => Promise<T>,
    private readonly end: (connection: T) => Promise<unknown>,
  ) {
    this.line = new GuardedConnector(outbound);
  }

  async get(): Promise<T> {
    if (this.isClosed) throw new Error('the session is closed');
    this.current ??= this.begin();
    return this.current;
  }

  /** Ends the connection. The next caller gets a new one. Never rejects. */
  async drop(): Promise<void> {
    const { current: ended, line } = this;
    this.current = undefined;
    const leaving = ended?.then(this.end).catch(() => undefined);
    await Promise.race([leaving, sleep(LEAVE_MS, undefined, { ref: false })]);
    line.cut();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.drop();
  }

  /** As {@link GuardedConnector.causeOf}, of the last connection. */
  causeOf(error: unknown): unknown {
    return this.line.causeOf(error);
  }

  private begin(): Promise<T> {
    const line = new GuardedConnector(this.outbound);
    this.line = line;
    // The end of an earlier connection must not remove a later one.
    const forget = () => {
      if (this.current === opening) this.current = undefined;
      line.cut();
    };
    const opening = this.open(line, forget);
    opening.catch(forget);
    return opening;
  }
}
