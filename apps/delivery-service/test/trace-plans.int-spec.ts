import { beforeAll, expect, it } from '@jest/globals';
import { newKsuid } from '@weir/service-kit';
import { useDatabase } from '@weir/testing';
import { PurgeFence } from '../src/checks/purge-fence.js';
import { addDays } from '../src/days/day-partitions.js';
import { migrations } from '../src/migrations/index.js';
import { TraceRepository, type WrittenRow } from '../src/traces/trace.repository.js';
import { TraceDays } from '../src/traces/trace-days.js';
import { TraceReader } from '../src/traces/trace-reader.js';
import { messageKeyOf } from '../src/traces/trace-row.js';
import { identifierKeyOf } from '../src/units/match-keys.js';

/** Enough rows that a plan which reads a whole partition is never the cheapest. `TRACE_ROWS=10000000` measures a large table. */
const EVENTS = Number(process.env['TRACE_ROWS'] ?? 100_000);
/** A statement has 15 s. */
const FILLED_AT_ONCE = 20_000;
const DAYS = 7;
const USERS = 1_000;
const READS = 200;
const FILLED_MS = 3_600_000;

const database = useDatabase('delivery', migrations);
const ids = { workspaceId: newKsuid(), sourceId: newKsuid(), destinationId: newKsuid() };
const messageId = (n: number) => `message-${n}`;
const keySql = `substr(sha256(('message-' || n)::bytea), 1, 16)`;
const userSql = 'n % $4';

/** An arrival and a delivery of each event, spread over the days, in the order of no index. */
const FILL = `
  INSERT INTO traces (day, workspace_id, source_id, destination_id, message_key, user_key, match_keys, share, step)
  SELECT $7::date - (n % ${DAYS})::int, $1, $2, CASE WHEN row = 1 THEN $3 END, ${keySql},
    CASE WHEN row = 0 THEN ${userSql} END, ARRAY[${userSql}], 1,
    json_build_object('step', CASE WHEN row = 0 THEN 'accepted' ELSE 'delivered' END, 'at', now(),
      'receivedAt', now(), 'eventKey', 'b.' || n, 'reason', repeat('x', 300))
  FROM generate_series($5::bigint, $6::bigint) AS n, generate_series(0, 1) AS row`;

beforeAll(async () => {
  await database.dataSource.transaction((sql) => addDays(sql, 'traces', -DAYS, 0));
  const today = new Date().toISOString().slice(0, 10); // one day for all rows, also at midnight
  for (let from = 1; from <= EVENTS; from += FILLED_AT_ONCE) {
    const to = Math.min(EVENTS, from + FILLED_AT_ONCE - 1);
    await database.dataSource.query(FILL, [ids.workspaceId, ids.sourceId, ids.destinationId, USERS, from, to, today]);
  }
  const tables = await database.dataSource.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'traces'::regclass`,
  );
  for (const { name } of tables) await database.dataSource.query(`ANALYZE ${name}`);
}, FILLED_MS);

const reader = () => new TraceReader(database.dataSource);

/** The plans of every SELECT and DELETE that `work` sends. */
async function plansOf(work: () => Promise<unknown>): Promise<string> {
  const sent: [string, unknown[]][] = [];
  const before = database.dataSource.logger;
  const logQuery = (sql: string, parameters: unknown[] = []) => void sent.push([sql, parameters]);
  Object.assign(database.dataSource, { logger: { ...before, logQuery } });
  await work().finally(() => Object.assign(database.dataSource, { logger: before }));
  const plans = sent
    .filter(([sql]) => /\btraces\b/.test(sql))
    .map(([sql, parameters]) => database.dataSource.query<object[]>(`EXPLAIN (ANALYZE) ${sql}`, parameters));
  return JSON.stringify(await Promise.all(plans));
}

/** The partitions with rows that a plan reads as a whole. Reading an empty one costs nothing. */
async function readWholeBy(plan: string): Promise<string[]> {
  const filled = await database.dataSource.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'traces'::regclass AND reltuples > 0`,
  );
  expect(filled).toHaveLength(DAYS);
  return filled.map(({ name }) => name).filter((name) => plan.includes(`Seq Scan on ${name}`));
}

it.each<[string, () => Promise<unknown>]>([
  ['one event', () => reader().find(ids.workspaceId, messageId(7))],
  ['an event that is unknown', () => reader().find(ids.workspaceId, 'nothing')],
])('%s is found by index alone', async (_, read) => {
  const plan = await plansOf(read);
  expect(plan).toContain('Index Scan');
  expect(await readWholeBy(plan)).toEqual([]);
});

