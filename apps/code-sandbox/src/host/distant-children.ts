import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { FrameReader, frameOf } from '../wire/frames.js';
import type { ChildHost, ChildListener, StartedChild } from './child-host.js';
import { ChildEnd, HOST_FRAME_BYTES_MAX, HOST_NAME, type HostOrder, NAME_BYTES } from './host-protocol.js';

interface Distant {
  name: string;
  memoryMb: number;
  listener: ChildListener;
  socket?: Socket;
  /** The host's report of its end. */
  end?: Pick<ChildEnd, 'signal' | 'lastWords'>;
}

const HOST_LOST = { signal: null, lastWords: 'the container of the child processes is gone' };

/**
 * Children in their own container. Their host (`children.ts`) connects to a socket of this supervisor. So the folder can be
 * read-only there, and code that breaks out cannot replace the socket. Each child's socket connects straight to it. A connection
 * gets access only to the child that it names.
 */
export class DistantChildren implements ChildHost {
  private readonly children = new Map<string, Distant>();
  private readonly server: Server;
  private host: Socket | undefined;

  /** @param path of the new socket. A leftover socket of an earlier supervisor is removed. */
  constructor(path: string) {
    rmSync(path, { force: true });
    this.server = createServer((socket) => this.greet(socket));
    // The host runs as another user, so permissions of the folder decide who may connect.
    this.server.listen({ path, readableAll: true, writableAll: true });
  }

  /** If there is no host yet, the child starts when one connects. */
  start(memoryMb: number, listener: ChildListener): StartedChild {
    const child: Distant = { name: randomUUID(), memoryMb, listener };
    this.children.set(child.name, child);
    this.order({ type: 'start', child: child.name, memoryMb });
    return { kill: () => this.kill(child) };
  }

  close(): void {
    this.server.close();
    this.host?.end();
  }

  private kill(child: Distant): void {
    if (this.host) this.order({ type: 'kill', child: child.name });
    else setImmediate(() => this.end(child, HOST_LOST));
  }

  private order(order: HostOrder): void {
    this.host?.write(frameOf(order));
  }

  private greet(socket: Socket): void {
    socket.on('error', () => undefined);
    const readName = () => {
      const name: Buffer | null = socket.read(NAME_BYTES);
      if (!name) return;
      socket.off('readable', readName);
      this.take(socket, name.toString());
    };
    socket.on('readable', readName);
  }

  private take(socket: Socket, name: string): void {
    const child = this.children.get(name);
    if (name === HOST_NAME && !this.host) this.welcome(socket);
    else if (child && !child.socket) this.join(socket, child);
    else socket.destroy();
  }

  private welcome(host: Socket): void {
    this.host = host;
    const reader = new FrameReader(HOST_FRAME_BYTES_MAX, (head) => this.hear(ChildEnd.parse(head)));
    host.on('data', (chunk) => {
      try {
        reader.push(chunk);
      } catch {
        host.destroy();
      }
    });
    host.once('close', () => {
      this.host = undefined;
      for (const child of [...this.children.values()]) this.end(child, HOST_LOST);
    });
    for (const { name, memoryMb } of this.children.values()) this.order({ type: 'start', child: name, memoryMb });
  }

  private join(socket: Socket, child: Distant): void {
    child.socket = socket;
    socket.once('close', () => this.settle(child));
    child.listener.connected(socket);
  }

  private hear({ child: name, ...end }: ChildEnd): void {
    const child = this.children.get(name);
    if (!child) return;
    child.end = end;
    this.settle(child);
  }

  /** Two connections bring the end of a child and its last answer, so this waits for both. */
  private settle(child: Distant): void {
    if (child.end && (!child.socket || child.socket.closed)) this.end(child, child.end);
  }

  private end(child: Distant, { signal, lastWords }: Pick<ChildEnd, 'signal' | 'lastWords'>): void {
    if (!this.children.delete(child.name)) return;
    child.socket?.destroy();
    child.listener.ended(signal, lastWords);
  }
}
