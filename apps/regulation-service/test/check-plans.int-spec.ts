import { beforeAll, expect, it } from '@jest/globals';
import type { Rows } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import { useDatabase } from '@weir/testing';
import { SCHEMA } from '../src/schema.js';
import { deletedIndexes } from '../src/suppression/suppression.repository.js';

/** Enough rows that reading a table is never the cheapest for the users of one check. */
const USERS = 4_000;
const TASKS_EACH = 5;
const ASKED = 100;

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const workspaceId = newKsuid();
let userKeys: Buffer[] = [];

beforeAll(async () => {
  const query = <Row>(text: string, values: unknown[] = []) => db.dataSource.query<Row[]>(text, values);
  await query(
    `INSERT INTO regulations (id, workspace_id, regulation_type, user_key, attributes, created_by)
     SELECT gen_random_uuid(), $1, 'suppress_with_delete', sha256(n::text::bytea), '', '' FROM generate_series(1, $2::int) AS n`,
    [workspaceId, USERS],
  );
  await query('INSERT INTO deletion_barriers (passed_at) SELECT now() FROM generate_series(1, $1::int)', [USERS]);
  await query(
    `INSERT INTO deletion_tasks (workspace_id, barrier_id, regulation_id, destination_id, destination_type, attempts)
     SELECT workspace_id, (SELECT min(id) FROM deletion_barriers) + seq % $1, id, 'd' || n, 'WEBHOOK', 1
     FROM regulations CROSS JOIN generate_series(1, $2::int) AS n`,
    [USERS, TASKS_EACH],
  );
  await query('ANALYZE regulations, deletion_barriers, deletion_tasks');
  const keys = await query<{ key: Buffer }>('SELECT user_key AS key FROM regulations LIMIT $1', [ASKED]);
  userKeys = keys.map(({ key }) => key);
});

it('finds deleted users before each delivery by index alone', async () => {
  const plans: string[] = [];
  const explaining = {
    run: async <Row>(text: string, values?: unknown[]): Promise<Rows<Row>> => {
      plans.push(JSON.stringify((await db.dataSource.run(`EXPLAIN (FORMAT JSON) ${text}`, values)).rows));
      return db.dataSource.run<Row>(text, values);
    },
  };
  expect(await deletedIndexes(explaining, workspaceId, userKeys)).toHaveLength(ASKED);
  expect(plans).toHaveLength(1);
  expect(plans.join()).not.toContain('Seq Scan');
});
