import type { Socket } from 'node:net';
import { CHILD_SOCKET_FD } from '../wire/frames.js';
import type { ChildHost, ChildListener, StartedChild } from './child-host.js';
import { onceEnded, spawnChild } from './child-process.js';

/** Children of the supervisor itself, in the same container, under the same user and in the same network. */
export class OwnChildren implements ChildHost {
  private readonly children = new Set<StartedChild>();

  /** @param script the built child script */
  constructor(private readonly script: string) {}

  start(memoryMb: number, listener: ChildListener): StartedChild {
    const child = spawnChild(this.script, memoryMb, 'pipe');
    const started = { pid: child.pid, kill: () => void child.kill('SIGKILL') };
    this.children.add(started);
    onceEnded(child, (signal, lastWords) => {
      this.children.delete(started);
      listener.ended(signal, lastWords);
    });
    listener.connected(child.stdio[CHILD_SOCKET_FD] as Socket);
    return started;
  }

  close(): void {
    for (const child of this.children) child.kill();
  }
}
