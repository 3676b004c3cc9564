import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { useStack } from '@weir/local';
import { roleOf } from '@weir/local-servers';
import {
  api,
  patientManager,
  type RecordingServer,
  recordingServer,
  type ServiceProcess,
  startProcess,
  until,
  useTcpProxy,
} from '@weir/testing';
import pg from 'pg';

const FILTER = 'regulation-service.filter';
const STREAM = 'EVENTS_ACCEPTED';
/** Whole words, because an id may contain the letters of a name. */
const HERS = /\b(ada|hers|secret)\b/;

let nats: NatsConnection;
let database: pg.Client;
let hook: RecordingServer;
let lateFilter: ServiceProcess | undefined;

// Registered before the hooks of the stack, which stops even if clients are still connected.
afterAll(async () => {
  lateFilter?.kill();
  await Promise.all([nats.close(), database.end(), hook.close()]);
});
const stack = useStack();
const proxy = useTcpProxy(() => stack().address.natsUrl);

beforeAll(async () => {
  const { natsUrl, databaseUrl } = stack().address;
  const { host, username, password } = new URL(natsUrl);
  nats = await connect({ servers: host, user: decodeURIComponent(username), pass: decodeURIComponent(password) });
  database = new pg.Client(databaseUrl);
  await database.connect();
  hook = await recordingServer();
});
/** Starts another filter of the stack, with the proxy between it and the broker. */
function startLateFilter(): Promise<ServiceProcess> {
  const { dataDir, databaseUrl } = stack().address;
  const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'));
  const role = roleOf(new URL(databaseUrl).pathname.slice(1), 'regulation');
  const database = Object.assign(new URL(databaseUrl), { username: role, password: secrets.rolePasswords.regulation });
  const broker = Object.assign(new URL(proxy.url), { username: 'filter', password: secrets.natsUserPasswords.filter });
  return startProcess(FILTER, {
    DATABASE_URL: database.href,
    NATS_URL: broker.href,
    REGULATION_PEPPER: secrets.regulationPepper,
    LOG_LEVEL: 'warn',
  });
}

/** Number of messages in the accepted stream so far. */
const acceptedSoFar = async () => (await (await patientManager(nats)).streams.info(STREAM)).state.last_seq;

async function untilRead(): Promise<void> {
  const { consumers } = await patientManager(nats);
  const open = async () => {
    let count = 0;
    for await (const { num_pending, num_ack_pending } of consumers.list(STREAM)) count += num_pending + num_ack_pending;
    return count;
  };
  await until('collector and deliverer to have read everything', async () => (await open()) === 0);
}

async function pipeline() {
  const client = api(stack().address);
  const { source } = (await client.post('/v2/sources', { name: 'late', type: 'HTTP', enabled: true })).body;
  const config = { webhookUrl: `${hook.url}/hook`, deletionUrl: `${hook.url}/forget` };
  const { destination } = (
    await client.post('/v2/destinations', { name: 'late', type: 'WEBHOOK', enabled: true, config })
  ).body;
  await client.post('/v2/connections', { sourceId: source.id, destinationId: destination.id, enabled: true });
  return { client, writeKey: source.writeKey as string };
}

const delivered = () => JSON.stringify(hook.requests.filter(({ path }) => path === '/hook'));

/** The data that area D keeps of the source, and the totals of its models by name. */
async function collected(writeKey: string) {
  const area = api(stack().address, 'admin');
  const { body: models } = await area.get('/schemas/event-models', { query: { WriteKey: writeKey } });
  const kept: unknown[] = [];
  for (const { EventID } of models as { EventID: string }[]) {
    kept.push((await area.get(`/schemas/event-model/${EventID}/metadata`)).body);
    kept.push((await area.get('/schemas/event-versions', { query: { EventID } })).body);
  }
  const totals = (models as { EventIdentifier: string; TotalCount: number }[]).map(
    ({ EventIdentifier, TotalCount }) => [EventIdentifier, TotalCount],
  );
  return { totals: Object.fromEntries(totals), kept: JSON.stringify(kept) };
}

it('of a cut-off filter that lands after a deletion brings nothing of the user back, and loses nothing of others', async () => {
  const { client, writeKey } = await pipeline();
  const intake = api(stack().address, { writeKey });
  await stack().hold(FILTER);
  await intake.post('/v1/track', { userId: 'ada', event: 'Only hers', secret: 'hers' });
  await intake.post('/v1/batch', {
    batch: [
      { type: 'track', userId: 'ada', event: 'Shared', secret: 'hers' },
      { type: 'track', userId: 'bob', event: 'Shared' },
    ],
  });
  // The filter checks the events, but its publish does not arrive.
  await database.query('BEGIN');
  await database.query('LOCK TABLE regulation.suppressions IN ACCESS EXCLUSIVE MODE');
  lateFilter = await startLateFilter();
  const asks = () =>
    database.query(`SELECT FROM pg_locks WHERE NOT granted AND relation = 'regulation.suppressions'::regclass`);
  await until('the filter to judge', async () => ((await asks()).rowCount ?? 0) > 0);
  proxy.hold();
  await database.query('COMMIT');
  await until('its publish to wait', () => proxy.holds('Only hers'));
  lateFilter.kill();
  await lateFilter.exited;

  const regulation = { regulationType: 'suppress_with_delete', users: [{ userId: 'ada' }] };
  const [{ id }] = (await client.post('/v2/regulations', regulation)).body;
  await stack().resume(FILTER);
  const status = async () => (await client.get(`/v2/regulations/${id}`)).body.deletion?.status;
  await until('the deletion to end', async () => (await status()) === 'complete');
  await until('bob to be counted', async () => (await collected(writeKey)).totals['Shared'] === 1);

  // nothing suppresses her any more, so only the deletion keeps earlier events away
  await client.delete(`/v2/regulations/${id}`);
  const before = await acceptedSoFar();
  proxy.release();
  await until('the publish to land', async () => (await acceptedSoFar()) > before);
  await untilRead();
  await intake.post('/v1/track', { userId: 'bob', event: 'Afterwards' });
  await until('what came later', async () => 'Afterwards' in (await collected(writeKey)).totals);
  await until('its delivery', () => delivered().includes('Afterwards'));

  const { totals, kept } = await collected(writeKey);
  expect(totals).toEqual({ Shared: 1, Afterwards: 1 });
  expect(kept).not.toMatch(HERS);
  expect(delivered()).not.toMatch(HERS);
  expect(delivered()).toContain('Shared');
});
