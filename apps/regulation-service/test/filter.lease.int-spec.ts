import { afterEach, expect, it } from '@jest/globals';
import { rawSubject } from '@weir/contracts';
import { EVENTS_ACCEPTED, Lease, LeaseLostError, type StreamMessage } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import { freeLeases, loseLeases, patientManager, until, useDatabase, useNats } from '@weir/testing';
import { SCHEMA } from '../src/schema.js';
import { type Passage, SuppressionService } from '../src/suppression/suppression.service.js';
import { newFilter, takeIn, track, untilFiltered } from './filter.fixtures.js';
import { matchKeys } from './fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
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
  const { streams } = await patientManager(nats.connection);
  const message = await streams.getMessage(EVENTS_ACCEPTED, {
    last_by_subj: `events.accepted.*.*.${source.workspaceId}.${source.sourceId}`,
  });
  return Number(message?.header?.get('Weir-Epoch'));
};

it('passes nothing on under a lease that was lost after the pull: the next owner does', async () => {
  const suppressions = new HeldUp(db.dataSource, matchKeys);
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

it('lays nothing aside under a lease that is lost, because the next owner does', async () => {
  const { batches } = newFilter(nats.connection, db.dataSource);
  const laidAside = async () => (await db.dataSource.run(`SELECT FROM dead_letters`)).count;
  const text = 'no batch';
  const message = {
    subject: rawSubject({ workspaceId: newKsuid(), sourceId: newKsuid() }),
    sequence: 1,
    data: Buffer.from(text),
    text: () => text,
    json: () => JSON.parse(text),
    term: () => undefined,
  } as unknown as StreamMessage;
  const leaseFor = (heldMs: number) => new Lease({ slot: 0, epoch: 1 }, performance.now() + heldMs, async () => 2);
  await expect(batches.filter([message], leaseFor(0))).rejects.toThrow(LeaseLostError);
  expect(await laidAside()).toBe(0);
  await batches.filter([message], leaseFor(60_000));
  expect(await laidAside()).toBe(1);
});
