import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { ProcessName } from '@weir/contracts';
import { DEFAULT_APPS_DIR } from '@weir/local';

export interface ServiceProcess {
  pid: number;
  /** Everything that it wrote so far. */
  output(): string;
  /** Resolves with how it ended. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  kill(signal?: NodeJS.Signals): void;
  /** SIGTERM, and SIGKILL when it takes too long. */
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 20_000;
const STOP_GRACE_MS = 10_000;

/** Starts one built process (`npm run build`) with exactly this environment; resolves when it says that it is ready. */
export async function startProcess(process: ProcessName, env: Record<string, string>): Promise<ServiceProcess> {
  const [app = '', entry = ''] = process.split('.');
  return startScript(join(DEFAULT_APPS_DIR, app, 'dist', `${entry}.js`), env);
}

async function startScript(script: string, env: Record<string, string>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ['--enable-source-maps', script], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (written += chunk));
  const exited = new Promise<Awaited<ServiceProcess['exited']>>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  await untilReady(child, exited, () => written);
  return {
    pid: child.pid ?? 0,
    output: () => written,
    exited,
    kill: (signal = 'SIGKILL') => void child.kill(signal),
    stop: async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}

async function untilReady(child: ChildProcess, exited: Promise<unknown>, written: () => string): Promise<void> {
  const timer = setTimeout(() => child.kill('SIGKILL'), READY_TIMEOUT_MS);
  const ready = new Promise<void>((resolve) =>
    child.on('message', (message: { type?: string }) => {
      if (message.type === 'ready') resolve();
    }),
  );
  const failed = exited.then(() => Promise.reject(new Error(`the process was not ready: ${written()}`)));
  try {
    await Promise.race([ready, failed]);
  } finally {
    clearTimeout(timer);
  }
}
