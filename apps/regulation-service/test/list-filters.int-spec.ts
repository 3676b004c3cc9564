import { describe, expect, it, jest } from '@jest/globals';
import { REGULATION_PAGE_SIZE, type RegulationFilter } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { useDatabase } from '@weir/testing';
import { OverdueDeletions } from '../src/deletion/task.repository.js';
import { RegulationEntity } from '../src/regulations/regulation.repository.js';
import { SCHEMA } from '../src/schema.js';
import { type Workspace, workspaceOf } from './fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const workspace = () => workspaceOf(db.dataSource);
const DESTINATION = { id: newKsuid(), type: 'WEBHOOK' };
const withDelete = { regulationType: 'suppress_with_delete' as const, destinations: [DESTINATION] };
const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ userId: `u${n}` }));

async function idsOf(of: Workspace, filter: RegulationFilter): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const { records, next } = await of.list(cursor, filter);
    ids.push(...records.map(({ id }) => id));
    cursor = next;
  } while (cursor);
  return ids;
}
const setStatus = (regulationId: string | undefined, status: string, where = 'true') =>
  db.dataSource.query(`UPDATE deletion_tasks SET status = $2 WHERE regulation_id = $1 AND ${where}`, [
    regulationId,
    status,
  ]);

describe('the filters of the list', () => {
  it('pick by user as events do, by type and by cancellation, and all together', async () => {
    const own = workspace();
    const ada = await own.createOne({ users: [{ userId: ' ada ' }] });
    const adaGone = await own.createOne({ users: [{ userId: 'ada' }], ...withDelete });
    const bob = await own.createOne({ users: [{ userId: 'Ada' }], ...withDelete });
    await own.cancel(adaGone);
    expect(await idsOf(own, { userId: 'ada ' })).toEqual([ada, adaGone]);
    expect(await idsOf(own, { userId: 'eve' })).toEqual([]);
    expect(await idsOf(own, { regulationType: 'suppress' })).toEqual([ada]);
    expect(await idsOf(own, { regulationType: 'suppress_with_delete' })).toEqual([adaGone, bob]);
    expect(await idsOf(own, { canceled: true })).toEqual([adaGone]);
    expect(await idsOf(own, { canceled: false })).toEqual([ada, bob]);
    expect(await idsOf(own, { canceled: false, userId: 'ada', regulationType: 'suppress' })).toEqual([ada]);
    expect(await idsOf(own, { canceled: false, userId: 'ada', regulationType: 'suppress_with_delete' })).toEqual([]);
    expect(await idsOf(workspace(), { userId: 'ada' })).toEqual([]);
  });

  it('pick by the status that the single record shows', async () => {
    const own = workspace();
    await own.create({});
    const ids = await own.create({ users: numbered(5), ...withDelete });
    await setStatus(ids[1], 'complete');
    await setStatus(ids[2], 'complete', "destination_id LIKE 'internal:%'");
    await setStatus(ids[3], 'complete', "destination_id LIKE 'internal:%'");
    await setStatus(ids[3], 'aborted', "destination_id NOT LIKE 'internal:%'");
    await own.cancel(ids[4] ?? '');
    const shown = await Promise.all(ids.map(async (id) => (await own.get(id)).deletion?.status));
    expect(shown).toEqual(['pending', 'complete', 'running', 'partial', 'canceled']);
    for (const [n, status] of shown.entries()) expect(await idsOf(own, status ? { status } : {})).toEqual([ids[n]]);
    expect(await idsOf(own, { status: 'failed' })).toEqual([]);
    expect(await idsOf(own, { status: 'pending', regulationType: 'suppress' })).toEqual([]);
  });

  it('leave the five fields of a regulation, unless details are asked for: those of the single record', async () => {
    const own = workspace();
    await own.create({});
    const [, complete] = await own.create({ users: numbered(2), ...withDelete });
    await setStatus(complete, 'complete');
    const { records } = await own.list();
    for (const one of records) expect(Object.keys(one)).toHaveLength(5);
    const listed = await own.details();
    expect(listed.map(({ deletion }) => deletion?.status)).toEqual([undefined, 'pending', 'complete']);
    const singles = await Promise.all(records.map(({ id }) => own.get(id)));
    expect(listed.map(({ createdAt }) => createdAt)).toEqual(singles.map(({ createdAt }) => createdAt));
  });

  it('hold over pages, and a cursor goes with them only', async () => {
    const own = workspace();
    const deletions = await own.create({ users: numbered(REGULATION_PAGE_SIZE + 1), ...withDelete });
    await own.create({ users: numbered(REGULATION_PAGE_SIZE + 1) });
    const filters: RegulationFilter[] = [{ regulationType: 'suppress_with_delete' }, { status: 'pending' }];
    for (const filter of filters) {
      const first = await own.list(undefined, filter);
      expect(first.records).toHaveLength(REGULATION_PAGE_SIZE);
      const second = await own.list(first.next, filter);
      expect([...first.records, ...second.records].map(({ id }) => id)).toEqual(deletions);
      expect(second.next).toBeUndefined();
      const refused = expect.objectContaining({ code: 'invalid' });
      await expect(own.list(first.next)).rejects.toEqual(refused);
      await expect(own.list(first.next, { ...filter, canceled: false })).rejects.toEqual(refused);
    }
  });

  it('by a rare status look at so many records a page, and still find it', async () => {
    const own = workspace();
    for (let n = 0; n < 3; n += 1) await own.create({ users: numbered(4_000), ...withDelete });
    const rare = await own.createOne(withDelete);
    await setStatus(rare, 'complete');
    const reads = jest.spyOn(db.dataSource.getRepository(RegulationEntity), 'find');
    const first = await own.list(undefined, { status: 'complete' });
    expect(first).toEqual({ records: [], next: expect.any(String) });
    const looked = (await Promise.all(reads.mock.results.map(({ value }) => value as Promise<object[]>))).flat();
    expect(looked).toHaveLength(10_000);
    expect(new Set(looked.flatMap(Object.keys))).toEqual(new Set(['id', 'seq']));
    expect((await own.list(first.next, { status: 'complete' })).records.map(({ id }) => id)).toEqual([rare]);
  });
});

describe('overdue deletions for whoever tells people', () => {
  it('are those older than a day at a destination, until they end or are with the vendor', async () => {
    const own = workspace();
    const ids = await Promise.all(numbered(2).map((user) => own.createOne({ users: [user], ...withDelete })));
    const overdue = async () =>
      (await new OverdueDeletions(db.dataSource).list([own.workspaceId, newKsuid()])).map(({ count }) => count);
    expect(await overdue()).toEqual([]);
    await db.dataSource.query(
      `UPDATE deletion_tasks SET created_at = now() - interval '25 hours' WHERE workspace_id = $1`,
      [own.workspaceId],
    );
    expect(await overdue()).toEqual([2]);
    await setStatus(ids[0], 'forwarded');
    expect(await overdue()).toEqual([1]);
    await setStatus(ids[1], 'complete');
    expect(await overdue()).toEqual([]);
  });
});
