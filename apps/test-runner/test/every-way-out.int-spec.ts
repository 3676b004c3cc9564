import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  credentialAad,
  type DestinationDefinition,
  type DestinationRecord,
  type DestinationTestResult,
  GetTestRun,
  type JsonObject,
  ListDefinitions,
  ListDeliveries,
  liveOutcomesSubject,
  type Role,
  secretValues,
  TestDestination,
} from '@weir/contracts';
import { Egress } from '@weir/egress';
import { RpcClient } from '@weir/messaging';
import { destinationAad, Metrics, newKsuid } from '@weir/service-kit';
import {
  holds,
  type RecordingServer,
  recordingServer,
  sampleConfig,
  sampleEvents,
  tracer,
  until,
  useDatabase,
  useNats,
} from '@weir/testing';
import { readConfig } from '../src/config.js';
import { migrations } from '../src/migrations/index.js';
import { RunnerModule } from '../src/runner.module.js';
import { DeliveryScene } from './delivery-scene.js';
import { startRpcApp } from './rpc-app.js';
import type { Code } from './stand-ins.js';

/** The value that code reads with `getCredential`. */
const CREDENTIAL = 'tracer-of-a-credential-81';
/** Kinds that do not use HTTP. Their own tests run them against servers. */
const NOT_BY_HTTP = ['KAFKA', 'NATS', 'POSTGRES', 'REDIS', 'S3'];
const SLOW_MS = 120_000;

// hooks run in order of definition, so the applications leave before their database and broker
afterAll(async () => {
  jest.restoreAllMocks();
  await scene.close();
  await app.close();
  await vendor.close();
});
const database = useDatabase('runner', migrations);
const nats = useNats();
let vendor: RecordingServer;
let scene: DeliveryScene;
let rpc: RpcClient;
let app: Awaited<ReturnType<typeof startRpcApp>>;
let definitions: DestinationDefinition[];
const logged: unknown[] = [];

/** Sends every request to one server, which echoes it. The rest of the egress is real. */
function leadToVendor(): void {
  const request = Egress.prototype.request;
  jest.spyOn(Egress.prototype, 'request').mockImplementation(function (this: Egress, wanted) {
    const { pathname, search } = new URL(wanted.url);
    const { host: _, ...headers } = wanted.headers ?? {};
    return request.call(this, { ...wanted, headers, url: `${vendor.url}${pathname}${search}` });
  });
}

const echo = (status: number) =>
  vendor.answer(({ method, path, headers, body }) => {
    const text = JSON.stringify({ method, path, headers, body });
    return {
      status,
      body: { message: `cannot do this: ${text}`, method, path, headers, body, query: encodeURIComponent(text) },
    };
  });

beforeAll(async () => {
  vendor = await recordingServer();
  leadToVendor();
  scene = new DeliveryScene(database, nats);
  app = await startRpcApp(RunnerModule.register(readConfig(scene.environment())));
  const record = (...parts: unknown[]) => void logged.push(parts.map(String).join(' '));
  Logger.overrideLogger({ log: record, warn: record, error: record, debug: record, verbose: record, fatal: record });
  rpc = new RpcClient(nats.connection);
  const known = await allDefinitions();
  definitions = known.filter(
    ({ name, config }) => !NOT_BY_HTTP.includes(name) && config.supportedMessageTypes['cloud'] !== undefined,
  );
}, SLOW_MS);
beforeEach(() => vendor.clear());
afterEach(() => {
  for (const secret of allSecrets()) expect(holds(logged, secret)).toBe(false);
});

async function allDefinitions(): Promise<DestinationDefinition[]> {
  const found: DestinationDefinition[] = [];
  let after: string | undefined;
  do {
    const page = await rpc.send(ListDefinitions, after === undefined ? {} : { after });
    found.push(...page.definitions);
    after = page.next;
  } while (after !== undefined);
  return found;
}

const configOf = (definition: DestinationDefinition) =>
  sampleConfig(definition, (path) => tracer(path, definition.name));
const secretsOf = (definition: DestinationDefinition) =>
  secretValues(configOf(definition), definition.config.secretKeys);
const allSecrets = () => definitions.flatMap(secretsOf);

function recordOf(definition: DestinationDefinition): DestinationRecord {
  const owner = { id: newKsuid(), workspaceId: scene.workspaceId };
  const sealedConfig = scene.sealer.seal(configOf(definition), destinationAad(owner));
  return { ...owner, name: definition.name, type: definition.name, enabled: true, sealedConfig };
}

const test = (destination: DestinationRecord, role: Role, stage = {}): Promise<DestinationTestResult> =>
  rpc.send(TestDestination, {
    ...{ workspaceId: scene.workspaceId, role, destination, message: sampleEvents(), force: false, details: true },
    stage: { dest_transform: true, send_to_destination: true, ...stage },
  });

describe('a test of every kind', () => {
  it.each([200, 401])(
    'shows secrets to nobody but admins, and keeps none, when the vendor repeats what it gets with %s',
    async (status) => {
      echo(status);
      const clear: string[] = [];
      for (const definition of definitions) {
        const destination = recordOf(definition);
        for (const role of ['read-only', 'read-write', 'admin'] as const) {
          const result = await test(destination, role);
          const run = await rpc.send(GetTestRun, { workspaceId: scene.workspaceId, id: result.details?.testId ?? '' });
          expect(JSON.stringify(run.result)).toContain('cannot do this');
          for (const secret of secretsOf(definition)) {
            expect([definition.name, role, holds(run, secret)]).toEqual([definition.name, role, false]);
            const isShown = holds(result, secret);
            if (role !== 'admin') expect([definition.name, role, isShown]).toEqual([definition.name, role, false]);
            else if (isShown) clear.push(definition.name);
          }
          expect(JSON.stringify(result.data)).toContain('cannot do this');
        }
      }
      // Guards against an empty test. Enough kinds must have payloads that contain a secret.
      expect(new Set(clear).size).toBeGreaterThanOrEqual(22);
      expect(vendor.requests.length).toBeGreaterThan(200);
      const rows = await database.dataSource.query('SELECT request::text, result::text FROM test_runs');
      for (const secret of allSecrets()) expect(holds(rows, secret)).toBe(false);
    },
    SLOW_MS,
  );
});

