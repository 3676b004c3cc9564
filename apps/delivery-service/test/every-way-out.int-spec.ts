import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  credentialAad,
  type DestinationDefinition,
  type DestinationRecord,
  type JsonObject,
  ListDeliveries,
  liveOutcomesSubject,
  secretValues,
} from '@weir/contracts';
import { destinationDefinitions, destinationKind } from '@weir/destinations';
import { Egress } from '@weir/egress';
import { RpcClient } from '@weir/messaging';
import { destinationAad, Metrics, newKsuid } from '@weir/service-kit';
import {
  type Code,
  heardLog,
  holds,
  PatientRpcClient,
  REPEATING_SERVERS,
  type RepeatingServer,
  sampleConfig,
  sampleEvents,
  startRpcApp,
  tracer,
  until,
  useDatabase,
  useNats,
  type Vendor,
  vendorBehind,
} from '@weir/testing';
import { readConfig } from '../src/config.js';
import { migrations } from '../src/migrations/index.js';
import { RequestsModule } from '../src/requests/requests.module.js';
import { DeliveryScene } from './delivery-scene.js';

/** The value that code reads with `getCredential`. */
const CREDENTIAL = 'tracer-of-a-credential-81';
/** Kinds that take live events. */
const definitions = destinationDefinitions().filter(
  ({ config }) => config.supportedMessageTypes['cloud'] !== undefined,
);
/** Kinds that try again after a refusal, because their owner may mend its cause. */
const keepsSession = (name: string) => destinationKind(name)?.open !== undefined;

// hooks run in order of definition, so the applications leave before their database and broker
afterAll(async () => {
  await scene.close(); // first, because deliveries still go on, and would then leave for the real vendors
  await app.close();
  await vendor.close();
  for (const { close } of servers.values()) await close();
});
const database = useDatabase('delivery', migrations);
const nats = useNats();
let vendor: Vendor;
/** Servers of the kinds that keep a session. */
const servers = new Map<string, RepeatingServer>();
let scene: DeliveryScene;
let rpc: RpcClient;
let app: Awaited<ReturnType<typeof startRpcApp>>;
let logged: string[];

beforeAll(async () => {
  vendor = await vendorBehind(Egress);
  for (const [name, open] of Object.entries(REPEATING_SERVERS)) servers.set(name, await open());
  scene = new DeliveryScene(database, nats);
  app = await startRpcApp(RequestsModule.register(readConfig(scene.environment())), 'delivery-service');
  logged = heardLog();
  rpc = new PatientRpcClient(nats.connection);
});
beforeEach(() => vendor.clear());
afterEach(() => {
  for (const secret of allSecrets()) expect(holds(logged, secret)).toBe(false);
});

const configOf = (definition: DestinationDefinition) => ({
  ...sampleConfig({ definition, example: destinationKind(definition.name)?.example ?? {} }, (path) =>
    tracer(path, definition.name),
  ),
  ...servers.get(definition.name)?.config,
});
const secretsOf = (definition: DestinationDefinition) =>
  secretValues(configOf(definition), definition.config.secretKeys);
const allSecrets = () => definitions.flatMap(secretsOf);

function recordOf(definition: DestinationDefinition): DestinationRecord {
  const owner = { id: newKsuid(), workspaceId: scene.workspaceId };
  const sealedConfig = scene.sealer.seal(configOf(definition), destinationAad(owner));
  return { ...owner, name: definition.name, type: definition.name, enabled: true, sealedConfig };
}

describe('live delivery of every kind', () => {
  it('has a server for each that keeps a session', () => {
    const withSession = definitions.map(({ name }) => name).filter(keepsSession);
    expect(withSession.sort()).toEqual([...servers.keys()].sort());
  });

  it('tells and keeps no secret of what a vendor repeats', async () => {
    vendor.echo(503);
    const told: string[] = [];
    nats.connection.subscribe(liveOutcomesSubject(scene.workspaceId), {
      callback: (_, message) => void told.push(message.string()),
    });
    const kindOf = new Map<string, string>();
    for (const definition of definitions) {
      const { id } = await scene.connect(recordOf(definition));
      kindOf.set(id, definition.name);
    }
    const deliverer = await scene.startDeliverer();
    await scene.accept(sampleEvents());
    const retrying = () => database.dataSource.query<JsonObject[]>('SELECT * FROM retrying_deliveries');
    const kindsIn = (rows: JsonObject[]) => new Set(rows.map((row) => kindOf.get(String(row['destination_id']))));
    await until('each kind to be tried again', async () => kindsIn(await retrying()).size === definitions.length);
    const between = await retrying();
    for (const [name, { heard }] of servers) {
      const told = tracer(name === 'S3' ? 'accessKeyID' : 'password', name);
      expect([name, holds(heard, told)]).toEqual([name, true]);
    }
    vendor.echo(400);
    const refused = async () => {
      const sql = `SELECT DISTINCT destination_id AS id FROM dead_letters WHERE stage = 'delivery' AND reason LIKE '%cannot do this%'`;
      const rows = await database.dataSource.query<{ id: string }[]>(sql);
      return rows.map(({ id }) => kindOf.get(id));
    };
    const names = definitions
      .map(({ name }) => name)
      .filter((name) => !keepsSession(name))
      .sort();
    await until('each kind to be refused', async () => (await refused()).length >= names.length).catch(() => undefined);
    expect((await refused()).sort()).toEqual(names);
    const letters = await scene.letters();
    const traced = () =>
      database.dataSource.query<JsonObject[]>(`SELECT step FROM traces WHERE step::text LIKE '%cannot do this%'`);
    await until('steps to be traced', async () => (await traced()).length > 0);
    const traces = await traced();
    const listed = await rpc.send(ListDeliveries, { workspaceId: scene.workspaceId });
    const metrics = await deliverer.get(Metrics, { strict: false }).text();
    await until('outcomes to be told', () => told.join('').includes('cannot do this'));
    for (const secret of allSecrets()) {
      for (const way of [between, letters, traces, listed, told, metrics, logged])
        expect([secret, holds(way, secret)]).toEqual([secret, false]);
    }
  });
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

  const OF_CODE = 'whose-event-code-changes';

  it('is told by no delivery that a vendor refuses', async () => {
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
    await until('what is refused to be kept', async () => (await ofCode()).length > 0);
    expect(holds(await ofCode(), CREDENTIAL)).toBe(false);
  });

  it('is told by no event at which the code failed', async () => {
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
    await until('what failed to be kept', async () => (await ofCode()).length > 0);
    expect(holds(await ofCode(), CREDENTIAL)).toBe(false);
  });
});
