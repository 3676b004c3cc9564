import type { Socket } from 'node:net';

/** Where children run: next to their supervisor, or in their own container. */
export interface ChildHost {
  start(memoryMb: number, listener: ChildListener): StartedChild;
  /** Ends every child. */
  close(): void;
}

export interface ChildListener {
  /** The socket of the child is open. Not called if the child could not be started. */
  connected(socket: Socket): void;
  /**
   * The child is gone, and all its output has been read. `signal` is null if it left on its own. `lastWords` is the end of its
   * error output.
   */
  ended(signal: string | null, lastWords: string): void;
}

export interface StartedChild {
  /** Unknown if the child runs in another container. */
  readonly pid?: number | undefined;
  kill(): void;
}
