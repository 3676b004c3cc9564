import { afterEach, beforeEach } from '@jest/globals';
import type { INestApplicationContext, INestMicroservice } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EVENTS_ACCEPTED, ensureTopology, flushed, NATS, type RpcClient } from '@weir/messaging';
import {
  type ObjectStore,
  objectStore,
  PatientRpcClient,
  patientManager,
  startRpcApp,
  type TestDatabase,
  type TestNats,
  until,
} from '@weir/testing';
import { ArchivePurgeRepository } from '../src/archive/archive-purge.repository.js';
import type { ArchivedEvent } from '../src/archive/archived-event.js';
import { ArchiverModule } from '../src/archiver.module.js';
import { readArchiverConfig, readConfig } from '../src/config.js';
import { RequestsModule } from '../src/requests/requests.module.js';
import { DeliveryScene } from './delivery-scene.js';

/** Five years. Tests archive events of the past, and an archiver forgets what is too old when it starts. */
const RETENTION_DAYS = '1825';

/** A store, and any number of archivers beside a scene of deliveries. */
export class ArchiveScene {
  readonly deliveries: DeliveryScene;
  private readonly running: INestApplicationContext[] = [];
  private readonly answering: INestMicroservice[] = [];
  private readonly closing: (() => Promise<void>)[] = [];

  constructor(
    database: TestDatabase,
    private readonly nats: TestNats,
    readonly store: ObjectStore,
  ) {
    this.deliveries = new DeliveryScene(database, nats);
  }

  async startArchiver(env: Record<string, string> = {}): Promise<INestApplicationContext> {
    const config = readArchiverConfig({ ...this.environment(), ...env });
    @Module({ imports: [ArchiverModule.register(config)] })
    class Archiver {}
    const app = await NestFactory.createApplicationContext(Archiver, { logger: false });
    this.running.push(app);
    await flushed(app.get(NATS, { strict: false }));
    return app;
  }

  environment(): Record<string, string> {
    const { NATS_URL = '', DATABASE_URL = '' } = this.deliveries.environment();
    return {
      ...{ NATS_URL, DATABASE_URL, EGRESS_ALLOW_CIDRS: '127.0.0.0/8', ARCHIVE_SEGMENT_MS: '50' },
      ...{ ARCHIVE_BUCKET: 'archive', ARCHIVE_ENDPOINT: this.store.url, ARCHIVE_PREFIX: 'weir' },
      ...{ ARCHIVE_ACCESS_KEY_ID: 'key', ARCHIVE_SECRET_ACCESS_KEY: 'hush', ARCHIVE_RETENTION_DAYS: RETENTION_DAYS },
    };
  }

  /** Starts the process that answers requests, and returns a client of it. */
  async startRequests(env: Record<string, string> = {}): Promise<RpcClient> {
    const config = readConfig({ ...this.environment(), ...env });
    const app = await startRpcApp(RequestsModule.register(config), 'delivery-service');
    this.answering.push(app);
    app.get(ArchivePurgeRepository, { strict: false }).writesEndMs = 0;
    return new PatientRpcClient(this.nats.connection);
  }

  /** Resolves when everything that was accepted is archived. */
  async stored(): Promise<void> {
    const { consumers } = await patientManager(this.nats.connection);
    await until('everything to be archived', async () => {
      for await (const { name, num_pending, num_ack_pending } of consumers.list(EVENTS_ACCEPTED))
        if (name.startsWith('archiver-') && num_pending + num_ack_pending > 0) return false;
      return true;
    });
  }

  /** Lines that the archive holds of the scene's workspace, segment by segment. */
  archived(workspaceId = this.deliveries.workspaceId): ArchivedEvent[] {
    return this.store.lines<ArchivedEvent>(`weir/${workspaceId}/`);
  }

  /** The archivers that run in this process. */
  get archivers(): readonly INestApplicationContext[] {
    return this.running;
  }

  /** Runs when the scene closes, after everything else. */
  onClose(close: () => Promise<void>): void {
    this.closing.push(close);
  }

  async stopArchivers(): Promise<void> {
    await Promise.all(this.running.splice(0).map((app) => app.close()));
  }

  async stopRequests(): Promise<void> {
    await Promise.all(this.answering.splice(0).map((app) => app.close()));
  }

  async close(): Promise<void> {
    await this.stopArchivers();
    await this.stopRequests();
    await this.deliveries.close();
    await this.store.close();
    for (const end of this.closing) await end();
  }
}

/** Gives each test of the file its own store and scene, on a broker with an archive. */
export function eachTestArchives(database: TestDatabase, nats: TestNats, begin: (scene: ArchiveScene) => void): void {
  let scene: ArchiveScene | undefined;
  beforeEach(async () => {
    await ensureTopology(nats.connection, { archive: true });
    scene = new ArchiveScene(database, nats, await objectStore());
    begin(scene);
  });
  afterEach(async () => {
    await scene?.close();
    await (await patientManager(nats.connection)).streams.purge(EVENTS_ACCEPTED); // no collector reads it
    await ensureTopology(nats.connection);
  });
}

/** Numbers of archived events, in the order of the archive. */
export const numbersIn = (archived: readonly ArchivedEvent[]): unknown[] =>
  archived.map(({ event }) => (event['properties'] as { n?: unknown } | undefined)?.n);
