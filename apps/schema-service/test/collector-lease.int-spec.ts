import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { acceptedSubject } from '@weir/contracts';
import { StreamPublisher } from '@weir/messaging';
import { Backlog, Metrics } from '@weir/service-kit';
import {
  eventBatch,
  freeLeases,
  loseLeases,
  patientJetStream,
  trackEvent,
  until,
  useDatabase,
  useNats,
} from '@weir/testing';
import { CollectorMetrics } from '../src/collector/collector.metrics.js';
import { CollectorService } from '../src/collector/collector.service.js';
import type { FlushService, PreparedFlush } from '../src/collector/flush.service.js';
import { UnreadableRepository } from '../src/collector/unreadable.repository.js';
import { SCHEMA } from '../src/schema.js';
import { accept, flushesOf } from './running-schemas.js';

const database = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const nats = useNats();
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Much longer than a flush of one event takes. */
const A_WHILE_MS = 500;

/** A collector whose first flush waits until `letGo`, and that notes who wrote what: `owner` is set by the test. */
function heldUpCollector() {
  const scene = { prepared: 0, owner: 'nobody', written: [] as string[], letGo: () => {} };
  const first = new Promise<void>((done) => {
    scene.letGo = done;
  });
  const flushes = flushesOf(database.dataSource);
  const watched = {
    prepare: async (...args: Parameters<FlushService['prepare']>) => {
      scene.prepared += 1;
      if (scene.prepared === 1) await first;
      return flushes.prepare(...args);
    },
    commit: (flush: PreparedFlush) => {
      scene.written.push(`${scene.owner} counts`);
      return flushes.commit(flush);
    },
  } as FlushService;
  class WatchedRepository extends UnreadableRepository {
    override add(...args: Parameters<UnreadableRepository['add']>) {
      scene.written.push(`${scene.owner} lays aside`);
      return super.add(...args);
    }
  }
  const metrics = new Metrics('collector');
  const collector = new CollectorService(
    nats.connection,
    database.dataSource,
    watched,
    new WatchedRepository(),
    new CollectorMetrics(metrics),
    new Backlog(metrics),
  );
  collector.onApplicationBootstrap();
  stops.push(() => collector.onModuleDestroy());
  return scene;
}

/** The lease is lost after the pull and before the write. Later somebody owns it again. */
async function changeOwners(scene: ReturnType<typeof heldUpCollector>): Promise<void> {
  await until('the collector to count', () => scene.prepared === 1);
  await loseLeases(database.dataSource, 'collector');
  scene.letGo();
  await delay(A_WHILE_MS);
  scene.owner = 'the next';
  await freeLeases(database.dataSource, 'collector');
  await until('the message to be settled', () => scene.written.length > 0);
}

it('counts nothing under a lease that was lost after the pull: the next owner does', async () => {
  const scene = heldUpCollector();
  const batch = eventBatch({ writeKey: 'wk', events: [trackEvent({ userId: 'ada' })] });
  await accept(new StreamPublisher(nats.connection), batch);
  await changeOwners(scene);
  expect(scene.written).toEqual(['the next counts']);
});

it('lays nothing aside under a lease that was lost after the pull: the next owner does', async () => {
  const scene = heldUpCollector();
  await patientJetStream(nats.connection).publish(acceptedSubject(eventBatch()), 'no batch');
  await changeOwners(scene);
  expect(scene.written).toEqual(['the next lays aside']);
});
