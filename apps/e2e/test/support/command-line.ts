import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { writeFiles } from './files.js';
import { newWorkspace, type Workspace } from './workspace.js';

/** The built command line. */
export const PROGRAM = join(import.meta.dirname, '../../../cli/dist/weir.js');

export interface Ran {
  code: number;
  out: string;
  err: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads fields of any answer and asserts on them
  json: any;
}

export interface Where {
  cwd: string;
  env: NodeJS.ProcessEnv;
  input?: string;
}

/** Commands that show events may print more than the megabyte that Node.js allows by default. */
const OUTPUT_BYTES_MAX = 16 * 1_024 * 1_024;

/** Runs the built command line as a shell does. Rejects if it does not end by itself, such as with too much output. */
export function runWeir(args: readonly string[], { cwd, env, input = '' }: Where): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [PROGRAM, ...args],
      { cwd, env, maxBuffer: OUTPUT_BYTES_MAX },
      (error, out, err) => {
        const code = error ? error.code : 0;
        if (typeof code !== 'number') return reject(error);
        try {
          resolve({ code, out, err, json: args.includes('--json') ? parsed(out, err) : undefined });
        } catch {
          reject(new Error(`weir ${args.join(' ')} printed no JSON: ${out}${err}`));
        }
      },
    );
    child.stdin?.end(input);
  });
}

export interface CommandLine {
  /** The folder where commands run, which is also their home. */
  readonly folder: string;
  /** Variables that name the shared stack and the admin token of the workspace. */
  readonly env: NodeJS.ProcessEnv;
  readonly workspace: Workspace;
  write(path: string, text: string): void;
  run(args: readonly string[], more?: NodeJS.ProcessEnv): Promise<Ran>;
}

/** Gives this test file a workspace of its own and a folder where the command line works on it. */
export function useCommandLine(): CommandLine {
  const folder = mkdtempSync(join(tmpdir(), 'weir-cli-e2e-'));
  let workspace: Workspace | undefined;
  beforeAll(async () => {
    workspace = await newWorkspace();
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return {
    folder,
    get workspace() {
      if (!workspace) throw new Error('the workspace is there once beforeAll has run');
      return workspace;
    },
    get env() {
      const WEIR_TOKEN = this.workspace.tokens.admin;
      return { PATH: process.env['PATH'], HOME: folder, WEIR_URL: sharedStack().urls[0] ?? '', WEIR_TOKEN };
    },
    write: (path, text) => writeFiles(folder, { [path]: text }),
    run(args, more) {
      return runWeir(args, { cwd: folder, env: { ...this.env, ...more } });
    },
  };
}

/** Runs it, and kills it as soon as it prints a note with this text. Resolves with whether it came to that. */
export function killWeirAt(note: string, args: readonly string[], { cwd, env }: Where): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
    createInterface(child.stderr).on('line', (line) => {
      if (line.includes(note)) child.kill('SIGKILL');
    });
    child.once('exit', (_code, signal) => resolve(signal === 'SIGKILL'));
  });
}

/** The output as JSON. Without output, a test that reads a field of it says why. */
function parsed(out: string, err: string): unknown {
  if (out) return JSON.parse(out);
  const why = () => {
    throw new Error(`nothing was printed: ${err}`);
  };
  return new Proxy({}, { get: why });
}
