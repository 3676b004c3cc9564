import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '@weir/local-servers';
import { until } from '@weir/testing';

/** The distributions' packages put it into a folder that an ordinary user's PATH may lack. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
/** PgBouncer refuses to run as root. The user `nobody` exists everywhere. */
const NOBODY = 65_534;

/** Undefined if PgBouncer is not installed. */
export const findPgBouncer = (): string | undefined =>
  FOLDERS.map((folder) => join(folder, 'pgbouncer')).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/**
 * Starts PgBouncer in front of a server, as CloudNativePG's Pooler does: it shares connections by transaction, knows the roles by
 * asking the server, and drops what clients set at their start. Only the administrator keeps a session.
 */
export async function startPgBouncer(binary: string, adminUrl: string, poolSize: number) {
  const { hostname, port, username, password } = new URL(adminUrl);
  const folder = mkdtempSync(join(tmpdir(), 'weir-pgbouncer-'));
  const own = new URL(adminUrl);
  own.port = String(await freePort());
  const [users, config] = ['users.txt', 'pgbouncer.ini'].map((name) => join(folder, name)) as [string, string];
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(
    config,
    `[databases]
* = host=${hostname} port=${port}
[users]
${username} = pool_mode=session
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own.port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
auth_user = ${username}
auth_query = SELECT usename, passwd FROM pg_shadow WHERE usename = $1
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 1000
ignore_startup_parameters = extra_float_digits,options,statement_timeout,idle_in_transaction_session_timeout
`,
  );
  chmodSync(folder, 0o755);
  const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(binary, [config], { stdio: ['ignore', 'pipe', 'pipe'], ...identity });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  await until('PgBouncer to listen', () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${output}`);
    return answers(Number(own.port));
  });
  return { url: own.href, stop: () => stop(child, folder) };
}

const answers = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });

async function stop(child: ChildProcess, folder: string): Promise<void> {
  const ended = new Promise((done) => child.once('exit', done));
  if (child.exitCode === null && child.kill('SIGINT')) await ended;
  rmSync(folder, { recursive: true });
}
