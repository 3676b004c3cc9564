import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withLog } from './logs.js';
import { NATS_USER, type NatsConfigOptions, natsConfig } from './nats-config.js';
import type { Endpoint } from './ports.js';
import type { Program } from './supervise.js';

const POLL_MS = 20;
const GREETING_TIMEOUT_MS = 3_000;

export interface NatsOptions extends Omit<NatsConfigOptions, 'storeDir'> {
  /** The server's program, from `findNatsServer`. */
  binary: string;
  /** Holds configuration (0600) and JetStream's store. */
  folder: string;
  logFile: string;
}

export interface NatsProgram extends Program {
  /** URL of the unrestricted user. */
  url: string;
  /** URL of each user in `natsPermissions`. */
  userUrls: Record<string, string>;
}

export function natsProgram(options: NatsOptions): NatsProgram {
  const configFile = join(options.folder, 'nats-server.conf');
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  // Removes the file first, because `mode` applies only to new files.
  rmSync(configFile, { force: true });
  writeFileSync(configFile, natsConfig({ ...options, storeDir: join(options.folder, 'jetstream') }), { mode: 0o600 });
  const urlOf = (user: string, password: string) => `nats://${user}:${password}@127.0.0.1:${options.port}`;
  return {
    name: options.cluster?.serverName ?? 'nats-server',
    url: urlOf(NATS_USER, options.password),
    userUrls: Object.fromEntries(
      Object.entries(options.userPasswords).map(([user, password]) => [user, urlOf(user, password)]),
    ),
    guarded: true,
    logFile: options.logFile,
    spawn: () =>
      withLog(options.logFile, (log) =>
        spawn(options.binary, ['-c', configFile], { detached: true, env: {}, stdio: ['ignore', log, log] }),
      ),
    ready: (_child, signal) => untilGreeting({ host: '127.0.0.1', port: options.port }, signal),
    stopSignal: 'SIGINT',
  };
}

async function untilGreeting(endpoint: Endpoint, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await greets(endpoint))) await delay(POLL_MS);
}

/** Whether a NATS server answers there. It greets with INFO once JetStream has recovered its store. */
export function greets(endpoint: Endpoint): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...endpoint, timeout: GREETING_TIMEOUT_MS });
    const answer = (greeted: boolean) => {
      socket.destroy();
      resolve(greeted);
    };
    socket.once('data', (data) => answer(data.toString('latin1').startsWith('INFO ')));
    socket.once('error', () => answer(false));
    socket.once('timeout', () => answer(false));
    socket.once('close', () => answer(false));
  });
}
