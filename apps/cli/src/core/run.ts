import { createClient, type WeirClient } from '@weir/client';
import type { Command } from 'commander';
import { type Credentials, credentialsOf } from './credentials.js';
import { CliError } from './errors.js';
import type { ExitCode } from './exit-code.js';
import type { Io } from './io.js';
import { Output } from './output.js';

/** Options of every command. */
export interface GlobalOptions {
  json?: boolean;
  color?: boolean;
}

/** The tools of a command's action. */
export interface Run<Options = object> {
  io: Io;
  out: Output;
  options: Options & GlobalOptions;
  /** Arguments by position. A missing optional one is undefined. */
  args: readonly (string | undefined)[];
  /** All values of a variadic argument, which is the last one. */
  rest: readonly string[];
  credentials(): Credentials;
  /** The client of the workspace. Throws a CliError if nobody is logged in. */
  client(): WeirClient;
  /** Sends a request as the client does, for a client without the stored credentials. */
  send(request: Request): Promise<Response>;
}

/** Does the work of a command. Without an exit code it has succeeded. */
export type Action<Options> = (run: Run<Options>) => Promise<ExitCode> | Promise<void>;

/** Registers commands on the program. Each file in `commands/` exports one. */
export type CommandGroup = (program: Command, cli: Cli) => void;

/** Runs one more command line in this process, and resolves with its exit code. */
export type RunLine = (argv: readonly string[], io: Io) => Promise<number>;

/** Connects commander with the actions. */
export class Cli {
  exitCode: ExitCode = 0;
  /** Text of the parser about a command line that it refuses. It is the help if a command is missing. */
  refusal = '';

  constructor(
    readonly io: Io,
    readonly runLine: RunLine,
  ) {}

  /** For `command.action(…)`: gives the action its arguments and options, and keeps its exit code. */
  action<Options extends object = object>(act: Action<Options>) {
    return async (...given: unknown[]): Promise<void> => {
      const command = given.at(-1) as Command;
      const exitCode = await act(this.runOf(command, given.slice(0, -2)));
      if (typeof exitCode === 'number') this.exitCode = exitCode;
    };
  }

  refuse(text: string): void {
    this.refusal += text;
  }

  /** For failures that end before an action, or in it. */
  output({ json = false, color = true }: GlobalOptions): Output {
    return new Output(this.io, json, color);
  }

  /** Ctrl-C ends a request that is under way, and so does a server that does not begin its answer. */
  private async send(request: Request, seconds: number): Promise<Response> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error(`no answer within ${seconds} s`)), seconds * 1_000);
    try {
      return await fetch(request, { signal: AbortSignal.any([request.signal, this.io.signal, late.signal]) });
    } finally {
      clearTimeout(timer);
    }
  }

  private runOf<Options extends object>(command: Command, given: unknown[]): Run<Options> {
    const options: Options & GlobalOptions = command.optsWithGlobals();
    const credentials = () => credentialsOf(this.io);
    const seconds = secondsOf(this.io.env['WEIR_TIMEOUT']);
    const send = (request: Request) => this.send(request, seconds);
    const isText = (value: unknown): value is string => typeof value === 'string';
    return {
      io: this.io,
      out: this.output(options),
      options,
      args: given.map((value) => (isText(value) ? value : undefined)),
      rest: given
        .filter((value) => Array.isArray(value))
        .flat()
        .filter(isText),
      credentials,
      client: () => createClient({ ...credentials(), fetch: send }),
      send,
    };
  }
}

/** Longer than any request takes at the server. */
const ANSWER_SECONDS = 60;

function secondsOf(text: string | undefined): number {
  if (!text) return ANSWER_SECONDS;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new CliError('WEIR_TIMEOUT is a number of seconds, such as 60');
}

/** Examples below the help of a command. */
export const examples = (...lines: string[]): string =>
  ['', 'Examples:', ...lines.map((line) => `  $ ${line}`)].join('\n');
