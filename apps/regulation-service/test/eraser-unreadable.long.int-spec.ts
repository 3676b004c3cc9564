import { describe, expect, it } from '@jest/globals';
import { PurgeSchemaUsers } from '@weir/contracts';
import { until, useDatabase, useNats } from '@weir/testing';
import { SCHEMA } from '../src/schema.js';
import { useDeletions } from './deletions.harness.js';
import { spoil } from './fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const nats = useNats();
const { start, workspace, hook, requestDeletion, requestOne, ended, purges } = useDeletions(db, nats);

interface Task {
  id: string;
  status: string;
  attempts: number;
  reason: string | null;
  isLater: boolean;
}

const tasksOf = (regulationId: string) =>
  db.dataSource.query<Task[]>(
    `SELECT id, status, attempts, reason, lease_owner IS NULL AND due_at > now() AS "isLater" FROM deletion_tasks
     WHERE regulation_id = $1 ORDER BY id`,
    [regulationId],
  );
const untilTasks = (regulationId: string, wanted: (task: Task) => boolean) =>
  until('the tasks to get so far', async () => {
    const tasks = await tasksOf(regulationId);
    return tasks.every(wanted) ? tasks : undefined;
  });

describe('a user whose identifiers cannot be opened', () => {
  it('keeps no deletion of another user from being done, and is tried again later and later', async () => {
    const ours = workspace();
    const users = [{ userId: 'lovelace' }, { userId: 'hopper' }];
    const [spoilt = '', sound = ''] = await requestDeletion(ours, [await hook(ours)], users);
    await spoil(db.dataSource, spoilt);
    await start();
    expect((await ended(ours, sound)).status).toBe('complete');
    expect(purges().usersOf(PurgeSchemaUsers, ours.workspaceId)).toEqual([{ userId: 'hopper' }]);
    for (const { reason } of await untilTasks(spoilt, ({ status }) => status === 'failed')) {
      expect(reason).toBe('the identifiers of the user cannot be opened');
    }
    await untilTasks(spoilt, ({ attempts, isLater }) => attempts >= 2 && isLater);
  });

  it('is given up after 30 days', async () => {
    const id = await requestOne(workspace(), []);
    await spoil(db.dataSource, id);
    await db.dataSource.query(
      `UPDATE deletion_tasks SET created_at = now() - interval '31 days' WHERE regulation_id = $1`,
      [id],
    );
    await start();
    const [task] = await untilTasks(id, ({ status }) => status === 'aborted');
    expect(task?.reason).toBe('given up after 30 days: the identifiers of the user cannot be opened');
  });
});
