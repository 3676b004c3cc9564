import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedStack, uniqueName, until } from '@weir/testing';
import { connect, newSource, type Source, sendEvent } from './support/inventory.js';
import { made, newWorkspace, type Workspace } from './support/workspace.js';

/** Ten times what is promised: the machine of a test run is busy. */
const DELIVERED_TIMEOUT_MS = 20_000;

let own: Workspace;
beforeAll(async () => {
  own = await newWorkspace();
});

/** A source connected to a destination of this kind. */
async function pipe(type: string, config: object): Promise<{ source: Source; destinationId: string }> {
  const source = await newSource(own.writer);
  const body = { name: uniqueName('stream'), type, config };
  const { destination } = made(await own.writer.post('/v2/destinations', body));
  await connect(own.writer, source, destination);
  return { source, destinationId: destination.id };
}

describe('a destination at the address of Weir itself', () => {
  const { databaseUrl, natsUrl } = sharedStack();
  const [database, broker] = [new URL(databaseUrl), new URL(natsUrl)];

  it.each([
    ['POSTGRES', { host: database.hostname, port: database.port, database: 'postgres', user: 'postgres' }],
    ['NATS', { servers: broker.host, subject: 'events.raw' }],
    ['KAFKA', { hostName: database.host, topic: 'events' }],
    ['REDIS', { address: broker.host }],
  ])('%s gets nothing, although its network is open', async (type, config) => {
    const { source, destinationId } = await pipe(type, config);
    await sendEvent(source, 'identify', { userId: 'ada', traits: { plan: 'pro' }, messageId: uniqueName('event') });
    const dead = async () => {
      const { data } = made(await own.reader.get(`/v2/deliveries?destinationId=${destinationId}&status=dead`));
      return data[0];
    };
    expect(await until('the dead letter', dead, DELIVERED_TIMEOUT_MS)).toMatchObject({
      reason: 'The address of the destination cannot be resolved or is not allowed',
    });
  });
});

const hasRedis = ((): boolean => {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

(hasRedis ? describe : describe.skip)('a Redis destination (needs redis-server)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-e2e-redis-'));
  let server: ChildProcess;
  let port = 0;
  beforeAll(async () => {
    port = await freePort();
    const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder];
    server = spawn('redis-server', options, { stdio: 'ignore' });
    await until('redis-server', () => isAnswering(port), DELIVERED_TIMEOUT_MS);
  });
  afterAll(async () => {
    server.kill('SIGKILL');
    await once(server, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });
  const ask = (...words: string[]) =>
    execFileSync('redis-cli', ['-p', `${port}`, ...words])
      .toString()
      .trim();

  it('keeps the users of live events', async () => {
    const { source } = await pipe('REDIS', { address: `127.0.0.1:${port}`, prefix: 'shop' });
    for (const userId of ['ada', 'bob']) await sendEvent(source, 'identify', { userId, traits: { plan: 'pro' } });
    await until('both users', () => ask('DBSIZE') === '2', DELIVERED_TIMEOUT_MS);
    expect(ask('HGETALL', 'shop:user:ada')).toBe('plan\npro');
  });
});

function isAnswering(port: number): boolean {
  try {
    return execFileSync('redis-cli', ['-p', `${port}`, 'PING'], { stdio: 'pipe' })
      .toString()
      .includes('PONG');
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}
