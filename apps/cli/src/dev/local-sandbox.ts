import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { shownOutput } from '@weir/imports';
import { CliError } from '../core/errors.js';
import { ExitCode } from '../core/exit-code.js';
import type { JsonObject } from '../project/json.js';
import type { Bundle } from './bundles.js';
import type { EventResult, StrayError, UserError } from './results.js';

/** The oldest Node.js that the sandbox's isolates run on. */
const NODE_MIN = 24;

/** All events of one run. */
export interface LocalRun {
  results: EventResult[];
  /** Outputs and errors, as a test shows them. */
  output: JsonObject[];
  logs: string[];
  /** Errors that belong to no event. */
  strayErrors: UserError[];
}

/** The surroundings that code can see beside its events. Only code that asks for credentials gets them, as on a server. */
export interface Surroundings {
  workspaceId: string;
  credentials: readonly { key: string; value: string }[];
}

/** One call of the sandbox. */
interface Reply {
  results?: EventResult[];
  logs?: string[];
  strayErrors?: StrayError[];
}

interface Answer {
  id: number;
  replies?: string[];
  problem?: string;
}

/** The sandbox of a server in processes of this machine. It reaches no network, and lives until {@link close}. */
export class LocalSandbox {
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private readonly process: ChildProcess;
  private lastId = 0;

  /** @param script the built sandbox. Throws a CliError if this machine cannot run it. */
  constructor(script: string) {
    requireSandbox(script);
    this.process = fork(script, { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    this.process.on('message', (answer: Answer) => {
      this.waiting.get(answer.id)?.(answer);
      this.waiting.delete(answer.id);
    });
    this.process.on('exit', () => this.lose());
    this.process.on('error', () => this.lose());
  }

  /** Runs the events as a test of a server does. Errors of the code are results. */
  async run(bundle: Bundle, events: readonly JsonObject[], { workspaceId, credentials }: Surroundings) {
    const replies = await this.ask({ action: 'run', bundle, workspaceId, events, credentials });
    const parts = replies.map((reply): Reply => JSON.parse(reply));
    return {
      results: parts.flatMap(({ results = [] }) => results),
      output: parts.flatMap(({ results = [], strayErrors = [] }) => shownOutput(results, strayErrors)),
      logs: parts.flatMap(({ logs = [] }) => logs),
      strayErrors: parts.flatMap(({ strayErrors = [] }) => strayErrors),
    } satisfies LocalRun;
  }

  /** Why a library does not load. Undefined if it does. */
  async check(bundle: Bundle): Promise<string | undefined> {
    const [reply = '{}'] = await this.ask({ action: 'check', bundle });
    const { error }: { error?: UserError } = JSON.parse(reply);
    return error?.message;
  }

  /** The events of a test that names none. */
  async defaultEvents(): Promise<JsonObject[]> {
    const [reply = '[]'] = await this.ask({ action: 'default-events' });
    return JSON.parse(reply);
  }

  close(): void {
    if (this.process.connected) this.process.disconnect();
  }

  private async ask(request: object): Promise<string[]> {
    this.lastId += 1;
    const id = this.lastId;
    const answer = await new Promise<Answer>((resolve) => {
      this.waiting.set(id, resolve);
      this.process.send({ id, request }, (error) => error && this.lose());
    });
    if (answer.replies) return answer.replies;
    throw new CliError(answer.problem ?? 'The sandbox ended', undefined, ExitCode.failed);
  }

  private lose(): void {
    for (const [id, settle] of this.waiting) settle({ id, problem: 'The sandbox ended' });
    this.waiting.clear();
  }
}

function requireSandbox(script: string): void {
  if (Number(process.versions.node.split('.')[0]) < NODE_MIN)
    throw new CliError(
      `The sandbox needs Node.js ${NODE_MIN} or newer, and this is ${process.version}`,
      'Install a newer Node.js. `weir test` runs the same tests on the server.',
    );
  if (!existsSync(script))
    throw new CliError(
      'This weir has no sandbox beside it',
      'Install it with npm: npm install --global weir-cli. `weir test` runs the same tests on the server.',
    );
}
