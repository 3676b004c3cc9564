import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { StreamPublisher } from '@weir/messaging';
import { Health, Metrics } from '@weir/service-kit';
import { eventBatch, freeLeases, loseLeases, trackEvent, until, useDatabase, useNats } from '@weir/testing';
import { CollectorMetrics } from '../src/collector/collector.metrics.js';
import { CollectorService } from '../src/collector/collector.service.js';
import { DeadLetterRepository } from '../src/collector/dead-letter.repository.js';
import type { FlushService, PreparedFlush } from '../src/collector/flush.service.js';
import { migrations } from '../src/migrations/index.js';
import { accept, flushesOf } from './running-schemas.js';

const database = useDatabase('schemas', migrations);
const nats = useNats();
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Much longer than a flush of one event takes. */
const A_WHILE_MS = 500;

it('counts nothing under a lease that was lost after the pull: the next owner does', async () => {
  const flushes = flushesOf(database.dataSource);
  let prepared = 0;
  let letGo = () => {};
  const first = new Promise<void>((done) => {
    letGo = done;
  });
  const committed: string[] = [];
  let owner = 'nobody';
  const watched = {
    prepare: async (...args: Parameters<FlushService['prepare']>) => {
      prepared += 1;
      if (prepared === 1) await first;
      return flushes.prepare(...args);
    },
    commit: (flush: PreparedFlush) => {
      committed.push(owner);
      return flushes.commit(flush);
    },
  } as FlushService;
  const metrics = new Metrics('collector');
  const collector = new CollectorService(
    nats.connection,
    database.dataSource,
    watched,
    new DeadLetterRepository(),
    new CollectorMetrics(metrics),
    metrics,
    new Health(),
  );
  collector.onApplicationBootstrap();
  stops.push(() => collector.onModuleDestroy());
  const batch = eventBatch({ writeKey: 'wk', events: [trackEvent({ userId: 'ada' })] });
  await accept(new StreamPublisher(nats.connection), batch);
  await until('the collector to count', () => prepared === 1);
  await loseLeases(database.dataSource, 'collector');
  letGo();
  await delay(A_WHILE_MS);
  owner = 'the next';
  await freeLeases(database.dataSource, 'collector');
  await until('the event to be counted', () => committed.length > 0);
  expect(committed).toEqual(['the next']);
});
