import type { Socket } from 'node:net';

/** Where children run: beside their supervisor, or in a container of their own. */
export interface ChildHost {
  start(memoryMb: number, listener: ChildListener): StartedChild;
  /** Ends every child. */
  close(): void;
}

export interface ChildListener {
  /** The child's end is about to be answered. Not called for a child that could not be started. */
  connected(socket: Socket): void;
  /**
   * It is gone, and everything that it wrote has been read. By `signal`, unless it left by itself; `lastWords` is the end of
   * what it wrote about it.
   */
  ended(signal: string | null, lastWords: string): void;
}

export interface StartedChild {
  /** Unknown for a child of another container. */
  readonly pid?: number | undefined;
  kill(): void;
}
