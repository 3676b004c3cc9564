import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PROCESSES } from '@weir/contracts';
import { type LocalStack, launchStack, removeStack } from '@weir/local';
import { freePort } from '@weir/local-servers';
import { api, type RecordingServer, recordingServer, until } from '@weir/testing';
import pg from 'pg';
import { countsOf, delivered, pipeline, Sender } from '../support/traffic.js';

/**
 * A built checkout of the release before. It then runs first, with its own launcher. Without it, this release runs first, and its
 * tables are moved back to where the release before kept them.
 */
const BEFORE = process.env['WEIR_TEST_BEFORE'];
const SECONDS = 3;
const START_MS = 120_000;
const SETTLE_MS = 90_000;

type Address = Parameters<typeof api>[0];

let dataDir: string;
let slow: RecordingServer;
let strict: RecordingServer;
let upgraded: LocalStack | undefined;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'weir-upgrade-'));
  [slow, strict] = [await recordingServer(), await recordingServer()];
});

afterAll(async () => {
  if (upgraded) await removeStack(upgraded);
  await Promise.all([slow.close(), strict.close()]);
}, START_MS);

/** Runs the release before while `work` uses it, and stops it. */
async function onReleaseBefore(work: (address: Address) => Promise<void>): Promise<void> {
  if (BEFORE) return onCheckout(BEFORE, work);
  const stack = await launchStack({ dataDir });
  await work(stack.address);
  // as the way back says: tables move while nobody uses them
  for (const name of PROCESSES.filter((process) => process.startsWith('delivery-service.'))) await stack.hold(name);
  const client = new pg.Client({ connectionString: stack.address.databaseUrl });
  await client.connect();
  const sql = new URL('../../../../deploy/postgres/move-delivery-back.sql', import.meta.url);
  await client.query(readFileSync(sql, 'utf8')).finally(() => client.end());
  await stack.stop();
}

async function onCheckout(folder: string, work: (address: Address) => Promise<void>): Promise<void> {
  const env = { PATH: process.env['PATH'], PORT: String(await freePort()), WEIR_DATA_DIR: dataDir };
  const launcher = spawn(process.execPath, ['deploy/local/dist/start.js'], { cwd: folder, env, stdio: 'pipe' });
  const exited = once(launcher, 'exit');
  let output = '';
  launcher.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await until('the release before to start', () => output.includes('Weir is ready'), START_MS);
  await work(addressIn(dataDir));
  launcher.kill('SIGTERM');
  await exited;
  await until('its database to stop', () => !existsSync(join(dataDir, 'postgres/postmaster.pid')), START_MS);
}

/** The address that a launcher wrote for shells. */
function addressIn(folder: string): Address {
  const lines = readFileSync(join(folder, 'env'), 'utf8').matchAll(/^export (\w+)='(.*)'$/gm);
  const values = Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]));
  const { BASE_URL = '', EMAIL = '', TOKEN = '', ADMIN_USER = '', ADMIN_PASSWORD = '' } = values;
  return { urls: [BASE_URL], email: EMAIL, accessToken: TOKEN, admin: { user: ADMIN_USER, password: ADMIN_PASSWORD } };
}

it(
  'an upgrade from the release before delivers every event that was accepted, and keeps what was not delivered',
  async () => {
    let sent: Sender | undefined;
    let strictId = '';
    await onReleaseBefore(async (address) => {
      const waiting = await pipeline(address, slow, 'waits');
      const refused = await pipeline(address, strict, 'refused');
      strictId = refused.destinationId;
      slow.answer({ status: 503 });
      strict.answer({ status: 422 });
      await api(address, { writeKey: refused.writeKey }).post('/v1/track', { userId: 'u1', event: 'Refused' });
      const listed = async () =>
        (await api(address).get('/v2/deliveries', { query: { destinationId: strictId } })).body.data.length === 1;
      await until('the dead letter', listed, SETTLE_MS);
      sent = new Sender(address, waiting.writeKey);
      await sent.sendFor('Sent before the upgrade', SECONDS);
      await sent.settled();
    });
    slow.clear();
    slow.answer({});
    strict.clear();
    strict.answer({});

    upgraded = await launchStack({ dataDir });
    const client = api(upgraded.address);
    const wanted = countsOf(sent?.acknowledged ?? new Map());
    expect(wanted).toEqual({ 'Sent before the upgrade': SECONDS * 100 });
    const arrived = () => JSON.stringify(countsOf(delivered(slow))) === JSON.stringify(wanted);
    await until('every event to arrive', arrived, SETTLE_MS).catch(() => undefined);
    expect(countsOf(delivered(slow))).toEqual(wanted);

    const { body } = await client.get('/v2/deliveries', { query: { destinationId: strictId } });
    expect(body.data).toMatchObject([{ status: 'dead', responseStatus: 422, eventName: 'Refused' }]);
    await client.post('/v2/deliveries/replay', { dryRun: false, destinationId: strictId });
    await until('the dead letter to be delivered', () => strict.requests.length === 1, SETTLE_MS);
  },
  2 * START_MS + 3 * SETTLE_MS,
);
