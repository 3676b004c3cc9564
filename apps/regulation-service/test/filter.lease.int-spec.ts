import { afterEach, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { acceptedSubject } from '@weir/contracts';
import { EVENTS_ACCEPTED } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import { freeLeases, loseLeases, until, useDatabase, useNats } from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import type { Passage } from '../src/suppression/passage.js';
import { SuppressionService } from '../src/suppression/suppression.service.js';
import { newFilter, takeIn, track, untilFiltered } from './filter.fixtures.js';
import { pepper } from './fixtures.js';

const db = useDatabase('regulation', migrations);
const nats = useNats();
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Suppressions whose first answer waits until `letGo` is called. */
class HeldUp extends SuppressionService {
  asked = 0;
  letGo: () => void = () => undefined;
  private readonly first = new Promise<void>((done) => {
    this.letGo = done;
  });

  override async lookUp(passages: Iterable<Passage>) {
    this.asked += 1;
    if (this.asked === 1) await this.first;
    return super.lookUp(passages);
  }
}

const epochOf = async (source: { workspaceId: string; sourceId: string }) => {
  const { streams } = await jetstreamManager(nats.connection);
  const message = await streams.getMessage(EVENTS_ACCEPTED, { last_by_subj: acceptedSubject(source) });
  return Number(message?.header?.get('Weir-Epoch'));
};

it('passes nothing on under a lease that was lost after the pull: the next owner does', async () => {
  const suppressions = new HeldUp(db.dataSource, pepper);
  const { service } = newFilter(nats.connection, db.dataSource, suppressions);
  service.onApplicationBootstrap();
  stops.push(() => service.onModuleDestroy());
  const source = { workspaceId: newKsuid(), sourceId: newKsuid() };
  await takeIn(nats.connection, source, track('ada'));
  await until('the filter to judge', () => suppressions.asked === 1);
  await loseLeases(db.dataSource, 'filter');
  const [{ epoch }] = await db.dataSource.query(`SELECT max(epoch)::int AS epoch FROM leases WHERE role = 'filter'`);
  suppressions.letGo();
  await freeLeases(db.dataSource, 'filter');
  await untilFiltered(nats.connection);
  expect(suppressions.asked).toBeGreaterThan(1);
  // a batch published by an earlier owner would be there already, and the broker would have dropped this one
  expect(await epochOf(source)).toBeGreaterThan(epoch);
});
