import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Rows, Sql } from '@weir/messaging';
import { type Database, newKsuid } from '@weir/service-kit';
import { type QueryPlan, rowsVisited, useDatabase } from '@weir/testing';
import { daysOf as partitionDaysOf } from '../src/days/day-partitions.js';
import { DeadLetterPurge } from '../src/dead-letters/dead-letter-purge.js';
import { migrations } from '../src/migrations/index.js';
import { MARKED_AT_ONCE, ReplayRepository } from '../src/replays/replay.repository.js';

/** Enough rows that a plan which reads all letters of a destination, or a whole day, is never the cheapest. */
const LETTERS = 30_000;
const DAYS = 5;
/** A piece is found, and each of its rows is then found by its key. */
const VISITED_MAX = 2 * MARKED_AT_ONCE + 100;

const database = useDatabase('delivery', migrations);
const workspaceId = newKsuid();
const DAY_MS = 86_400_000;
const filledAt = new Date();
/** This many days before the letters of today, ISO 8601. */
const daysAgo = (days: number) => new Date(filledAt.getTime() - days * DAY_MS).toISOString();
const [busy, other, unmarked, ofUser] = [newKsuid(), newKsuid(), newKsuid(), newKsuid()];
/** Letters of one user. */
const GONE = 1_000;
const LETTERS_OF_A_DAY = (2 * LETTERS + GONE) / DAYS + 1;
interface Explained {
  sql: string;
  /** Rows that the statement has visited. */
  visited: number;
  /** Days of letters in its plan. Others were pruned. */
  days: Set<string>;
}
let explained: Explained[] = [];
const visitedMax = (statements = explained) => Math.max(...statements.map(({ visited }) => visited));

async function fill(destinationId: string, letters: number, replayAt: string): Promise<void> {
  await database.dataSource.query(
    `INSERT INTO dead_letters (day, workspace_id, destination_id, source_id, event_key, stage, reason, attempts, event, match_keys,
       received_at, created_at, replay_at)
     SELECT ($4::timestamptz AT TIME ZONE 'UTC')::date - n % ${DAYS}, $1, $2, 's', 'e' || n, 'queue', 'full', 0, '{}', '{}', now(),
       $4::timestamptz - interval '24 hours' * (n % ${DAYS}), ${replayAt}
     FROM generate_series(1, $3::int) AS n`,
    [workspaceId, destinationId, letters, filledAt],
  );
}

const daysOf = (plan: QueryPlan): string[] => [
  ...(/^dead_letters_(\d{8})$/.exec(plan['Relation Name'] ?? '')?.slice(1) ?? []),
  ...(plan.Plans ?? []).flatMap(daysOf),
];

