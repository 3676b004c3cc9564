import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  acceptedSubject,
  type DestinationRecord,
  deliverySubject,
  type EventBatch,
  type JsonObject,
  partitionOf,
  partitionOfBatch,
  type SourceRecord,
} from '@weir/contracts';
import { type InventoryMark } from '@weir/inventory';
import { DELIVERIES, flushed, NATS, partitionConsumer, STREAM_OF } from '@weir/messaging';
import { destinationAad, newKsuid, Sealer } from '@weir/service-kit';
import {
  connectionRecord,
  destinationRecord,
  eventBatch,
  patientJetStream,
  patientManager,
  putInventory,
  type RecordingServer,
  recordingServer,
  StandIns,
  sourceRecord,
  spreadBatches,
  type TestDatabase,
  type TestNats,
  trackEvent,
  until,
} from '@weir/testing';
import { readDelivererConfig } from '../src/config.js';
import { DelivererModule } from '../src/deliverer.module.js';

export const KEY = randomBytes(32).toString('base64');

export interface Letter {
  stage: string;
  reason: string;
  status: number | null;
  attempts: number;
  event: JsonObject;
}

/** A source with destinations, stand-ins for the other services, and any number of deliverers. */
export class DeliveryScene {
  readonly workspaceId = newKsuid();
  readonly sourceId = newKsuid();
  readonly sealer = new Sealer(KEY);
  readonly standIns: StandIns;
  private readonly running: INestApplicationContext[] = [];
  private readonly destinationIds: string[] = [];
  private readonly partitions: Set<number>;
  /** The inventory revision that an intake has seen. */
  private seen: InventoryMark = { revision: 0 };

  constructor(
    private readonly database: TestDatabase,
    private readonly nats: TestNats,
  ) {
    this.standIns = new StandIns(nats.connection);
    this.partitions = new Set([partitionOf(this.workspaceId, this.sourceId)]);
  }

  /** The deliverers that run in this process. */
  get deliverers(): readonly INestApplicationContext[] {
    return this.running;
  }

  async startDeliverer(env: Record<string, string> = {}): Promise<INestApplicationContext> {
    const config = readDelivererConfig({ ...this.environment(), ...env });
    @Module({ imports: [DelivererModule.register(config)] })
    class Deliverer {}
    const app = await NestFactory.createApplicationContext(Deliverer, { logger: false });
    this.running.push(app);
    await flushed(app.get(NATS, { strict: false }));
    return app;
  }

  environment(): Record<string, string> {
    return {
      NATS_URL: this.nats.url,
      DATABASE_URL: this.database.url,
      WEIR_ENCRYPTION_KEY: KEY,
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    };
  }

  /** Resolves when two deliverers hold half of the leases each. */
  async shared(): Promise<void> {
    const sql = `SELECT count(*)::int AS held FROM leases WHERE role = 'deliverer' AND owner IS NOT NULL GROUP BY owner`;
    await until('the leases to be shared', async () => {
      const shares = await this.database.dataSource.query<{ held: number }[]>(sql);
      return shares.length === 2 && shares.every(({ held }) => held === 8);
    });
  }

  /** Creates a connected webhook destination. */
  async webhook(url: string, overrides: Partial<DestinationRecord> = {}): Promise<DestinationRecord> {
    return this.connect(this.unconnected(url, overrides));
  }

  /** A webhook destination that is neither stored nor connected. */
  unconnected(url: string, overrides: Partial<DestinationRecord> = {}): DestinationRecord {
    const owner = { id: newKsuid(), workspaceId: this.workspaceId };
    const sealedConfig = this.sealer.seal({ webhookUrl: url }, destinationAad(owner));
    return destinationRecord({ ...owner, sealedConfig, ...overrides });
  }

  async connect(destination: DestinationRecord): Promise<DestinationRecord> {
    const { id: destinationId } = destination;
    await this.put(destination);
    this.destinationIds.push(destinationId);
    await this.connectSource(this.sourceId, destinationId);
    return destination;
  }

  /** Connects another source of the workspace to one of its destinations. */
  async connectSource(sourceId: string, destinationId: string): Promise<void> {
    const connection = connectionRecord({ workspaceId: this.workspaceId, sourceId, destinationId });
    this.seen = await putInventory(this.nats.connection, 'connection', connection);
  }

  async put(destination: DestinationRecord): Promise<void> {
    this.seen = await putInventory(this.nats.connection, 'destination', destination);
  }

