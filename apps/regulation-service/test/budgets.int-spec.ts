import { describe, expect, it } from '@jest/globals';
import { newKsuid } from '@weir/service-kit';
import { useDatabase } from '@weir/testing';
import { SCHEMA } from '../src/schema.js';
import { type Workspace, workspaceOf } from './fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const LIMITS = { suppression: 10, deletion: 12 };
const workspace = (limits = LIMITS, id = newKsuid()) => workspaceOf(db.dataSource, id, limits);
const users = (count: number) => Array.from({ length: count }, (_, n) => ({ userId: `u${n}` }));
const destinations = (count: number) => Array.from({ length: count }, () => ({ id: newKsuid(), type: 'WEBHOOK' }));
const limited = expect.objectContaining({ code: 'rate_limited' });

/** Counts rows about the workspace in every table. */
async function storedOf({ workspaceId }: Workspace): Promise<number[]> {
  const rows = await db.dataSource.query<{ n: number }[]>(
    `SELECT count(*)::int AS n FROM regulations WHERE workspace_id = $1
     UNION ALL SELECT count(*)::int FROM audit WHERE workspace_id = $1
     UNION ALL SELECT count(*)::int FROM deletion_tasks WHERE workspace_id = $1
     UNION ALL SELECT coalesce(sum(used), 0)::int FROM budgets WHERE workspace_id = $1
     UNION ALL SELECT count(*)::int FROM outbox WHERE payload::text LIKE '%' || $1 || '%'`,
    [workspaceId],
  );
  return rows.map(({ n }) => n);
}
const ageWindow = ({ workspaceId }: Workspace, minutes: number) =>
  db.dataSource.query(
    `UPDATE budgets SET window_started_at = window_started_at - $2 * interval '1 minute' WHERE workspace_id = $1`,
    [workspaceId, minutes],
  );

describe('the hourly budgets', () => {
  it('are said with every answer', async () => {
    const own = workspace();
    const left = (remaining: number) => ({ name: 'suppression', limit: 10, remaining, resetSeconds: 3_600 });
    expect((await own.post({ users: users(3) })).budgets).toEqual([left(7)]);
    expect((await own.post({ users: users(7) })).budgets).toEqual([{ ...left(0), resetSeconds: expect.any(Number) }]);
  });

  it('refuse as a whole what they do not cover; a smaller request still passes', async () => {
    const own = workspace();
    await own.create({ users: users(8) });
    const before = await storedOf(own);
    await expect(own.create({ users: users(3) })).rejects.toEqual(limited);
    expect(await storedOf(own)).toEqual(before);
    await own.create({ users: users(2) });
  });

  it('pay for every row: a user once for each source that is named, and once for all sources', async () => {
    const own = workspace();
    const sourceIds = Array.from({ length: 4 }, newKsuid);
    await expect(own.create({ users: users(3), sourceIds })).rejects.toEqual(
      expect.objectContaining({ code: 'too_large', message: expect.stringContaining('fewer users or sources') }),
    );
    const { budgets } = await own.post({ users: users(2), sourceIds: [...sourceIds, ...sourceIds] });
    expect(budgets).toMatchObject([{ remaining: 2 }]);
    await own.create({ users: users(2) });
  });

  it('are both drawn on by a deletion, and a refusal by one costs nothing of the other', async () => {
    const own = workspace();
    const erase = (people: number, places: number) =>
      own.post({ regulationType: 'suppress_with_delete', users: users(people), destinations: destinations(places) });
    const { budgets } = await erase(2, 4);
    expect(budgets?.map(({ name, remaining }) => [name, remaining])).toEqual([
      ['suppression', 8],
      ['deletion', 4],
    ]);
    const before = await storedOf(own);
    await expect(erase(1, 5)).rejects.toEqual(limited);
    expect(await storedOf(own)).toEqual(before);
    await own.create({ users: users(8) });
    await expect(erase(1, 1)).rejects.toEqual(limited);
  });

  it('refuse for good what no hour covers', async () => {
    await expect(workspace().create({ users: users(11) })).rejects.toEqual(
      expect.objectContaining({ code: 'too_large' }),
    );
  });

  it('come back whole when the hour is over, not before', async () => {
    const own = workspace();
    await own.create({ users: users(10) });
    await ageWindow(own, 59);
    const refusal = await own.create({ users: users(1) }).catch((error: { details: object }) => error.details);
    expect(refusal).toEqual({
      budgets: [{ name: 'suppression', limit: 10, remaining: 0, resetSeconds: expect.any(Number) }],
      retryAfterSeconds: expect.any(Number),
    });
    const { retryAfterSeconds } = refusal as { retryAfterSeconds: number };
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
    await ageWindow(own, 1);
    expect((await own.post({ users: users(10) })).budgets).toMatchObject([{ remaining: 0, resetSeconds: 3_600 }]);
  });

  it('are shared by replicas: of many at once exactly as many pass as are covered', async () => {
    const id = newKsuid();
    const replicas = [workspace(LIMITS, id), workspace(LIMITS, id), workspace(LIMITS, id)];
    const asked = Array.from({ length: 18 }, (_, n) => replicas[n % 3]?.create({ users: users(1) }));
    const answers = await Promise.allSettled(asked);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await storedOf(workspace(LIMITS, id))).toEqual([10, 10, 0, 10, 0]);
  });

  it('of one workspace are not those of another, and cancelling gives nothing back', async () => {
    const own = workspace();
    const [id = ''] = await own.create({ users: users(10) });
    await own.cancel(id);
    await expect(own.create({})).rejects.toEqual(limited);
    await workspace().create({ users: users(10) });
  });
});
