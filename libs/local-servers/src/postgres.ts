import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { messageOf, StackFault } from './fault.js';
import { withLog } from './logs.js';
import { chooseRunAs, findPostgres, giveTo, type RunAs } from './postgres-binary.js';
import { removeStaleLock } from './postgres-lock.js';
import type { Program } from './supervise.js';

const SUPERUSER = 'postgres';
const POLL_MS = 30;
/** A busy machine takes seconds for a session. */
const ANSWER_TIMEOUT_MS = 10_000;

export interface PostgresOptions {
  /** The cluster's folder, created if missing. Its parent must exist. */
  cluster: string;
  port: number;
  password: string;
  maxConnections: number;
  /** False trades safety from power loss for speed. For test clusters only. A killed process loses nothing either way. */
  durable: boolean;
  logFile: string;
}

export interface PostgresProgram extends Program {
  /** Superuser URL of the database `postgres`. */
  url: string;
}

/** Prepares the cluster and returns how to run its server. */
export function postgresProgram(options: PostgresOptions): PostgresProgram {
  const native = findPostgres();
  const runAs = chooseRunAs(native, join(options.cluster, '..'));
  if (!existsSync(options.cluster)) initialise(native, runAs, options);
  giveTo(runAs, options.cluster);
  assertMajorVersion(native, options.cluster);
  const url = `postgres://${SUPERUSER}:${options.password}@127.0.0.1:${options.port}/postgres`;
  return {
    name: 'postgres',
    url,
    guarded: true,
    logFile: options.logFile,
    spawn: () => {
      removeStaleLock(options.cluster);
      const [command = '', ...args] = [...runAs.prefix, join(native, 'bin/postgres'), ...serverArguments(options)];
      const place = { ...runAs.user, cwd: options.cluster, env: {} };
      return withLog(options.logFile, (log) =>
        spawn(command, args, { ...place, detached: true, stdio: ['ignore', log, log] }),
      );
    },
    ready: (_child, signal) => untilAnswering(url, signal),
    // SIGINT is PostgreSQL's fast stop: it ends sessions and writes a checkpoint.
    stopSignal: 'SIGINT',
  };
}

/** Works in a temporary folder and renames it, so that a kill never leaves half a cluster. */
function initialise(native: string, runAs: RunAs, { cluster, password }: PostgresOptions): void {
  const workshop = mkdtempSync(`${cluster}-new-`);
  chmodSync(workshop, 0o700);
  const passwordFile = join(workshop, 'password');
  const draft = join(workshop, 'cluster');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  mkdirSync(draft, { mode: 0o700 });
  giveTo(runAs, workshop);
  const flags = [
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
    '-A',
    'scram-sha-256',
    '-U',
    SUPERUSER,
    '--pwfile',
    passwordFile,
  ];
  const [command = '', ...args] = [...runAs.prefix, join(native, 'bin/initdb'), '-D', draft, ...flags];
  try {
    execFileSync(command, args, { ...runAs.user, cwd: workshop, env: {}, stdio: ['ignore', 'ignore', 'pipe'] });
    renameSync(draft, cluster);
  } catch (error) {
    throw new StackFault(`initdb failed: ${messageOf(error)}`);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

function assertMajorVersion(native: string, cluster: string): void {
  const has = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  const runs = readFileSync(join(native, 'share/postgresql/postgres.bki'), 'utf8').match(/^# PostgreSQL (\d+)/)?.[1];
  if (runs && has !== runs) {
    throw new StackFault(
      `${cluster} was made by PostgreSQL ${has} and this is ${runs}: move the data with pg_dump, or set WEIR_DATA_DIR to a new folder.`,
    );
  }
}

function serverArguments({ cluster, port, maxConnections, durable }: PostgresOptions): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: String(maxConnections),
    log_min_messages: 'warning',
    jit: 'off',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

async function untilAnswering(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ANSWER_TIMEOUT_MS });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await client.end().catch(() => undefined);
      await delay(POLL_MS);
    }
  }
}
