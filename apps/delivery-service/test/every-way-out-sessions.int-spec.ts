import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type JsonObject, ListDeliveries, liveOutcomesSubject, secretValues } from '@weir/contracts';
import { destinationDefinitions, destinationKind } from '@weir/destinations';
import { RpcClient } from '@weir/messaging';
import { destinationAad, Metrics, newKsuid } from '@weir/service-kit';
import {
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
} from '@weir/testing';
import { readConfig } from '../src/config.js';
import { migrations } from '../src/migrations/index.js';
import { RequestsModule } from '../src/requests/requests.module.js';
import { DeliveryScene } from './delivery-scene.js';

/** Secrets that the server is told in plain text, so that it can repeat them. */
const TOLD: Record<string, string> = {
  ...{ REDIS: 'password', NATS: 'password', POSTGRES: 'password', KAFKA: 'password', S3: 'accessKeyID' },
};

afterAll(async () => {
  await scene.close();
  await app.close();
  for (const { close } of servers.values()) await close();
});
const database = useDatabase('delivery', migrations);
const nats = useNats();
const servers = new Map<string, RepeatingServer>();
let scene: DeliveryScene;
let rpc: RpcClient;
let app: Awaited<ReturnType<typeof startRpcApp>>;
let logged: string[];

beforeAll(async () => {
  for (const [kind, open] of Object.entries(REPEATING_SERVERS)) servers.set(kind, await open());
  scene = new DeliveryScene(database, nats);
  app = await startRpcApp(RequestsModule.register(readConfig(scene.environment())), 'delivery-service');
  logged = heardLog();
  rpc = new PatientRpcClient(nats.connection);
});

function configOf(name: string): JsonObject {
  const { definition, example } = destinationKind(name) as NonNullable<ReturnType<typeof destinationKind>>;
  return { ...sampleConfig({ definition, example }, (path) => tracer(path, name)), ...servers.get(name)?.config };
}
const secretsOf = (name: string): string[] =>
  secretValues(configOf(name), destinationKind(name)?.definition.config.secretKeys ?? []);

describe('kinds that keep a connection, at servers that repeat what they are told', () => {
  it('are all here', () => {
    const kinds = destinationDefinitions().filter(({ name }) => destinationKind(name)?.open !== undefined);
    expect(kinds.map(({ name }) => name).sort()).toEqual(Object.keys(REPEATING_SERVERS).sort());
  });

  it('tell and keep no secret', async () => {
    const told: string[] = [];
    nats.connection.subscribe(liveOutcomesSubject(scene.workspaceId), {
      callback: (_, message) => void told.push(message.string()),
    });
    const names = [...servers.keys()];
    for (const name of names) {
      const owner = { id: newKsuid(), workspaceId: scene.workspaceId };
      const sealedConfig = scene.sealer.seal(configOf(name), destinationAad(owner));
      await scene.connect({ ...owner, name, type: name, enabled: true, sealedConfig });
    }
    const deliverer = await scene.startDeliverer();
    await scene.accept(sampleEvents());
    const retrying = () =>
      database.dataSource.query<JsonObject[]>('SELECT DISTINCT destination_id FROM retrying_deliveries');
    await until('each kind to be tried again', async () => (await retrying()).length === names.length);
    for (const name of names) {
      const secret = configOf(name)[TOLD[name] ?? ''];
      expect([name, holds(servers.get(name)?.heard ?? [], String(secret))]).toEqual([name, true]);
    }
    const between = await database.dataSource.query<JsonObject[]>('SELECT * FROM retrying_deliveries');
    const traced = () => database.dataSource.query<JsonObject[]>('SELECT step FROM traces');
    await until('steps to be traced', async () => (await traced()).length > 0);
    const traces = await traced();
    const listed = await rpc.send(ListDeliveries, { workspaceId: scene.workspaceId });
    const metrics = await deliverer.get(Metrics, { strict: false }).text();
    await until('outcomes to be told', () => told.length > 0);
    for (const secret of names.flatMap(secretsOf)) {
      for (const way of [between, traces, listed, told, metrics, logged])
        expect([secret, holds(way, secret)]).toEqual([secret, false]);
    }
  });
});
