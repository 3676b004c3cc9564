import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as tlsConnect } from 'node:tls';
import { freePort } from '@weir/testing';
import { Redis } from 'ioredis';
import type { Outbound, OutboundConnection } from '../src/kind.js';

/** Tests with a real server are skipped if none is installed. */
export const hasRedis = ((): boolean => {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

export interface RedisServer {
  address: string;
  port: number;
  client: Redis;
  stop(): Promise<void>;
}

/** A port found free may be taken before the server starts. A cluster also needs a second port that was not checked. */
const ATTEMPTS = 10;

/** A server for this test on a free port. It leaves nothing on disk. */
export async function startRedis(...options: string[]): Promise<RedisServer> {
  const dir = await mkdtemp(join(tmpdir(), 'weir-redis-'));
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const port = await freePort();
    const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', dir];
    const server = await listening([...settings, ...options]);
    if (!server) continue;
    const at = options.indexOf('--requirepass');
    const password = (at >= 0 && options[at + 1]) || undefined;
    const client = new Redis({ host: '127.0.0.1', port, ...(password !== undefined && { password }) });
    client.on('error', () => undefined);
    await client.ping();
    return { address: `127.0.0.1:${port}`, port, client, stop: () => stop(server, client, dir) };
  }
  throw new Error(`redis-server found no port in ${ATTEMPTS} attempts`);
}

/**
 * Resolves with the server once it reports that it listens, so that no other server is mistaken for it. Undefined if it could not
 * listen.
 */
function listening(settings: string[]): Promise<ChildProcess | undefined> {
  const server = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'ignore'] });
  return new Promise((resolve) => {
    let log = '';
    server.stdout.on('data', (chunk) => {
      log += chunk;
      if (log.includes('Ready to accept connections')) resolve(server);
    });
    server.once('exit', () => resolve(undefined));
  });
}

export interface OpenOutbound {
  outbound: Outbound;
  /** Targets, in order. */
  connections: OutboundConnection[];
  /** Every socket that was opened. */
  sockets: Socket[];
}

/** Connects like the outbound client, but without its guard. */
export function openOutbound(): OpenOutbound {
  const [connections, sockets]: [OutboundConnection[], Socket[]] = [[], []];
  const outbound: Outbound = {
    request: () => Promise.reject(new Error('not used')),
    connect: async (where) => {
      connections.push(where);
      const socket = await opened(where);
      sockets.push(socket);
      return socket;
    },
  };
  return { outbound, connections, sockets };
}

async function opened({ host, port, tls }: OutboundConnection): Promise<Socket> {
  const { skipVerify = false, ca } = typeof tls === 'object' ? tls : {};
  const trust = { rejectUnauthorized: !skipVerify, ...(ca !== undefined && { ca }) };
  const socket = tls ? tlsConnect({ host, port, ...trust }) : connect({ host, port });
  await once(socket, tls ? 'secureConnect' : 'connect');
  return socket;
}

async function stop(server: ChildProcess, client: Redis, dir: string): Promise<void> {
  client.disconnect();
  if (server.exitCode === null) {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
  await rm(dir, { recursive: true, force: true });
}
