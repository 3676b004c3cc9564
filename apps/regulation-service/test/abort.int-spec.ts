import { expect, it } from '@jest/globals';
import { newKsuid } from '@weir/service-kit';
import { useDatabase } from '@weir/testing';
import { firstBreak } from '../src/audit/audit.chain.js';
import { readTrail } from '../src/audit/audit.repository.js';
import { SCHEMA } from '../src/schema.js';
import { type Workspace, workspaceOf } from './fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
/** Tasks that end in one transaction. */
const PIECE = 5_000;
const USERS = 5_300;

/** A destination with more open deletions than end at once. The last of them is that of `last`. */
async function largeDestination(own: Workspace) {
  const destination = { id: newKsuid(), type: 'WEBHOOK' };
  const request = (from: number, to: number) =>
    own.create({
      regulationType: 'suppress_with_delete',
      destinations: [destination],
      users: Array.from({ length: to - from }, (_, n) => ({ userId: `user-${from + n}` })),
    });
  const ids = [...(await request(0, PIECE)), ...(await request(PIECE, USERS))];
  return { destinationId: destination.id, last: ids.at(-1) ?? '' };
}

/** How many tasks ended in each transaction, in order. */
const piecesOf = async (destinationId: string) => {
  const rows = await db.dataSource.query<{ tasks: number }[]>(
    `SELECT count(*)::int AS tasks FROM deletion_tasks WHERE destination_id = $1 AND status = 'aborted'
     GROUP BY ended_at ORDER BY ended_at`,
    [destinationId],
  );
  return rows.map(({ tasks }) => tasks);
};

it('a deleted destination ends its deletions in pieces, each once, and goes on where it was interrupted', async () => {
  const own = workspaceOf(db.dataSource);
  const { destinationId, last } = await largeDestination(own);
  const name = 'interrupted';
  await db.dataSource.query(
    `ALTER TABLE deletion_tasks ADD CONSTRAINT ${name} CHECK (regulation_id <> '${last}' OR status <> 'aborted')`,
  );
  await expect(own.abortDestination(destinationId)).rejects.toThrow(name);
  expect(await piecesOf(destinationId)).toEqual([PIECE]);

  await db.dataSource.query(`ALTER TABLE deletion_tasks DROP CONSTRAINT ${name}`);
  await own.abortDestination(destinationId);
  expect(await piecesOf(destinationId)).toEqual([PIECE, USERS - PIECE]);
  await own.abortDestination(destinationId);

  const trail = await readTrail(db.dataSource, own.workspaceId);
  expect(firstBreak(trail)).toBeUndefined();
  const ended = trail.filter(({ action }) => action === 'deletion.ended');
  expect(new Set(ended.map(({ regulationId }) => regulationId)).size).toBe(USERS);
  expect(ended).toHaveLength(USERS);
  const states = (await own.get(last)).deletion?.destinations.map(({ status, reason }) => [status, reason]);
  expect(states?.[0]).toEqual(['aborted', 'the destination was deleted']);
  expect(states?.slice(1).map(([status]) => status)).toEqual(['pending', 'pending']);
});
