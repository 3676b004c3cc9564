import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { healthCall } from '@weir/contracts';
import { PatientRpcClient, startProcess, until, useDatabase, useNats } from '@weir/testing';
import { SCHEMA } from '../src/schema.js';

const database = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const nats = useNats();

it('test-runner.main starts, becomes ready and stops when it is asked to', async () => {
  const key = randomBytes(32).toString('base64');
  const env = { NATS_URL: nats.url, DATABASE_URL: database.url, WEIR_ENCRYPTION_KEY: key };
  const service = await startProcess('test-runner.main', env);
  const rpc = new PatientRpcClient(nats.connection);
  await until('readiness', async () => (await rpc.send(healthCall('test-runner.main'), {})).ready);
  service.kill('SIGTERM');
  expect(await service.exited).toEqual({ code: 0, signal: null });
});
