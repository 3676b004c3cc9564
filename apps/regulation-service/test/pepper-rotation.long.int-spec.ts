import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { CreateRegulation, ListRegulations, RecallRegulation } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { PatientRpcClient, type ServiceProcess, startProcess, until, useDatabase, useNats } from '@weir/testing';
import { SCHEMA } from '../src/schema.js';
import { acceptedOf, numbersOf, takeIn, track, untilFiltered } from './filter.fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const nats = useNats();
const [OLD, NEW] = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString('base64')) as [string, string];
const NAMES = ['regulation-service.main', 'regulation-service.filter'] as const;
const processes = new Map<string, ServiceProcess>();

const source = { workspaceId: newKsuid(), sourceId: newKsuid() };
const rpc = () => new PatientRpcClient(nats.connection);
const start = (name: (typeof NAMES)[number], peppers: string) =>
  startProcess(name, { DATABASE_URL: db.url, NATS_URL: nats.url, REGULATION_PEPPER: peppers, LOG_LEVEL: 'info' });

/** Replaces one process after the other, as a rolling restart does. */
async function restartWith(peppers: string): Promise<void> {
  for (const name of NAMES) {
    const next = await start(name, peppers);
    await processes.get(name)?.stop();
    processes.set(name, next);
  }
}
const claimOf = (userId: string) => ({ key: userId, fingerprint: userId });
const suppress = (userId: string) =>
  rpc().send(CreateRegulation, {
    ...{ workspaceId: source.workspaceId, createdBy: 'ops@example.com', regulationType: 'suppress' as const },
    ...{ sourceIds: null, destinations: [], users: [{ userId }], idempotency: claimOf(userId) },
  });
const isFoundBy = async (userId: string) =>
  (await rpc().send(ListRegulations, { workspaceId: source.workspaceId, filter: { userId } })).records.length;
const keysOf = async (table: string) =>
  (await db.dataSource.query<{ key: string }[]>(`SELECT encode(user_key, 'hex') AS key FROM ${table} ORDER BY 1`)).map(
    ({ key }) => key,
  );
const peppers = async () => (await db.dataSource.query('SELECT FROM peppers')).length;

describe('a pepper', () => {
  // Inside this block, so that the processes stop before the database and the broker do.
  afterAll(() => Promise.all([...processes.values()].map((process) => process.stop())));

  it('is replaced while events flow, and no suppressed user gets through', async () => {
    let isFlowing = true;
    let sent = 0;
    /** Suppressed users in the order of their regulations. From then on none of their events may pass. */
    const suppressed: string[] = [];
    const flow = (async () => {
      while (isFlowing) {
        await takeIn(nats.connection, source, track('eve', sent), ...suppressed.map((userId) => track(userId, sent)));
        sent += 1;
      }
    })();
    const regulate = async (userId: string) => {
      const { ids } = await suppress(userId);
      suppressed.push(userId);
      return ids;
    };

    await restartWith(OLD);
    const adas = await regulate('ada');
    await restartWith(`${OLD},${NEW}`);
    await regulate('bob');
    const before = await keysOf('suppressions');
    await restartWith(`${NEW},${OLD}`);
    await regulate('cem');
    // A request that began before is still known, and so are users who were regulated before.
    const recalled = await rpc().send(RecallRegulation, {
      workspaceId: source.workspaceId,
      idempotency: claimOf('ada'),
    });
    expect(recalled.ids).toEqual(adas);
    expect([await isFoundBy('ada'), await isFoundBy('cem')]).toEqual([1, 1]);
    await until('everything to be under the new pepper', async () => (await peppers()) === 1);

    const after = await keysOf('suppressions');
    expect(after).toEqual(await keysOf('regulations'));
    expect(after).toHaveLength(3);
    expect(after.filter((key) => before.includes(key))).toEqual([]);
    await restartWith(NEW);
    expect([await isFoundBy('ada'), await isFoundBy('bob'), await isFoundBy('cem')]).toEqual([1, 1, 1]);
    isFlowing = false;
    await flow;
    await untilFiltered(nats.connection);
    const passed = await acceptedOf(nats.connection, source);
    const users = new Set(passed.flatMap(({ events }) => events.map(({ userId }) => userId)));
    expect([...users]).toEqual(['eve']);
    expect(numbersOf(passed)).toEqual(Array.from({ length: sent }, (_, n) => n));
  });

  it('that was replaced is refused from then on', async () => {
    await expect(start('regulation-service.filter', OLD)).rejects.toThrow('REGULATION_PEPPER lacks a pepper');
  });
});
