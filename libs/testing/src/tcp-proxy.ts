import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { hooks } from './hooks.js';

export interface TcpProxy {
  /** The target's URL with this proxy's host and port. */
  readonly url: string;
  /** Open connections, including held ones. */
  readonly connections: number;
  /**
   * Becomes a black hole: nothing passes in either direction, and no connection ends. Data waits, as it would in a network that
   * recovers. `newcomers: 'pass'` exempts later connections.
   */
  hold(options?: { newcomers?: 'hold' | 'pass' }): void;
  /** Whether held data contains this text. */
  holds(text: string): boolean;
  /** Passes on the held data, including that of clients that have disconnected. */
  release(): void;
}

/** One direction of a connection, which passes or holds bytes. */
class Way {
  private waiting: Buffer[] = [];
  private ended = false;
  private held = false;

  constructor(
    from: Socket,
    private readonly to: Socket,
  ) {
    from.on('data', (bytes) => {
      if (this.held) this.waiting.push(bytes);
      else this.to.write(bytes);
    });
    from.on('close', () => this.end());
  }

  hold(): void {
    this.held = true;
  }

  release(): void {
    this.held = false;
    for (const bytes of this.waiting.splice(0)) this.to.write(bytes);
    if (this.ended) this.to.end();
  }

  holds(text: string): boolean {
    return Buffer.concat(this.waiting).includes(text);
  }

  private end(): void {
    this.ended = true;
    if (!this.held) this.to.end();
  }
}

/** A proxy between a process and the server at `target()`, a URL with a port. Use it inside tests and hooks. */
export function useTcpProxy(target: () => string): TcpProxy {
  const sockets = new Set<Socket>();
  const ways = new Set<Way>();
  let holdsNewcomers = false;
  let port = 0;
  const server = createServer((client) => {
    const { hostname, port: targetPort } = new URL(target());
    const upstream = dial(Number(targetPort), hostname);
    const both = [new Way(client, upstream), new Way(upstream, client)];
    for (const way of both) {
      ways.add(way);
      if (holdsNewcomers) way.hold();
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    upstream.on('close', () => {
      for (const way of both) ways.delete(way);
    });
  });
  hooks().beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  hooks().afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return {
    get url() {
      return Object.assign(new URL(target()), { host: `127.0.0.1:${port}` }).href;
    },
    get connections() {
      return ways.size / 2;
    },
    hold: ({ newcomers = 'hold' } = {}) => {
      holdsNewcomers = newcomers === 'hold';
      for (const way of ways) way.hold();
    },
    holds: (text) => [...ways].some((way) => way.holds(text)),
    release: () => {
      holdsNewcomers = false;
      for (const way of ways) way.release();
    },
  };
}
