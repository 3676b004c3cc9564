import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { healthCall, type ProcessName } from '@weir/contracts';
import {
  launchProcess,
  PatientRpcClient,
  type ServiceProcess,
  StandIns,
  startProcess,
  until,
  useDatabase,
  useNats,
} from '@weir/testing';
import { migrations } from '../src/migrations/index.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();
let standIns: StandIns;

beforeEach(() => {
  standIns = new StandIns(nats.connection);
});
afterEach(() => standIns.stop());

/** Secrets that the fetcher must work without. */
const secrets = () => ({ DATABASE_URL: database.url, WEIR_ENCRYPTION_KEY: randomBytes(32).toString('base64') });

it.each<[ProcessName, boolean]>([
  ['delivery-service.main', true],
  ['delivery-service.deliverer', true],
  ['delivery-service.fetcher', false],
])('%s starts, becomes ready and stops when it is asked to', async (name, needsSecrets) => {
  const service: ServiceProcess = await startProcess(name, {
    NATS_URL: nats.url,
    ...(needsSecrets && secrets()),
  });
  const rpc = new PatientRpcClient(nats.connection);
  await until('readiness', async () => (await rpc.send(healthCall(name), {})).ready);
  service.kill('SIGTERM');
  expect(await service.exited).toEqual({ code: 0, signal: null });
});

it.each<ProcessName>(['delivery-service.main', 'delivery-service.deliverer'])(
  '%s stops as cleanly when it is asked to while it starts',
  async (name) => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const DATABASE_URL = `postgres://u:p@127.0.0.1:${port}/weir`;
    const service = launchProcess(name, { ...secrets(), NATS_URL: nats.url, DATABASE_URL });
    const [socket] = await once(silent, 'connection'); // now it waits for its database
    service.kill('SIGTERM');
    expect(await service.exited).toEqual({ code: 0, signal: null });
    await expect(service.ready).rejects.toThrow('before it was ready');
    socket.destroy();
    silent.close();
  },
);
