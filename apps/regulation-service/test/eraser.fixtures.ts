import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Kvm } from '@nats-io/kv';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import {
  type Call,
  type DestinationRecord,
  INVENTORY_BUCKET,
  inventoryKey,
  type JsonObject,
  PurgeDeliveryUsers,
  PurgeRunnerUsers,
  PurgeSchemaUsers,
} from '@weir/contracts';
import { type DestinationKind, destinationKind } from '@weir/destinations';
import { EgressByOwner } from '@weir/egress';
import { InventoryMirror } from '@weir/inventory';
import { type Database, destinationAad, Metrics, newKsuid, Sealer } from '@weir/service-kit';
import { destinationRecord, PatientRpcClient, patientJetStream } from '@weir/testing';
import { AnswerLeases } from '../src/answers/answer-leases.js';
import { BarrierService } from '../src/deletion/barrier.service.js';
import { DestinationDeletion } from '../src/deletion/destination-deletion.js';
import { ERASER_LIMITS, EraserService } from '../src/deletion/eraser.service.js';
import { InternalPurge } from '../src/deletion/internal-purge.js';
import { MendedDestinations } from '../src/deletion/mended-destinations.js';
import { TaskRunner } from '../src/deletion/task-runner.js';
import { ProgressSeal } from '../src/secrets/match-keys.js';
import { attributes, matchKeys } from './fixtures.js';

export const ENCRYPTION_KEY = randomBytes(32).toString('base64');
const sealer = new Sealer(ENCRYPTION_KEY);

interface EraserOptions {
  sendDeadlineMs?: number;
  /** The test's own kinds by type, in addition to the real ones. */
  kinds?: Record<string, DestinationKind>;
  limits?: Partial<typeof ERASER_LIMITS>;
  callMsMax?: number;
}

/** An eraser with all its dependencies, as its process builds it, but with shorter waits. */
export async function startEraser(
  nats: NatsConnection,
  dataSource: Database,
  { sendDeadlineMs = 0, kinds = {}, limits, callMsMax }: EraserOptions = {},
) {
  const inventory = new InventoryMirror(nats, { warn: () => undefined });
  const mended = new MendedDestinations(dataSource, inventory);
  await inventory.start();
  const egress = new EgressByOwner({ allowCidrs: ['127.0.0.0/8'], refuse: [] });
  const deletion = new DestinationDeletion(inventory, sealer, egress);
  deletion.kindOf = (type) => kinds[type] ?? destinationKind(type);
  deletion.callMsMax = callMsMax ?? deletion.callMsMax;
  const metrics = new Metrics('eraser');
  const runner = new TaskRunner(
    dataSource,
    attributes,
    new ProgressSeal(matchKeys),
    new InternalPurge(new PatientRpcClient(nats), dataSource),
    deletion,
    metrics,
  );
  const barriers = new BarrierService(dataSource, nats, new AnswerLeases(dataSource, nats));
  barriers.sendDeadlineMs = sendDeadlineMs;
  const eraser = new EraserService(dataSource, nats, barriers, runner, mended, metrics);
  eraser.limits = { ...ERASER_LIMITS, ...limits };
  eraser.onApplicationBootstrap();
  return {
    stop: async () => {
      await eraser.onModuleDestroy();
      inventory.stop();
      await egress.close();
    },
  };
}

/** Adds a destination to the inventory as the gateway does. */
export async function addDestination(
  nats: NatsConnection,
  workspaceId: string,
  config: JsonObject,
  type = 'WEBHOOK',
): Promise<DestinationRecord> {
  return putDestination(nats, { workspaceId, id: newKsuid() }, config, type);
}

/** Replaces a destination with another configuration. */
export async function putDestination(
  nats: NatsConnection,
  { workspaceId, id }: Pick<DestinationRecord, 'workspaceId' | 'id'>,
  config: JsonObject,
  type = 'WEBHOOK',
): Promise<DestinationRecord> {
  const sealedConfig = sealer.seal(config, destinationAad({ workspaceId, id }));
  const record = destinationRecord({ workspaceId, id, type, sealedConfig });
  const bucket = await new Kvm(patientJetStream(nats)).open(INVENTORY_BUCKET);
  await bucket.put(inventoryKey('destination', id), JSON.stringify(record));
  return record;
}

export async function removeDestination(nats: NatsConnection, id: string): Promise<void> {
  const bucket = await new Kvm(patientJetStream(nats)).open(INVENTORY_BUCKET);
  await bucket.delete(inventoryKey('destination', id));
}

/** A receiver that holds all requests until it is released, and answers at once afterwards. */
export async function holdingServer() {
  const held = new Set<ServerResponse>();
  let isReleased = false;
  const server = createServer((_request, response) => {
    if (isReleased) return void response.end();
    held.add(response);
    response.on('close', () => held.delete(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref(); // a test that fails before the release must not keep the process alive
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Number of requests waiting now. */
    held: () => held.size,
    release: async () => {
      isReleased = true;
      for (const response of held) response.end();
      server.close();
    },
  };
}

interface Purge {
  workspaceId: string;
  users: JsonObject[];
  purgeId: string;
  fence: number[];
}

/**
 * Stands in for the purges of schema service, test runner and delivery service: answers like them and records the calls. While `isDone` returns false,
 * the caller has to call again.
 */
export function answerPurges(
  nats: NatsConnection,
  calls: Call[] = [PurgeSchemaUsers, PurgeRunnerUsers, PurgeDeliveryUsers],
  isDone: (asked: number, purge: Purge) => boolean | { done: true; unreadable: number } = () => true,
) {
  const asked = new Map<string, Purge[]>(calls.map(({ subject }) => [subject, []]));
  const answering: Subscription[] = calls.map(({ subject }) =>
    nats.subscribe(subject, {
      callback: (_error, message) => {
        const { data, id } = message.json<{ data: Purge; id: string }>();
        const purges = asked.get(subject) ?? [];
        purges.push(data);
        const done = isDone(purges.length, data);
        message.respond(JSON.stringify({ id, response: typeof done === 'object' ? done : { done }, isDisposed: true }));
      },
    }),
  );
  const of = ({ subject }: Call, workspaceId: string) =>
    (asked.get(subject) ?? []).filter((purge) => purge.workspaceId === workspaceId);
  return {
    of,
    usersOf: (call: Call, workspaceId: string) => of(call, workspaceId).flatMap(({ users }) => users),
    stop: () => {
      for (const subscription of answering) subscription.unsubscribe();
    },
  };
}
