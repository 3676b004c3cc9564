import { beforeAll, expect, it } from '@jest/globals';
import type { Rows } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import { type QueryPlan, rowsVisited, useDatabase } from '@weir/testing';
import { retryMended } from '../src/deletion/task-claim.repository.js';
import { SCHEMA } from '../src/schema.js';

const FAILED = 200_000;
const FILLED_AT_ONCE = 20_000;
/** Each failed with a configuration of before, the first of a mark below the one of now and the second above. */
const MENDED = ['a', 'z'];
const OF_NOW = 'm';
/** The statement finds what is mended, and updates it by its key. */
const VISITED_MAX = 20;

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const destinationId = newKsuid();

beforeAll(async () => {
  const query = (text: string, values: unknown[] = []) => db.dataSource.query(text, values);
  await query('ALTER TABLE deletion_tasks DROP CONSTRAINT deletion_tasks_regulation_id_fkey');
  await query('INSERT INTO deletion_barriers (passed_at) VALUES (now())');
  const fill = `
    INSERT INTO deletion_tasks (workspace_id, barrier_id, regulation_id, destination_id, destination_type, status, attempts, config_mark, due_at)
    SELECT 'w', (SELECT min(id) FROM deletion_barriers), gen_random_uuid(), $1, 'WEBHOOK', 'failed', 1, mark, now() + interval '1 hour'
    FROM unnest($2::text[]) AS mark CROSS JOIN generate_series(1, $3::int)`;
  for (let n = 0; n < FAILED; n += FILLED_AT_ONCE) await query(fill, [destinationId, [OF_NOW], FILLED_AT_ONCE]);
  await query(fill, [destinationId, MENDED, 1]);
  await query('ANALYZE deletion_tasks');
});

it('mended deletions are found among very many that failed with the configuration of now', async () => {
  const visited: number[] = [];
  const explaining = {
    run: async <Row>(text: string, values?: unknown[]): Promise<Rows<Row>> => {
      const { rows } = await db.dataSource.run<{ 'QUERY PLAN': [{ Plan: QueryPlan }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      );
      visited.push(...rows.map(({ 'QUERY PLAN': [{ Plan }] }) => rowsVisited(Plan)));
      return { rows: [], count: 0 };
    },
  };
  await retryMended(explaining, new Map([[destinationId, OF_NOW]]));
  expect(visited).toHaveLength(1);
  expect(visited[0]).toBeLessThan(VISITED_MAX);
  const due = await db.dataSource.query(
    'SELECT config_mark AS mark FROM deletion_tasks WHERE due_at <= now() ORDER BY 1',
  );
  expect(due).toEqual(MENDED.map((mark) => ({ mark })));
});
