import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect as connectNats } from '@nats-io/transport-node';
import { sharedStack } from '@weir/local';
import { type StandaloneServer, startNats, startPostgres } from '@weir/local-servers';
import { freePort, uniqueName, until } from '@weir/testing';
import pg from 'pg';
import { newTransformation } from './support/code.js';
import { connect, newSource, type Source, sendEvent } from './support/inventory.js';
import { made, newWorkspace, type Workspace } from './support/workspace.js';

const STOP_GRACE_MS = 3_000;

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
    expect(await until('the dead letter', dead)).toMatchObject({
      reason: 'The address of the destination cannot be resolved or is not allowed',
    });
  });
});

describe('an accepted event, transformed and through the pipeline,', () => {
  const MARK = `export function transformEvent(event) { return { ...event, seenBy: 'weir' }; }`;
  const folder = mkdtempSync(join(tmpdir(), 'weir-e2e-streams-'));
  const running: StandaloneServer[] = [];
  afterAll(async () => {
    for (const { server } of running) await server.stop(STOP_GRACE_MS);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts a server with a folder of its own for its files. */
  async function started(start: (folder: string) => Promise<StandaloneServer>): Promise<StandaloneServer> {
    const server = await start(mkdtempSync(join(folder, 'server-')));
    running.push(server);
    return server;
  }

  /** The messages that arrived at the destination, in order. */
  type Arrived = () => Sent[] | Promise<Sent[]>;
  interface Sent {
    event: string;
    seenBy?: string;
  }

  /** Sends two events of one user through code that is live to a destination of this kind, and resolves with what arrives. */
  async function sendThrough(type: string, config: object, arrived: Arrived): Promise<Sent[]> {
    const { source, destinationId } = await pipe(type, config);
    await newTransformation(own.writer, MARK, { destinationIds: [destinationId] });
    const send = (event: string) => sendEvent(source, 'track', { userId: 'ada', event, messageId: uniqueName(event) });
    await until('the code to be live', async () => {
      const before = (await arrived()).length;
      await send('Probe');
      await until('the probe', async () => (await arrived()).length > before);
      return (await arrived()).some(({ seenBy }) => seenBy);
    });
    for (const event of ['First', 'Second']) await send(event);
    return until('both events', async () => {
      const found = (await arrived()).filter(({ event }) => event !== 'Probe');
      return found.length === 2 && found;
    });
  }

  const wanted = [
    { event: 'First', seenBy: 'weir', userId: 'ada' },
    { event: 'Second', seenBy: 'weir', userId: 'ada' },
  ];

  it('is a message of NATS', async () => {
    const { url } = await started(startNats);
    const { host, username, password } = new URL(url);
    const client = await connectNats({ servers: host, user: username, pass: password });
    const heard: Sent[] = [];
    client.subscribe('shop.events', { callback: (_error, message) => void heard.push(message.json<Sent>()) });
    await client.flush();
    const config = { servers: host, subject: 'shop.events', username, password, jetStream: false };
    expect(await sendThrough('NATS', config, () => heard)).toMatchObject(wanted);
    await client.close();
  });

  it('is a row of PostgreSQL', async () => {
    const { url } = await started(startPostgres);
    const { hostname: host, port, username: user, password, pathname } = new URL(url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const rows = async () => {
      const table = await client.query(`SELECT to_regclass('weir_events') IS NOT NULL AS "isThere"`);
      const { rows: found } = table.rows[0].isThere
        ? await client.query<{ payload: Sent }>('SELECT payload FROM weir_events ORDER BY event')
        : { rows: [] };
      return found.map(({ payload }) => payload);
    };
    const config = { host, port, user, password, database: pathname.slice(1) };
    expect(await sendThrough('POSTGRES', config, rows)).toMatchObject(wanted);
    await client.end();
  });

  it('is a line of an object in a store of the S3 form', async () => {
    const lines: Sent[] = [];
    const store = createHttpServer(async (request, response) => {
      const bytes = await buffer(request);
      if (request.method === 'PUT') lines.push(...linesOf(bytes));
      response.setHeader('etag', '"done"').end();
    });
    await once(store.listen(0, '127.0.0.1'), 'listening');
    const { port } = store.address() as AddressInfo;
    const access = { bucketName: 'shop', accessKeyID: 'key', accessKey: 'secret' };
    const config = { ...access, endPoint: `127.0.0.1:${port}`, useSSL: false, s3ForcePathStyle: true };
    expect(await sendThrough('S3', config, () => lines)).toMatchObject(wanted);
    store.closeAllConnections();
    store.close();
  });
});

/** Parses gzipped JSON Lines. The client may send them in signed chunks, so the data begins at the gzip marker. */
function linesOf(body: Buffer): { event: string; seenBy?: string }[] {
  const text = gunzipSync(body.subarray(body.indexOf(Buffer.from([0x1f, 0x8b])))).toString();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

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
    await until('redis-server', () => isAnswering(port));
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
    await until('both users', () => ask('DBSIZE') === '2');
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