it('the events of a user and those to purge are found by index alone', async () => {
  const ofUser = await plansOf(() => reader().ofUser(ids.workspaceId, 'u'));
  expect(ofUser).toContain('user_key_id_idx');
  expect(ofUser).toContain('Merge Append');
  const repository = new TraceRepository(
    database.dataSource,
    new TraceDays(database.dataSource),
    new PurgeFence(database.dataSource),
  );
  const ofSome = await database.dataSource.query<{ key: string }[]>(
    'SELECT match_keys[1]::text AS key FROM traces WHERE match_keys IS NOT NULL LIMIT 1',
  );
  const keys = ofSome.map(({ key }) => key);
  const left = async () => {
    const sql = 'SELECT count(*)::int AS rows FROM traces WHERE match_keys && $1::bigint[]';
    return (await database.dataSource.query<[{ rows: number }]>(sql, [keys]))[0].rows;
  };
  expect(await left()).toBeGreaterThan(100);
  const purge = await plansOf(() => repository.purge(ids.workspaceId, keys));
  expect(await left()).toBe(0);
  for (const plan of [ofUser, purge]) expect(await readWholeBy(plan)).toEqual([]);
});

it('the events of a user are looked for from the day before their intake, however many days are kept', async () => {
  const [key, userKey] = [messageKeyOf('at midnight'), identifierKeyOf('userId=night owl')];
  const at = new Date().toISOString();
  const steps = [
    { back: 1, userKey: null, destinationId: ids.destinationId, step: { step: 'delivered', at } },
    { back: 0, userKey, destinationId: null, step: { step: 'accepted', at, receivedAt: at } },
  ];
  for (const { back, step, ...row } of steps) {
    await database.dataSource.query(
      `INSERT INTO traces (day, workspace_id, source_id, destination_id, message_key, user_key, share, step)
       VALUES ((now() AT TIME ZONE 'UTC')::date - $1::int, $2, $3, $4, decode($5, 'hex'), $6, 1, $7)`,
      [back, ids.workspaceId, ids.sourceId, row.destinationId, key, row.userKey, step],
    );
  }
  const found = () => reader().ofUser(ids.workspaceId, 'night owl');
  expect((await found()).traces).toMatchObject([{ destinations: [{ status: 'delivered' }] }]);
  const plan = await plansOf(found);
  expect(plan.match(/Index Scan[^"]*message_key_idx[^"]*never executed/g)).toHaveLength(DAYS - 2);
});

it('shows how long reads take', async () => {
  const times: number[] = [];
  for (let n = 1; n <= READS; n += 1) {
    const startedAt = performance.now();
    const trace = await reader().find(ids.workspaceId, messageId(1 + ((n * 7_919) % EVENTS)));
    times.push(performance.now() - startedAt);
    expect(trace?.destinations).toMatchObject([{ status: 'delivered' }]);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * (READS - 1))]?.toFixed(1);
  process.stdout.write(`traces, ${EVENTS} events: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms\n`);
});

it('keeps seven days, and drops older ones as a whole', async () => {
  const days = new TraceDays(database.dataSource);
  await database.dataSource.transaction((sql) => addDays(sql, 'traces', -9, -8));
  const old = async () =>
    database.dataSource.query<object[]>(
      `SELECT FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'traces'::regclass
       AND relname < 'traces_' || to_char((now() AT TIME ZONE 'UTC')::date - 7, 'YYYYMMDD')`,
    );
  expect(await old()).toHaveLength(2);
  await new TraceRepository(database.dataSource, days, new PurgeFence(database.dataSource)).removeOld();
  expect(await old()).toEqual([]);
  expect(await reader().find(ids.workspaceId, messageId(1))).toBeDefined();
});

it('says what a workspace has written today, over all its sources and all writers', async () => {
  const repository = new TraceRepository(
    database.dataSource,
    new TraceDays(database.dataSource),
    new PurgeFence(database.dataSource),
  );
  const workspaceId = newKsuid();
  const row = {
    workspaceId,
    sourceId: newKsuid(),
    messageKey: messageKeyOf('m'),
    receivedAt: new Date().toISOString(),
    share: 1,
    json: '{"step":"accepted"}',
  };
  expect(await repository.add(() => [row])).toEqual([{ workspaceId, bytes: row.json.length }]);
  const ofOther = { ...row, sourceId: newKsuid() };
  expect(await repository.add(() => [row, ofOther])).toEqual([{ workspaceId, bytes: 3 * row.json.length }]);
});

it('keeps out steps of a user whose deletion overtook their write, and no others', async () => {
  const fence = new PurgeFence(database.dataSource);
  const repository = new TraceRepository(database.dataSource, new TraceDays(database.dataSource), fence);
  const workspaceId = newKsuid();
  const row = (name: string, userId: string | undefined, receivedAt: Date) => ({
    ...{ workspaceId, sourceId: newKsuid(), messageKey: messageKeyOf(name), share: 1, json: '{"step":"accepted"}' },
    ...{ receivedAt: receivedAt.toISOString(), matchKeys: userId && [identifierKeyOf(`userId=${userId}`)] },
  });
  const before = new Date();
  await fence.raise(workspaceId, [identifierKeyOf('userId=gone')]);
  const after = new Date(Date.now() + 60_000);
  const rows = [row('late', 'gone', before), row('bare', undefined, before), row('other', 'ada', before)];
  await repository.add(() => [...rows, row('again', 'gone', after)] as WrittenRow[]);
  const written = await repository.known(workspaceId, ['late', 'bare', 'other', 'again'].map(messageKeyOf));
  expect(written).toEqual(new Set(['bare', 'other', 'again'].map(messageKeyOf)));
});
