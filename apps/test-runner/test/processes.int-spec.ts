import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { healthCall, type ProcessName } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { type ServiceProcess, startProcess, until, useDatabase, useNats } from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import { StandIns } from './stand-ins.js';

const database = useDatabase('runner', migrations);
const nats = useNats();
let standIns: StandIns;

beforeEach(() => {
  standIns = new StandIns(nats.connection);
});
afterEach(() => standIns.stop());

/** What the fetcher must do without. */
const secrets = () => ({ DATABASE_URL: database.url, WEIR_ENCRYPTION_KEY: randomBytes(32).toString('base64') });

it.each<[ProcessName, boolean]>([
  ['test-runner.main', true],
  ['test-runner.deliverer', true],
  ['test-runner.fetcher', false],
])('%s starts, becomes ready and stops when it is asked to', async (name, needsSecrets) => {
  const service: ServiceProcess = await startProcess(name, {
    NATS_URL: nats.url,
    ...(needsSecrets && secrets()),
  });
  const rpc = new RpcClient(nats.connection);
  await until('readiness', async () => (await rpc.send(healthCall(name), {})).ready);
  service.kill('SIGTERM');
  expect(await service.exited).toEqual({ code: 0, signal: null });
});
