import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Outbound, OutboundConnection } from '../src/kind.js';

/** Tests with a real server are skipped where none is installed. */
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

/** A server of the test's own, on a free port, with nothing on disk that stays. */
export async function startRedis(...options: string[]): Promise<RedisServer> {
  const [port, dir] = await Promise.all([freePort(), mkdtemp(join(tmpdir(), 'weir-redis-'))]);
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', dir, ...options];
  const server = spawn('redis-server', settings, { stdio: 'ignore' });
  const client = new Redis({ host: '127.0.0.1', port, retryStrategy: () => 50, maxRetriesPerRequest: 100 });
  client.on('error', () => undefined);
  const at = options.indexOf('--requirepass');
  if (at >= 0) client.options.password = options[at + 1] ?? '';
  await client.ping();
  return { address: `127.0.0.1:${port}`, port, client, stop: () => stop(server, client, dir) };
}

/** Connects like the way out does, without its guard, and notes where to. */
export function openOutbound(): { outbound: Outbound; connections: OutboundConnection[] } {
  const connections: OutboundConnection[] = [];
  const outbound: Outbound = {
    request: () => Promise.reject(new Error('not used')),
    connect: async (where) => {
      connections.push(where);
      const socket = connect({ host: where.host, port: where.port });
      await once(socket, 'connect');
      return socket;
    },
  };
  return { outbound, connections };
}

async function stop(server: ChildProcess, client: Redis, dir: string): Promise<void> {
  client.disconnect();
  if (server.exitCode === null) {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
  await rm(dir, { recursive: true, force: true });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}
