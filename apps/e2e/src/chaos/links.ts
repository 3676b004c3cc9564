import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net';
import type { Way } from '@weir/local';

/**
 * How a link treats bytes. A direction that is cut holds them, like a network that may recover, so the sender sees an open
 * connection. `there` is the direction from the client to the server.
 */
export interface Weather {
  cut?: 'there' | 'back' | 'both';
  /** Delay of each piece in milliseconds. */
  delayMs?: number;
  /** Resets a connection instead of passing on a piece, with this probability. */
  resetShare?: number;
  /** Resets a connection instead of passing on the client's piece that holds this text. */
  resetAt?: string;
}

/** Bytes that one side sent, or the end of the connection. */
interface Piece {
  bytes: Buffer | 'end';
  from: Socket;
  to: Socket;
  direction: 'there' | 'back';
}

/** A proxy between one program and one server, with weather. */
export class Link {
  private weather: Weather = {};
  private readonly sockets = new Set<Socket>();
  private held: Piece[] = [];
  private server: Server | undefined;

  constructor(
    readonly way: Way,
    private readonly random: () => number,
  ) {}

  async open(): Promise<number> {
    const server = createServer((client) => this.join(client));
    this.server = server;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  /** Changes the weather. What was held goes on as far as the new weather allows. */
  become(weather: Weather): void {
    this.weather = weather;
    for (const piece of this.held.splice(0)) this.pass(piece);
  }

  get isUsed(): boolean {
    return this.sockets.size > 0;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server?.close();
  }

  private join(client: Socket): void {
    const server = dial(this.way.port, '127.0.0.1');
    this.carry(client, server, 'there');
    this.carry(server, client, 'back');
  }

  private carry(from: Socket, to: Socket, direction: Piece['direction']): void {
    this.sockets.add(from);
    from.setNoDelay(true);
    const send = (bytes: Piece['bytes']) => {
      const { delayMs } = this.weather;
      // Timers of one length fire in the order in which they began.
      if (delayMs) setTimeout(() => this.pass({ bytes, from, to, direction }), delayMs);
      else this.pass({ bytes, from, to, direction });
    };
    from.on('data', send);
    from.on('error', () => undefined);
    from.on('close', () => {
      this.sockets.delete(from);
      send('end');
    });
  }

  private pass(piece: Piece): void {
    const { bytes, from, to, direction } = piece;
    const { resetShare = 0, resetAt } = this.weather;
    if (this.isCut(direction)) this.held.push(piece);
    else if (bytes === 'end') to.end();
    else if (resetShare > 0 && this.random() < resetShare) reset(from, to);
    else if (resetAt && direction === 'there' && bytes.includes(resetAt)) reset(from, to);
    else to.write(bytes);
  }

  private isCut(direction: Piece['direction']): boolean {
    return this.weather.cut === 'both' || this.weather.cut === direction;
  }
}

function reset(...sockets: Socket[]): void {
  for (const socket of sockets) socket.resetAndDestroy();
}

/** All links of a stack. Give `link` to the launcher. */
export class Links {
  private readonly all: Link[] = [];

  constructor(private readonly random: () => number) {}

  readonly link = (way: Way): Promise<number> => {
    const link = new Link(way, this.random);
    this.all.push(link);
    return link.open();
  };

  /** Changes the weather of all links that are meant. Returns how many. */
  become(weather: Weather, isMeant: (way: Way, isUsed: boolean) => boolean = () => true): number {
    const meant = this.all.filter(({ way, isUsed }) => isMeant(way, isUsed));
    for (const link of meant) link.become(weather);
    return meant.length;
  }

  close(): void {
    for (const link of this.all) link.close();
  }
}
