import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestMicroservice } from '@nestjs/common';
import { FetchUrl, type JsonObject, PurgeDeliveryUsers } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import {
  PatientRpcClient,
  type RecordingServer,
  recordingServer,
  startRpcApp,
  until,
  useDatabase,
  useNats,
  waitingForLocks,
} from '@weir/testing';
import { readConfig, readFetcherConfig } from '../src/config.js';
import { FetcherModule } from '../src/fetcher.module.js';
import { migrations } from '../src/migrations/index.js';
import { RequestsModule } from '../src/requests/requests.module.js';
import { lettersIn } from './letters.js';

// hooks run in order of definition, so the applications leave before their database and broker
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await server.close();
});
const database = useDatabase('delivery', migrations);
const nats = useNats();
const apps: INestMicroservice[] = [];
let rpc: RpcClient;
let server: RecordingServer;

beforeAll(async () => {
  const env = { NATS_URL: nats.url, EGRESS_ALLOW_CIDRS: '127.0.0.0/8' };
  apps.push(await startRpcApp(FetcherModule.register(readFetcherConfig(env)), 'delivery-service'));
  apps.push(
    await startRpcApp(RequestsModule.register(readConfig({ ...env, DATABASE_URL: database.url })), 'delivery-service'),
  );
  rpc = new PatientRpcClient(nats.connection);
  server = await recordingServer();
});
beforeEach(() => server.clear());

const workspaceId = newKsuid();

describe("user code's way out", () => {
  const fetch = (url: string, more: { method?: string; headers?: Record<string, string>; body?: string } = {}) =>
    rpc.send(FetchUrl, { workspaceId, url, ...more });

  it('sends and brings back', async () => {
    server.answer({ status: 201, body: { rate: 2 } });
    const more = { method: 'POST', headers: { 'x-a': '1' }, body: '{"q":1}' };
    const answer = await fetch(`${server.url}/rates?x=1`, more);
    expect(answer).toMatchObject({ url: `${server.url}/rates?x=1`, status: 201, body: '{"rate":2}' });
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(server.requests).toMatchObject([{ method: 'POST', path: '/rates?x=1', body: '{"q":1}' }]);
  });

  it('follows no redirect', async () => {
    server.answer({ status: 302, headers: { location: 'http://169.254.169.254/' } });
    expect(await fetch(server.url)).toMatchObject({ status: 302 });
  });

  it.each(['https://no-such-name.invalid/', 'https://intranet/', 'https://db.internal/', 'http://8.8.8.8:25/'])(
    'says the same about every name that it does not reach: %s',
    async (url) => {
      const message = 'The address cannot be resolved or is not allowed';
      await expect(fetch(url)).rejects.toMatchObject({ code: 'invalid', message });
    },
  );

  it.each([
    ['http://169.254.169.254/', '169.254.169.254'],
    ['https://10.1.2.3/', '10.1.2.3'],
    ['http://167838211/', '10.1.2.3'],
    ['http://[fd00::1]/', 'fd00::1'],
    ['http://[::ffff:10.1.2.3]/', '::ffff:a01:203'],
  ])('names the address that the URL itself holds: %s', async (url, address) => {
    const message = `blocked request to non-public address: ${address}`;
    await expect(fetch(url)).rejects.toMatchObject({ code: 'invalid', message });
  });

  it.each([
    ['not a url', 'invalid url, The URL cannot be read'],
    ['https://user:password@example.com/', 'invalid url, The URL must not hold a user name or password'],
  ])('says that %s is no URL for it', async (url, message) => {
    await expect(fetch(url)).rejects.toMatchObject({ code: 'invalid', message });
  });

  it.each([
    ['file:///etc/passwd', {}],
    ['not a url', {}],
    ['https://example.com/', { method: 'TRACE' }],
    ['https://example.com/', { headers: { Host: 'internal' } }],
  ])('refuses %s with %j', async (url, more) => {
    await expect(fetch(url, more)).rejects.toMatchObject({ code: 'invalid' });
  });

  it('never reaches the broker', async () => {
    await expect(fetch(`http://${new URL(nats.url).host}/`)).rejects.toMatchObject({ code: 'invalid' });
  });

  it('brings back at most 512 KiB', async () => {
    server.answer({ bodyBytes: 600_000 });
    await expect(fetch(server.url)).rejects.toMatchObject({ code: 'too_large' });
  });

  it('waits 2 s', async () => {
    server.answer({ hang: true });
    await expect(fetch(server.url)).rejects.toMatchObject({ code: 'timeout' });
  });
});

