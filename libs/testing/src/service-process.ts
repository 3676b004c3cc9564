import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { ProcessName } from '@weir/contracts';
import { COMPILE_CACHE_DIR } from '@weir/local-servers';
import { PATIENCE_MS } from './patience.js';

/** Repository's apps. This file is in libs/testing/src, or compiled in libs/testing/dist. */
const APPS_DIR = join(import.meta.dirname, '../../../apps');

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ServiceProcess {
  pid: number;
  /** Everything that it wrote so far. */
  output(): string;
  /** Resolves with its exit code or signal. */
  exited: Promise<Exit>;
  kill(signal?: NodeJS.Signals): void;
  /** Sends SIGTERM, and SIGKILL if it takes too long. */
  stop(): Promise<void>;
}

/** Starts one built process (`npm run build`) with exactly this environment. Resolves when it reports ready. */
export async function startProcess(
  name: ProcessName,
  env: Record<string, string>,
  flags: readonly string[] = [],
): Promise<ServiceProcess> {
  const launched = launchProcess(name, env, flags);
  await launched.ready;
  return launched;
}

/** Starts a process without waiting. `ready` rejects with the output if the process ends first. */
export function launchProcess(
  name: ProcessName,
  env: Record<string, string>,
  flags: readonly string[] = [],
): ServiceProcess & { ready: Promise<void> } {
  const [app = '', entry = ''] = name.split('.');
  const script = join(APPS_DIR, app, 'dist', `${entry}.js`);
  const child = spawn(process.execPath, ['--enable-source-maps', ...flags, script], {
    env: { ...(app !== 'code-sandbox' && { NODE_COMPILE_CACHE: COMPILE_CACHE_DIR }), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (written += chunk));
  const exited = new Promise<Exit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  const ready = untilReady(child, exited, () => written);
  ready.catch(() => undefined); // prevents an unhandled rejection: callers that wait for `ready` still get it
  return {
    pid: child.pid ?? 0,
    output: () => written,
    exited,
    ready,
    kill: (signal = 'SIGKILL') => void child.kill(signal),
    stop: async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}

async function untilReady(child: ChildProcess, exited: Promise<Exit>, written: () => string): Promise<void> {
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  const ready = new Promise<void>((resolve) =>
    child.on('message', (message: { type?: string }) => {
      if (message.type === 'ready') resolve();
    }),
  );
  const failed = exited.then(({ code, signal }) => {
    throw new Error(`the process ended (code ${code}, signal ${signal}) before it was ready: ${written()}`);
  });
  try {
    await Promise.race([ready, failed]);
  } finally {
    clearTimeout(timer);
  }
}
