import { afterEach, describe, expect, it } from '@jest/globals';
import { PARTITIONS, partitionOf } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { type ServiceProcess, startProcess, until, useDatabase, useNats } from '@weir/testing';
import { SCHEMA } from '../src/schema.js';
import { acceptedOf, numbersOf, type Source, takeIn, track, untilFiltered } from './filter.fixtures.js';
import { PEPPER, workspaceOf } from './fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const nats = useNats();
const processes: ServiceProcess[] = [];

async function start(): Promise<ServiceProcess> {
  const process = await startProcess('regulation-service.filter', {
    DATABASE_URL: db.url,
    NATS_URL: nats.url,
    REGULATION_PEPPER: PEPPER,
    LOG_LEVEL: 'info',
  });
  processes.push(process);
  return process;
}

/** Number of partitions that each living process owns. */
async function shares(): Promise<number[]> {
  const rows = await db.dataSource.query<{ owned: number }[]>(
    `SELECT count(*)::int AS owned FROM leases WHERE expires_at > now() GROUP BY owner ORDER BY owned`,
  );
  return rows.map(({ owned }) => owned);
}

/** One source per partition. */
function sourcesOf(workspaceId: string): Source[] {
  const byPartition = new Map<number, Source>();
  while (byPartition.size < PARTITIONS) {
    const source = { workspaceId, sourceId: newKsuid() };
    byPartition.set(partitionOf(workspaceId, source.sourceId), source);
  }
  return [...byPartition.values()];
}

afterEach(async () => {
  await Promise.all(processes.splice(0).map((process) => process.stop()));
});

describe('filter processes', () => {
  it('share the partitions; a kill in the middle of the traffic loses, reorders and leaks nothing', async () => {
    const workspace = workspaceOf(db.dataSource);
    const sources = sourcesOf(workspace.workspaceId);
    await workspace.create({ users: [{ userId: 'ada' }] });
    const [victim, survivor] = await Promise.all([start(), start()]);
    await until('a fair share', async () => (await shares()).join() === '8,8');
    for (let n = 0; n < 60; n += 1) {
      if (n === 25) victim.kill('SIGKILL');
      if (n === 40) await workspace.create({ users: [{ userId: 'bob' }] });
      await Promise.all(
        sources.map((source) => takeIn(nats.connection, source, track('ada', n), track('bob', n), track('eve', n))),
      );
    }
    await untilFiltered(nats.connection);
    for (const source of sources) {
      const batches = await acceptedOf(nats.connection, source);
      const seenOf = (userId: string) =>
        numbersOf(
          batches.map((batch) => ({ ...batch, events: batch.events.filter((event) => event['userId'] === userId) })),
        );
      expect(seenOf('ada')).toEqual([]);
      expect(seenOf('eve')).toEqual(Array.from({ length: 60 }, (_, n) => n));
      const bobs = seenOf('bob');
      expect(bobs).toEqual(Array.from({ length: bobs.length }, (_, n) => n));
      expect(bobs.length).toBeLessThanOrEqual(40);
    }
    expect(survivor.output()).not.toMatch(/"(ada|bob|eve)"/);
  });

  it('hand their partitions over at once when they are asked to stop', async () => {
    const workspace = workspaceOf(db.dataSource);
    const [source] = sourcesOf(workspace.workspaceId) as [Source];
    const [first] = await Promise.all([start(), start()]);
    await until('a fair share', async () => (await shares()).join() === '8,8');
    await first.stop();
    expect((await first.exited).code).toBe(0);
    expect(await shares()).toHaveLength(1); // no lease of the one that left has to run out
    await until('one owner', async () => (await shares()).join() === '16');
    await takeIn(nats.connection, source, track('eve', 1));
    await untilFiltered(nats.connection);
    expect(numbersOf(await acceptedOf(nats.connection, source))).toEqual([1]);
  });
});