/** Explains each statement before it runs. */
const explaining = (sql: Sql): Sql => ({
  run: async <Row>(text: string, values?: unknown[]): Promise<Rows<Row>> => {
    await sql.run('SAVEPOINT before');
    const { rows } = await sql.run<{ 'QUERY PLAN': [{ Plan: QueryPlan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    );
    await sql.run('ROLLBACK TO before');
    for (const {
      'QUERY PLAN': [{ Plan }],
    } of rows)
      explained.push({ sql: text, visited: rowsVisited(Plan), days: new Set(daysOf(Plan)) });
    return sql.run<Row>(text, values);
  },
});
const transaction = <T>(work: (sql: Sql) => Promise<T>): Promise<T> =>
  database.dataSource.transaction((sql) => work(explaining(sql)));
const replays = () =>
  new ReplayRepository({
    run: (text: string, values?: unknown[]) => transaction((sql) => sql.run(text, values)),
    transaction,
  } as Database);
const query = <Row>(text: string, values: unknown[]) => database.dataSource.query<Row[]>(text, values);
const marks = async (destinationId: string) => {
  const sql = 'SELECT count(replay_at)::int AS letters FROM dead_letters WHERE destination_id = $1';
  return (await query<{ letters: number }>(sql, [destinationId]))[0]?.letters;
};
/** Changes with each row that is written anew. */
const rowsOf = (destinationId: string) =>
  query(`SELECT md5(string_agg(ctid::text, ',' ORDER BY id)) AS rows FROM dead_letters WHERE destination_id = $1`, [
    destinationId,
  ]);

beforeAll(async () => {
  await fill(busy, LETTERS, 'now()');
  await fill(other, 3, 'now()');
  await fill(unmarked, LETTERS, `CASE WHEN n > ${LETTERS / 2} THEN now() END`);
  await fill(ofUser, GONE, 'NULL');
  await query(`UPDATE dead_letters SET match_keys = '{userId=gone}' WHERE destination_id = $1`, [ofUser]);
  const tables = await query<{ name: string }>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'dead_letters'::regclass`,
    [],
  );
  for (const { name } of tables) await query(`ANALYZE ${name}`, []);
});
beforeEach(() => {
  explained = [];
});

it('letters of a destination are found behind any number of another', async () => {
  const found = await replays().destinations('', 100);
  expect(new Set(found)).toEqual(new Set([busy, other, unmarked]));
  expect(await replays().destinations('', 1)).toEqual(found.slice(0, 1));
  expect(await replays().destinations(found[0] ?? '', 100)).toEqual(found.slice(1));
  const limits = { lettersMax: 100, bytesMax: 1_000_000 };
  expect(await replays().take(other, limits, async () => undefined)).toHaveLength(3);
  expect(await replays().take(busy, limits, async () => undefined)).toHaveLength(100);
  expect(visitedMax()).toBeLessThan(VISITED_MAX);
});

it('any number of letters is marked in pieces, and none of them twice', async () => {
  const plan = await replays().request(workspaceId, { destinationId: unmarked });
  expect(plan).toMatchObject({ deliveries: LETTERS });
  expect(await marks(unmarked)).toBe(LETTERS);
  const isChange = ({ sql }: Explained) => sql.includes('UPDATE');
  const changes = explained.filter(isChange);
  expect(changes.length).toBeGreaterThanOrEqual(LETTERS / MARKED_AT_ONCE);
  expect(visitedMax(changes)).toBeLessThan(VISITED_MAX);
  // one statement sums one day, however many there are
  expect(visitedMax(explained.filter((one) => !isChange(one)))).toBeLessThanOrEqual(LETTERS_OF_A_DAY);
  const before = await rowsOf(unmarked);
  expect(await replays().request(workspaceId, { destinationId: unmarked })).toEqual(plan);
  expect(await rowsOf(unmarked)).toEqual(before);
});

it('a range of times opens only its days', async () => {
  const selection = { destinationId: ofUser, from: daysAgo(3), to: daysAgo(1) };
  const plan = { deliveries: (2 * GONE) / DAYS, oldest: daysAgo(3), newest: daysAgo(2) };
  expect(await replays().request(workspaceId, selection)).toMatchObject(plan);
  expect(await marks(ofUser)).toBe(plan.deliveries);
  const inRange = [3, 2, 1].map((days) => daysAgo(days).slice(0, 10).replaceAll('-', ''));
  expect(new Set(explained.flatMap(({ days }) => [...days]))).toEqual(new Set(inRange));
  expect(Math.max(...explained.map(({ days }) => days.size))).toBe(1);
});

it('the marks of a destination that is gone are removed in pieces', async () => {
  await replays().unmark(unmarked);
  expect(await marks(unmarked)).toBe(0);
  expect(visitedMax()).toBeLessThan(VISITED_MAX);
});

it('letters of a user are found once, and then removed by their keys', async () => {
  const run = (text: string, values?: unknown[]) => transaction((sql) => sql.run(text, values));
  await new DeadLetterPurge({ run } as Database).purge(workspaceId, ['userId=gone']);
  expect(await query('SELECT FROM dead_letters WHERE destination_id = $1', [ofUser])).toEqual([]);
  // to find them, PostgreSQL may read so small a table
  expect(visitedMax()).toBeLessThan(3 * LETTERS);
});

it('the days of a range are found however PostgreSQL joins its own tables', async () => {
  const range = { from: daysAgo(3), to: daysAgo(1) };
  const days = [3, 2, 1].map((ago) => daysAgo(ago).slice(0, 10));
  for (const off of ['enable_nestloop', 'enable_hashjoin', 'enable_mergejoin']) {
    await database.dataSource.transaction(async (sql) => {
      await sql.run(`SET LOCAL ${off} = off`);
      expect(await partitionDaysOf(sql, 'dead_letters', range)).toEqual(days);
    });
  }
});
