import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  credentialAad,
  type DestinationDefinition,
  type DestinationRecord,
  type DestinationTestResult,
  GetTestRun,
  type Role,
  secretValues,
  TestDestination,
} from '@weir/contracts';
import { destinationDefinitions, destinationKind } from '@weir/destinations';
import { Egress } from '@weir/egress';
import { RpcClient } from '@weir/messaging';
import { destinationAad, newKsuid, Sealer } from '@weir/service-kit';
import {
  type Code,
  heardLog,
  holds,
  PatientRpcClient,
  StandIns,
  sampleConfig,
  sampleEvents,
  startRpcApp,
  tracer,
  useDatabase,
  useNats,
  type Vendor,
  vendorBehind,
} from '@weir/testing';
import { readConfig } from '../src/config.js';
import { SCHEMA } from '../src/schema.js';
import { TestRunnerModule } from '../src/test-runner.module.js';

/** The value that code reads with `getCredential`. */
const CREDENTIAL = 'tracer-of-a-credential-81';
/** Kinds that do not use HTTP. Their own tests run them against servers. */
const NOT_BY_HTTP = ['KAFKA', 'NATS', 'POSTGRES', 'REDIS', 'S3'];

/** Kinds that take live events over HTTP. */
const definitions = destinationDefinitions().filter(
  ({ name, config }) => !NOT_BY_HTTP.includes(name) && config.supportedMessageTypes['cloud'] !== undefined,
);

// hooks run in order of definition, so the applications leave before their database and broker
afterAll(async () => {
  standIns.stop();
  await app.close();
  await vendor.close();
});
const KEY = randomBytes(32).toString('base64');
const sealer = new Sealer(KEY);
const workspaceId = newKsuid();
const database = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const nats = useNats();
let vendor: Vendor;
let standIns: StandIns;
let rpc: RpcClient;
let app: Awaited<ReturnType<typeof startRpcApp>>;
let logged: string[];

beforeAll(async () => {
  vendor = await vendorBehind(Egress);
  standIns = new StandIns(nats.connection);
  const env = { NATS_URL: nats.url, DATABASE_URL: database.url, WEIR_ENCRYPTION_KEY: KEY };
  const config = readConfig({ ...env, EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  app = await startRpcApp(TestRunnerModule.register(config), 'test-runner');
  logged = heardLog();
  rpc = new PatientRpcClient(nats.connection);
});
beforeEach(() => vendor.clear());
afterEach(() => {
  for (const secret of allSecrets()) expect(holds(logged, secret)).toBe(false);
});

const configOf = (definition: DestinationDefinition) =>
  sampleConfig({ definition, example: destinationKind(definition.name)?.example ?? {} }, (path) =>
    tracer(path, definition.name),
  );
const secretsOf = (definition: DestinationDefinition) =>
  secretValues(configOf(definition), definition.config.secretKeys);
const allSecrets = () => definitions.flatMap(secretsOf);

function recordOf(definition: DestinationDefinition): DestinationRecord {
  const owner = { id: newKsuid(), workspaceId };
  const sealedConfig = sealer.seal(configOf(definition), destinationAad(owner));
  return { ...owner, name: definition.name, type: definition.name, enabled: true, sealedConfig };
}

const test = (destination: DestinationRecord, role: Role, stage = {}): Promise<DestinationTestResult> =>
  rpc.send(TestDestination, {
    ...{ workspaceId, role, destination, message: sampleEvents(), force: false, details: true },
    stage: { dest_transform: true, send_to_destination: true, ...stage },
  });

describe('a test of every kind', () => {
  it.each([200, 401])(
    'shows secrets to nobody but admins, and keeps none, when the vendor repeats what it gets with %s',
    async (status) => {
      vendor.echo(status);
      const clear: string[] = [];
      for (const definition of definitions) {
        const destination = recordOf(definition);
        for (const role of ['read-only', 'read-write', 'admin'] as const) {
          const result = await test(destination, role);
          const run = await rpc.send(GetTestRun, { workspaceId, id: result.details?.testId ?? '' });
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
  );
});

describe('a secret that code reads with getCredential', () => {
  beforeAll(() => {
    const sealedValue = sealer.seal({ value: CREDENTIAL }, credentialAad(workspaceId, 'crm'));
    const [createdAt, createdBy] = ['2026-01-01T00:00:00.000Z', 'a@example.com'];
    standIns.credentials = [{ key: 'crm', isSecret: true, sealedValue, createdBy, createdAt, updatedAt: createdAt }];
    standIns.logs = [`asks with ${btoa(`me:${CREDENTIAL}`)}`];
  });

  const code: Code = (event) => ({
    status: 'ok',
    outputs: [{ ...event, header: { authorization: `Signed ${btoa(`me:${CREDENTIAL}`)}` }, key: CREDENTIAL }],
  });

  it('is shown to nobody but admins, and is not kept with a test', async () => {
    vendor.echo(401);
    const definition = definitions.find(({ name }) => name === 'WEBHOOK') as DestinationDefinition;
    const destination = recordOf(definition);
    standIns.publish(workspaceId, destination.id, code);
    for (const role of ['read-only', 'read-write', 'admin'] as const) {
      const result = await test(destination, role, { user_transform: true });
      const run = await rpc.send(GetTestRun, { workspaceId, id: result.details?.testId ?? '' });
      expect(holds(run, CREDENTIAL)).toBe(false);
      expect([role, holds(result, CREDENTIAL)]).toEqual([role, role === 'admin']);
      expect(JSON.stringify(run.result)).toContain('cannot do this');
    }
  });
});
