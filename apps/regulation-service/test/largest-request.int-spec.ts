import { beforeEach, describe, expect, it } from '@jest/globals';
import { newKsuid } from '@weir/service-kit';
import { useDatabase } from '@weir/testing';
import { SCHEMA } from '../src/schema.js';
import { workspaceOf } from './fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const TABLES = ['suppressions', 'deletion_tasks'];
const STATEMENT_ROWS_MAX = 5_000;
/** Two tasks of each regulation are for what Weir keeps. */
const INTERNAL_TASKS = 2;

const users = (count: number) => Array.from({ length: count }, (_, n) => ({ userId: `u${n}` }));
const ksuids = (count: number) => Array.from({ length: count }, () => newKsuid());
const destinations = (count: number) => ksuids(count).map((id) => ({ id, type: 'WEBHOOK' }));
const query = <Row>(sql: string, values: unknown[] = []) => db.dataSource.query<Row[]>(sql, values);
const countOf = async (table: string) => (await query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`))[0]?.n;

/** Notes how many rows each statement inserts. Refuses the statement after `pieces` of them. */
async function watch(pieces = 1_000): Promise<void> {
  await query('DROP TABLE IF EXISTS pieces');
  await query('CREATE TABLE pieces (name text, rows int)');
  await query(`CREATE OR REPLACE FUNCTION note_piece() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO pieces SELECT TG_TABLE_NAME, count(*) FROM new;
    IF (SELECT count(*) FROM pieces WHERE name = TG_TABLE_NAME) > ${pieces} THEN RAISE 'no more pieces'; END IF;
    RETURN NULL; END $$`);
  for (const table of TABLES) {
    await query(`CREATE OR REPLACE TRIGGER note_piece AFTER INSERT ON ${table} REFERENCING NEW TABLE AS new
      FOR EACH STATEMENT EXECUTE FUNCTION note_piece()`);
  }
}

const piecesOf = async (table: string) =>
  (await query<{ rows: number }>('SELECT rows FROM pieces WHERE name = $1', [table])).map(({ rows }) => rows);

describe('a request with very many rows', () => {
  beforeEach(() => watch());

  it('is stored in pieces, whether it names many users or one with many sources', async () => {
    const own = workspaceOf(db.dataSource);
    await own.create({ users: users(2_000), sourceIds: ksuids(6) });
    await own.create({ users: users(1), sourceIds: ksuids(6_000) });
    const pieces = await piecesOf('suppressions');
    expect(pieces.reduce((sum, rows) => sum + rows, 0)).toBe(2_000 * 6 + 6_000);
    expect(Math.max(...pieces)).toBeLessThanOrEqual(STATEMENT_ROWS_MAX);
  });

  it.each([
    [1_000, 10],
    [2, 6_000],
  ])('has its tasks in pieces and in display order: %d users and %d destinations', async (regulated, deleted) => {
    const own = workspaceOf(db.dataSource);
    const targets = destinations(deleted);
    const ids = await own.create({
      ...{ regulationType: 'suppress_with_delete', users: users(regulated), destinations: targets },
    });
    const pieces = await piecesOf('deletion_tasks');
    expect(pieces.reduce((sum, rows) => sum + rows, 0)).toBe(regulated * (deleted + INTERNAL_TASKS));
    expect(Math.max(...pieces)).toBeLessThanOrEqual(STATEMENT_ROWS_MAX);
    const tasks = await query<{ place: string }>(
      `SELECT regulation_id || ' ' || destination_id AS place FROM deletion_tasks
       WHERE workspace_id = $1 AND destination_type = 'WEBHOOK' ORDER BY id`,
      [own.workspaceId],
    );
    expect(tasks.map(({ place }) => place)).toEqual(ids.flatMap((id) => targets.map((target) => `${id} ${target.id}`)));
  });

  it('stores nothing if a later piece fails', async () => {
    await watch(1);
    const tables = ['regulations', 'deletion_barriers', 'audit', 'outbox', ...TABLES];
    const before = await Promise.all(tables.map(countOf));
    const request = { regulationType: 'suppress_with_delete' as const, users: users(1_000) };
    const failing = workspaceOf(db.dataSource).create({ ...request, destinations: destinations(10) });
    await expect(failing).rejects.toThrow('no more pieces');
    expect(await Promise.all(tables.map(countOf))).toEqual(before);
  });
});
