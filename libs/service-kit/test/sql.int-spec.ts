import { beforeEach, describe, expect, it } from '@jest/globals';
import { isDatabaseAway } from '@weir/messaging';
import { until, useDatabase } from '@weir/testing';
import type { Transaction } from '../src/index.js';

const db = useDatabase('regulation', []);

const INSERT = 'INSERT INTO things SELECT generate_series(1, 3)';
const count = async () => (await db.dataSource.run<{ n: number }>('SELECT count(*)::int AS n FROM things')).rows[0]?.n;

beforeEach(async () => {
  await db.dataSource.run('DROP TABLE IF EXISTS things');
  await db.dataSource.run('CREATE TABLE things (id integer)');
});

describe('written SQL', () => {
  it.each([
    ['an insert', INSERT, [], 3],
    ['an insert that returns', `${INSERT} RETURNING id`, [{ id: 1 }, { id: 2 }, { id: 3 }], 3],
    ['an update without hits', 'UPDATE things SET id = 1 WHERE id = 0 RETURNING id', [], 0],
    ['a select', 'SELECT 1 AS id UNION ALL SELECT 2', [{ id: 1 }, { id: 2 }], 2],
    [
      'a change in a WITH',
      'WITH added AS (INSERT INTO things VALUES (7) RETURNING id) SELECT id FROM added',
      [{ id: 7 }],
      1,
    ],
  ])('answers %s with its rows and their number', async (_, sql, rows, number) => {
    expect(await db.dataSource.run(sql)).toEqual({ rows, count: number });
  });

  it('belongs to the transaction in which it runs, as repositories do', async () => {
    const failing = db.dataSource.transaction(async (sql) => {
      await sql.run(INSERT);
      await sql.transaction((inner) => (inner as Transaction).run(INSERT));
      expect((await sql.run('SELECT id FROM things')).count).toBe(6);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await count()).toBe(0);
  });

  it('fails as a database that is away, if the connection of its transaction ends between two statements', async () => {
    const cut = db.dataSource.transaction(async (sql) => {
      const { rows } = await sql.run<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await db.dataSource.run('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
      await until('the end of the connection to be seen', () => sql.queryRunner?.isReleased);
      await sql.run('SELECT 1');
    });
    expect(isDatabaseAway(await cut.catch((error: unknown) => error))).toBe(true);
  });

  it('leaves no connection behind, whether it succeeds or fails', async () => {
    const beyondThePool = Array.from({ length: 50 }, (_, n) =>
      db.dataSource.run(n % 2 ? 'SELECT 1' : 'SELECT nothing'),
    );
    const settled = await Promise.allSettled(beyondThePool);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(25);
    await db.dataSource.run(INSERT);
    expect(await count()).toBe(3);
  });
});