describe('a purge', () => {
  const letters = new Map<string, JsonObject>([
    ['by id', { type: 'track', userId: 'u1' }],
    ['by id as a number', { type: 'track', userId: 7 }],
    ['by former id', { type: 'alias', userId: 'other', previousId: 'u1' }],
    ['by trait', { type: 'identify', userId: 'other', traits: { email: 'a@b.c' } }],
    ['by trait in the context', { type: 'track', anonymousId: 'x', context: { traits: { email: 'a@b.c' } } }],
    ['somebody else', { type: 'identify', userId: 'u2', traits: { email: 'c@d.e' } }],
    ['with what PostgreSQL does not take', { type: 'track', userId: 'u3', event: 'a\0b' }],
  ]);

  it('removes the dead letters of the users in their workspace, twice as well as once', async () => {
    const repository = lettersIn(database.dataSource);
    const stranger = newKsuid();
    for (const owner of [workspaceId, stranger]) {
      for (const [eventKey, event] of letters) {
        const ids = { workspaceId: owner, destinationId: owner, sourceId: owner };
        const failure = { stage: 'delivery' as const, reason: 'gone', attempts: 1 };
        await repository.add([{ ...ids, ...failure, eventKey, event, receivedAt: new Date().toISOString() }]);
      }
    }
    const users = [{ userId: ' u1 ', email: 'a@b.c' }, { userId: '7' }, { userId: 'u1' }];
    for (let time = 0; time < 2; time += 1) await rpc.send(PurgeDeliveryUsers, { workspaceId, users });
    expect(await keysOf(workspaceId)).toEqual(['somebody else', 'with what PostgreSQL does not take']);
    expect(await keysOf(stranger)).toEqual([...letters.keys()]);
  });

  it('removes as many as there are, and those of ids that no index could hold', async () => {
    const [owner, userId] = [newKsuid(), 'x'.repeat(3_000)];
    const ids = { workspaceId: owner, destinationId: owner, sourceId: owner };
    const failure = { stage: 'delivery' as const, reason: 'gone', attempts: 1, receivedAt: new Date().toISOString() };
    const event = { type: 'track', userId };
    const repository = lettersIn(database.dataSource);
    await repository.add([{ ...ids, ...failure, eventKey: 'long', event }]);
    await database.dataSource.query(
      `INSERT INTO dead_letters (workspace_id, destination_id, source_id, event_key, stage, reason, attempts, event, match_keys,
                                 received_at)
       SELECT $1, $1, $1, n, 'delivery', 'gone', 1, '{}', '{userId=u1}', now() FROM generate_series(1, 12000) AS n`,
      [owner],
    );
    await rpc.send(PurgeDeliveryUsers, { workspaceId: owner, users: [{ userId: 'u1' }, { userId }] });
    expect(await keysOf(owner)).toEqual([]);
  });

  it('goes on when somebody else removes some of its rows meanwhile', async () => {
    const owner = newKsuid();
    await database.dataSource.query(
      `INSERT INTO dead_letters (workspace_id, destination_id, source_id, event_key, stage, reason, attempts, event, match_keys,
                                 received_at)
       SELECT $1, $1, $1, n, 'delivery', 'gone', 1, '{}', '{userId=u1}', now() FROM generate_series(1, 5001) AS n`,
      [owner],
    );
    const other = database.dataSource.createQueryRunner();
    await other.startTransaction();
    const found = `SELECT id FROM dead_letters WHERE workspace_id = $1 AND match_keys && '{userId=u1}' LIMIT 1`;
    await other.query(`DELETE FROM dead_letters WHERE id IN (${found})`, [owner]);
    const purged = rpc.send(PurgeDeliveryUsers, { workspaceId: owner, users: [{ userId: 'u1' }] });
    await until('the purge to wait for the other', async () => (await waitingForLocks(database.dataSource)) > 0);
    await other.commitTransaction();
    await other.release();
    await purged;
    expect(await keysOf(owner)).toEqual([]);
  });

  async function keysOf(owner: string): Promise<string[]> {
    const sql = 'SELECT event_key FROM dead_letters WHERE workspace_id = $1 ORDER BY id';
    const rows = await database.dataSource.query<{ event_key: string }[]>(sql, [owner]);
    return rows.map((row) => row.event_key);
  }
});