  /** Publishes an accepted batch, as the filter does. */
  async accept(events: JsonObject[], overrides: Partial<EventBatch> = {}): Promise<EventBatch> {
    const { workspaceId, sourceId, seen } = this;
    const inventory = { inventoryRevision: seen.revision, inventoryBucket: seen.bucket };
    const batch = eventBatch({ workspaceId, sourceId, ...inventory, events, ...overrides });
    this.partitions.add(partitionOfBatch(batch));
    const options = { msgID: batch.batchId };
    await patientJetStream(this.nats.connection).publish(acceptedSubject(batch), JSON.stringify(batch), options);
    return batch;
  }

  /** Publishes the events of one request to the source, spread over this many partitions. */
  async acceptSpread(events: JsonObject[], partitions: number): Promise<EventBatch[]> {
    const { workspaceId, sourceId } = this;
    const parts = spreadBatches({ workspaceId, id: sourceId, partitions }, events);
    return Promise.all(parts.map(({ batchId, partition, events: own }) => this.accept(own, { batchId, partition })));
  }

  /** Tells the deliverers over how many partitions the source is spread. */
  async spread(partitions: number): Promise<SourceRecord> {
    const source = sourceRecord({ workspaceId: this.workspaceId, id: this.sourceId, partitions });
    this.seen = await putInventory(this.nats.connection, 'source', source);
    return source;
  }

  /** Resolves when no accepted batch waits in the log: each is done or in the queues of its destinations. */
  async routed(): Promise<void> {
    const isDone = async () =>
      (await this.routers()).every(({ num_pending, num_ack_pending }) => num_pending + num_ack_pending === 0);
    await until('everything to be routed', isDone);
  }

  /** Resolves when a router has pulled all accepted batches. */
  async pulled(): Promise<void> {
    await until('everything to be pulled', async () =>
      (await this.routers()).every(({ num_pending }) => num_pending === 0),
    );
  }

  /** The consumers of the partitions to which the scene published. */
  private async routers() {
    const { consumers } = await patientManager(this.nats.connection);
    const names = [...this.partitions].map((partition) => partitionConsumer('deliverer', partition));
    return Promise.all(names.map((name) => consumers.info(STREAM_OF.deliverer, name)));
  }

  /** Resolves when all accepted events are delivered or otherwise done. */
  async drained(): Promise<void> {
    await this.routed();
    const manager = await patientManager(this.nats.connection);
    await until('every delivery to be done', async () => {
      const { state } = await manager.streams.info(DELIVERIES, { subjects_filter: deliverySubject('*', '*') });
      const subjects = Object.keys(state.subjects ?? {});
      return !this.destinationIds.some((id) => subjects.some((subject) => subject.endsWith(id)));
    });
  }

  /** Messages that wait in the queues of a destination. */
  async queued(id: string): Promise<number> {
    const { streams } = await patientManager(this.nats.connection);
    const { state } = await streams.info(DELIVERIES, { subjects_filter: deliverySubject('*', id) });
    return Object.values(state.subjects ?? {}).reduce((sum, messages) => sum + messages, 0);
  }

  letters(): Promise<Letter[]> {
    const sql = 'SELECT stage, reason, status, attempts, event FROM dead_letters WHERE workspace_id = $1 ORDER BY id';
    return this.database.dataSource.query<Letter[]>(sql, [this.workspaceId]);
  }

  async stopDeliverers(): Promise<void> {
    await Promise.all(this.running.splice(0).map((app) => app.close()));
  }

  async close(): Promise<void> {
    await this.stopDeliverers();
    this.standIns.stop();
  }
}

interface Stage {
  scene: DeliveryScene;
  /** A server for its destinations. */
  server: RecordingServer;
}

/** Gives each test of the file its own scene and server, and closes them afterwards. */
export function eachTestOn(database: TestDatabase, nats: TestNats, begin: (stage: Stage) => void): void {
  let stage: Stage | undefined;
  beforeEach(async () => {
    stage = { scene: new DeliveryScene(database, nats), server: await recordingServer() };
    begin(stage);
  });
  afterEach(async () => {
    await stage?.scene.close();
    await stage?.server.close();
  });
}

/** An event that is recognised by its number. */
export const numbered = (n: number, userId = 'u1') => trackEvent({ userId, properties: { n } });

/** Numbers of the events that arrived at a path, in order. */
export const numbersAt = (server: RecordingServer, path: string): number[] =>
  server.requests
    .filter((request) => request.path === path)
    .map(({ json }) => (json as { properties: { n: number } }).properties.n);
