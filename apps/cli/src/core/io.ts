import type { Writable } from 'node:stream';

/** Everything that a command may touch of the process around it, so that tests can stand in for it. */
export interface Io {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  home: string;
  out(text: string): void;
  err(text: string): void;
  /** Whether a person reads the output, and so may see colours. */
  isOutTty: boolean;
  /** The error output, if a person watches it, for what is painted over. */
  terminal?: Writable | undefined;
  /** Whether a person can be asked. */
  isInteractive: boolean;
  /** The folder that files of a project have to be in. Without it, they may name files anywhere. */
  filesIn?: string | undefined;
  /** The whole of what is piped into the command. */
  readInput(): Promise<string>;
  /** Path of the sandbox that `weir dev` runs. */
  sandboxScript: string;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}
