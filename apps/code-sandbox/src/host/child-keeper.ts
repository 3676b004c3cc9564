import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { FrameReader, frameOf } from '../wire/frames.js';
import { onceEnded, spawnChild } from './child-process.js';
import { type ChildEnd, HOST_FRAME_BYTES_MAX, HOST_NAME, HostOrder } from './host-protocol.js';

/**
 * Starts and kills children on orders of the supervisor at the other end of the socket. Resolves when the supervisor is gone and
 * all children are killed.
 */
export async function keepChildren(path: string, script: string): Promise<void> {
  const supervisor = await connected(path, HOST_NAME);
  const keeper = new ChildKeeper(path, script, supervisor);
  const reader = new FrameReader(HOST_FRAME_BYTES_MAX, (head) => keeper.obey(HostOrder.parse(head)));
  supervisor.on('data', (chunk) => reader.push(chunk));
  supervisor.resume();
  await new Promise((closed) => supervisor.once('close', closed));
  keeper.killAll();
}

class ChildKeeper {
  /** Children that were ordered, with their process once it runs. */
  private readonly children = new Map<string, ChildProcess | undefined>();

  constructor(
    private readonly path: string,
    private readonly script: string,
    private readonly supervisor: Socket,
  ) {}

  obey(order: HostOrder): void {
    if (order.type === 'start') void this.start(order.child, order.memoryMb);
    else this.kill(order.child);
  }

  killAll(): void {
    for (const child of this.children.keys()) this.kill(child);
  }

  private kill(child: string): void {
    const process = this.children.get(child);
    this.children.delete(child);
    process?.kill('SIGKILL');
  }

  private async start(child: string, memoryMb: number): Promise<void> {
    this.children.set(child, undefined);
    try {
      const socket = await connected(this.path, child);
      if (this.children.has(child)) this.spawn(child, memoryMb, socket);
      else this.tell(child, 'SIGKILL', '');
      // The child has its own descriptor. This one must close, or nobody would see when the child is gone.
      socket.destroy();
    } catch (error) {
      this.tell(child, null, String(error));
    }
  }

  private spawn(child: string, memoryMb: number, socket: Socket): void {
    const process = spawnChild(this.script, memoryMb, socket);
    this.children.set(child, process);
    onceEnded(process, (signal, lastWords) => this.tell(child, signal, lastWords));
  }

  private tell(child: string, signal: string | null, lastWords: string): void {
    this.children.delete(child);
    this.supervisor.write(frameOf({ type: 'ended', child, signal, lastWords } satisfies ChildEnd));
  }
}

/** Opens a connection and announces its name. Nothing has been read from it yet. */
async function connected(path: string, name: string): Promise<Socket> {
  const socket = connect(path).pause();
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  await new Promise((sent) => socket.write(name, sent));
  return socket;
}
