import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { INestMicroservice } from '@nestjs/common';
import {
  type DestinationRecord,
  type DestinationTestResult,
  type JsonObject,
  type RequestInputOf,
  TestDestination,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { destinationAad, newKsuid, Sealer } from '@weir/service-kit';
import {
  destinationRecord,
  PatientRpcClient,
  type RecordingServer,
  recordingServer,
  StandIns,
  startRpcApp,
  type TestDatabase,
  type TestNats,
  useDatabase,
  useNats,
} from '@weir/testing';
import { readConfig } from '../src/config.js';
import { SCHEMA } from '../src/schema.js';
import { TestRunnerModule } from '../src/test-runner.module.js';

const KEY = randomBytes(32).toString('base64');
export const SECRET = 'Bearer s3cret-t0ken';
export const SEND = { dest_transform: true, send_to_destination: true };
export const ALL = { user_transform: true, ...SEND };
export const message = { type: 'track', event: 'Paid', userId: 'u1', properties: { total: 5 } };
export const workspaceId = newKsuid();

export type TestRequest = RequestInputOf<typeof TestDestination>;

/** Tests of one test, with a server to send to, another one, and stand-ins for the other services. */
export interface RunnerStage {
  server: RecordingServer;
  elsewhere: RecordingServer;
  standIns: StandIns;
}

export interface RunnerScene {
  database: TestDatabase;
  nats: TestNats;
  rpc(): RpcClient;
  webhook(config?: JsonObject, overrides?: Partial<DestinationRecord>): DestinationRecord;
  test(destination: DestinationRecord, request?: Partial<TestRequest>): Promise<DestinationTestResult>;
}

/** Runs the test runner for a file. Each test has servers and stand-ins of its own. */
export function useRunner(eachTest: (stage: RunnerStage) => void): RunnerScene {
  let app: INestMicroservice;
  let rpc: RpcClient;
  let stage: RunnerStage;
  // hooks run in order of definition, so the application leaves before its database and broker
  afterAll(() => app.close());
  const database = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
  const nats = useNats();
  beforeAll(async () => {
    const config = readConfig({
      NATS_URL: nats.url,
      DATABASE_URL: database.url,
      WEIR_ENCRYPTION_KEY: KEY,
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    });
    app = await startRpcApp(TestRunnerModule.register(config), 'test-runner');
    rpc = new PatientRpcClient(nats.connection);
  });
  beforeEach(async () => {
    const [server, elsewhere] = [await recordingServer(), await recordingServer()];
    stage = { server, elsewhere, standIns: new StandIns(nats.connection) };
    eachTest(stage);
  });
  afterEach(async () => {
    stage.standIns.stop();
    await Promise.all([stage.server.close(), stage.elsewhere.close()]);
  });

  const webhook: RunnerScene['webhook'] = (config = {}, overrides = {}) => {
    const id = newKsuid();
    const headers = [{ from: 'Authorization', to: SECRET }];
    const plain = { webhookUrl: `${stage.server.url}/hook`, webhookMethod: 'POST', headers, ...config };
    const sealedConfig = new Sealer(KEY).seal(plain, destinationAad({ workspaceId, id }));
    return destinationRecord({ id, workspaceId, name: 'My hook', sealedConfig, ...overrides });
  };
  const test: RunnerScene['test'] = (destination, request = {}) => {
    const asked = { workspaceId, role: 'admin' as const, destination, message, stage: ALL, force: false };
    return rpc.send(TestDestination, { ...asked, ...request });
  };
  return { database, nats, rpc: () => rpc, webhook, test };
}
