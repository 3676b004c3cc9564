import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { DestinationRecord } from '@weir/contracts';
import type { InventoryMirror } from '@weir/inventory';
import { newKsuid } from '@weir/service-kit';
import { until, useDatabase, useNats } from '@weir/testing';
import { PurgeFence } from '../src/checks/purge-fence.js';
import { UsedRevisionRepository } from '../src/code/used-revisions.js';
import { migrations } from '../src/migrations/index.js';
import { OwnTroubles } from '../src/notifications/own-troubles.js';
import { DeliveryCountRepository } from '../src/outcomes/delivery-counts.js';
import { RetryJournal } from '../src/outcomes/retry-journal.js';
import { DeliveryProgress } from '../src/sending/delivery-progress.js';
import { TraceRepository } from '../src/traces/trace.repository.js';
import { TraceDays } from '../src/traces/trace-days.js';
import { DeliveryScene } from './delivery-scene.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();
afterEach(() => void jest.restoreAllMocks());

/** More rows than one statement may remove. */
const OLD = 5_200;
const NEW = 3;
const STATEMENT_ROWS_MAX = 5_000;

interface OldRows {
  /** Fills the columns of rows n = 1, 2, … with the given age. */
  insert: (age: string) => string;
  oldAge: string;
  newAge: string;
  clean: () => Promise<void>;
}

const counts = () => new DeliveryCountRepository(database.dataSource).removeOld();
const traces = () => {
  const { dataSource } = database;
  return new TraceRepository(dataSource, new TraceDays(dataSource), new PurgeFence(dataSource)).removeOld();
};
const dayOf = (age: string) => `((now() - interval '${age}') AT TIME ZONE 'UTC')::date`;

const TABLES: Record<string, OldRows> = {
  delivery_counts: {
    insert: (age) => `(workspace_id, destination_id, hour, name, events)
      SELECT 'w', 'd' || n, now() - interval '${age}', 'dead', 1`,
    ...{ oldAge: '40 days', newAge: '1 day', clean: counts },
  },
  attempt_minutes: {
    insert: (age) => `(workspace_id, destination_id, minute, name, events)
      SELECT 'w', 'd' || n, now() - interval '${age}', 'dead', 1`,
    ...{ oldAge: '2 hours', newAge: '20 minutes', clean: counts },
  },
  count_flushes: {
    insert: (age) => `(writer, flush, flushed_at) SELECT '${age}' || n, 1, now() - interval '${age}'`,
    ...{ oldAge: '8 days', newAge: '6 days', clean: counts },
  },
  delivery_progress: {
    insert: (age) => `(destination_id, batch_id, done, updated_at)
      SELECT '${age}', 'b' || n, '{0}', now() - interval '${age}'`,
    ...{ oldAge: '31 days', newAge: '29 days', clean: () => new DeliveryProgress(database.dataSource).removeOld() },
  },
  used_versions: {
    insert: (age) => `(workspace_id, destination_id, deliverer, version_id, last_used_at)
      SELECT '${age}', 'd' || n, 'host/1', 'v', now() - interval '${age}'`,
    ...{ oldAge: '25 hours', newAge: '23 hours' },
    clean: () => new UsedRevisionRepository(database.dataSource).removeOld(),
  },
  retrying_deliveries: {
    insert: (
      age,
    ) => `(workspace_id, destination_id, source_id, event_key, reason, attempts, received_at, last_attempt_at,
        next_attempt_at)
      SELECT 'w', '${age}', 's', 'e' || n, 'no', 1, now(), now() - interval '${age}', now()`,
    ...{ oldAge: '3 days', newAge: '1 day', clean: () => new RetryJournal(database.dataSource).removeOld() },
  },
  trace_day_sizes: {
    insert: (age) => `(day, workspace_id, bytes) SELECT ${dayOf(age)}, 'w' || n, 1`,
    ...{ oldAge: '9 days', newAge: '6 days', clean: traces },
  },
  trace_sizes: {
    insert: (age) => `(day, source_id, bytes) SELECT ${dayOf(age)}, 's' || n, 1`,
    ...{ oldAge: '9 days', newAge: '6 days', clean: traces },
  },
};

const insert = async (table: string, age: string, rows: number) => {
  const columns = TABLES[table]?.insert(age);
  await database.dataSource.query(`INSERT INTO ${table} ${columns} FROM generate_series(1, ${rows}) AS n`);
};

describe('old rows', () => {
  it.each(Object.entries(TABLES))('of %s are removed in pieces, and others stay', async (table, rows) => {
    await insert(table, rows.oldAge, OLD);
    await insert(table, rows.newAge, NEW);
    const removed: number[] = [];
    const { run } = database.dataSource;
    jest.spyOn(database.dataSource, 'run').mockImplementation(async (sql, values) => {
      const answer = await run.call(database.dataSource, sql, values);
      if (sql.includes(`DELETE FROM ${table}`)) removed.push(answer.count);
      return answer as never;
    });
    await rows.clean();
    expect(removed).toEqual([STATEMENT_ROWS_MAX, OLD - STATEMENT_ROWS_MAX]);
    const left = await database.dataSource.query<unknown[]>(`SELECT FROM ${table}`);
    expect(left).toHaveLength(NEW);
  });

  it('are removed soon after a start, because a process may never run for an hour', async () => {
    const scene = new DeliveryScene(database, nats);
    const [destinationId, progress] = ['31 days', new DeliveryProgress(database.dataSource)];
    await insert('delivery_progress', destinationId, 1);
    try {
      await scene.startDeliverer();
      await until('the old row to go', async () => (await progress.load(destinationId)).size === 0);
    } finally {
      await scene.close();
    }
  });
});

it('the attempts of the last minutes are found without those of the hour', async () => {
  const workspaceId = newKsuid();
  await database.dataSource.query('TRUNCATE attempt_minutes, delivery_counts');
  await database.dataSource.query(
    `INSERT INTO attempt_minutes SELECT $1, 'd' || n % 100, now() - interval '1 minute' * (n / 100), 'dead', 1
     FROM generate_series(0, 29999) AS n`,
    [workspaceId],
  );
  await database.dataSource.query('ANALYZE attempt_minutes');
  const inventory = { destination: () => undefined as DestinationRecord | undefined } as unknown as InventoryMirror;
  const plans: string[] = [];
  const { run } = database.dataSource;
  jest.spyOn(database.dataSource, 'run').mockImplementation(async (sql, values) => {
    const explained = await run.call(database.dataSource, `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values);
    if (sql.includes('attempt_minutes')) plans.push(JSON.stringify(explained.rows));
    return run.call(database.dataSource, sql, values) as never;
  });
  await new OwnTroubles(database.dataSource, inventory).find(new Map([[workspaceId, [50]]]));
  expect(plans).toHaveLength(1);
  expect(plans[0]).toContain('attempt_minutes_age');
  expect(plans[0]).not.toMatch(/"Rows Removed by Filter":[1-9]/);
});