describe('live delivery of every kind', () => {
  it(
    'tells and keeps no secret of what a vendor repeats',
    async () => {
      echo(503);
      const told: string[] = [];
      nats.connection.subscribe(liveOutcomesSubject(scene.workspaceId), {
        callback: (_, message) => void told.push(message.string()),
      });
      for (const definition of definitions) await scene.connect(recordOf(definition));
      const deliverer = await scene.startDeliverer();
      await scene.accept(sampleEvents());
      const retrying = () => database.dataSource.query<JsonObject[]>('SELECT * FROM retrying_deliveries');
      await until('deliveries to be tried again', async () => (await retrying()).length >= definitions.length, SLOW_MS);
      const between = await retrying();
      echo(400);
      const ofVendors = async () => (await scene.letters()).filter(({ stage }) => stage === 'delivery');
      const isEnough = async () => (await ofVendors()).length >= definitions.length / 2;
      await until('what is refused to be kept', isEnough, SLOW_MS);
      const [letters, refused] = [await scene.letters(), await ofVendors()];
      expect(refused.some(({ reason }) => reason.includes('cannot do this'))).toBe(true);
      const listed = await rpc.send(ListDeliveries, { workspaceId: scene.workspaceId });
      const metrics = await deliverer.get(Metrics, { strict: false }).text();
      await until('outcomes to be told', () => told.join('').includes('cannot do this'));
      for (const secret of allSecrets()) {
        for (const way of [between, letters, listed, told, metrics, logged])
          expect([secret, holds(way, secret)]).toEqual([secret, false]);
      }
    },
    SLOW_MS,
  );
});

describe('a secret that code reads with getCredential', () => {
  beforeAll(() => {
    const sealedValue = scene.sealer.seal({ value: CREDENTIAL }, credentialAad(scene.workspaceId, 'crm'));
    const [createdAt, createdBy] = ['2026-01-01T00:00:00.000Z', 'a@example.com'];
    scene.standIns.credentials = [
      { key: 'crm', isSecret: true, sealedValue, createdBy, createdAt, updatedAt: createdAt },
    ];
    scene.standIns.logs = [`asks with ${btoa(`me:${CREDENTIAL}`)}`];
  });

  const code: Code = (event) => ({
    status: 'ok',
    outputs: [{ ...event, header: { authorization: `Signed ${btoa(`me:${CREDENTIAL}`)}` }, key: CREDENTIAL }],
  });

  it(
    'is shown to nobody but admins, and is not kept with a test',
    async () => {
      echo(401);
      const definition = definitions.find(({ name }) => name === 'WEBHOOK') as DestinationDefinition;
      const destination = recordOf(definition);
      scene.standIns.publish(scene.workspaceId, destination.id, code);
      for (const role of ['read-only', 'read-write', 'admin'] as const) {
        const result = await test(destination, role, { user_transform: true });
        const run = await rpc.send(GetTestRun, { workspaceId: scene.workspaceId, id: result.details?.testId ?? '' });
        expect(holds(run, CREDENTIAL)).toBe(false);
        expect([role, holds(result, CREDENTIAL)]).toEqual([role, role === 'admin']);
        expect(JSON.stringify(run.result)).toContain('cannot do this');
      }
    },
    SLOW_MS,
  );

  const OF_CODE = 'whose-event-code-changes';

  it(
    'is told by no delivery that a vendor refuses',
    async () => {
      vendor.answer(({ headers }) => ({ status: 400, body: { message: `who is ${headers['authorization']}` } }));
      const definition = definitions.find(({ name }) => name === 'WEBHOOK') as DestinationDefinition;
      const { id } = await scene.connect(recordOf(definition));
      scene.standIns.publish(scene.workspaceId, id, code);
      await scene.stopDeliverers();
      await scene.startDeliverer();
      await scene.accept([{ type: 'track', event: 'Known', userId: OF_CODE }]);
      const ofCode = async () =>
        (await scene.letters()).filter(
          ({ event: { userId }, reason }) => userId === OF_CODE && reason.includes('who is Signed'),
        );
      await until('what is refused to be kept', async () => (await ofCode()).length > 0, SLOW_MS);
      expect(holds(await ofCode(), CREDENTIAL)).toBe(false);
    },
    SLOW_MS,
  );

  it(
    'is told by no event at which the code failed',
    async () => {
      const userId = 'whose-event-code-refuses';
      const definition = definitions.find(({ name }) => name === 'WEBHOOK') as DestinationDefinition;
      const { id } = await scene.connect(recordOf(definition));
      const message = `no luck with ${btoa(`me:${CREDENTIAL}`)}`;
      scene.standIns.publish(scene.workspaceId, id, () => ({ status: 'error', error: { message } }));
      await scene.stopDeliverers();
      await scene.startDeliverer();
      await scene.accept([{ type: 'track', event: 'Known', userId }]);
      const ofCode = async () =>
        (await scene.letters()).filter(({ event, reason }) => event['userId'] === userId && reason.includes('no luck'));
      await until('what failed to be kept', async () => (await ofCode()).length > 0, SLOW_MS);
      expect(holds(await ofCode(), CREDENTIAL)).toBe(false);
    },
    SLOW_MS,
  );
});
