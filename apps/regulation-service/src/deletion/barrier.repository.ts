import { chunksOf } from '@weir/contracts';
import type { Sql, SqlDatabase } from '@weir/messaging';
import type { Barrier, BarrierStep } from './barrier.rules.js';

/** Open barriers of one workspace that wait for the same. */
export interface BarrierGroup extends Barrier {
  /** Null for barriers of the version before. */
  workspaceId: string | null;
  /** In order of creation. */
  ids: string[];
}

/**
 * Barriers, and tasks behind them, that open in one transaction. A workspace opens no more in a round, so that others do not wait for
 * it. A barrier holds up to some hundred thousand tasks.
 */
const BARRIERS_AT_ONCE = 100;
const TASKS_AT_ONCE = 5_000;

/** All open barriers. Those of one workspace that stand at the same step are one group, however many they are. */
export async function openBarriers(sql: Sql): Promise<BarrierGroup[]> {
  const { rows } = await sql.run<BarrierGroup>(
    `SELECT workspace_id AS "workspaceId", raw_position::float8 AS "rawPosition", accepted_position::float8 AS "acceptedPosition",
       (extract(epoch FROM clock_timestamp() - drained_at) * 1000)::float8 AS "drainedForMs",
       array_agg(id::text ORDER BY id) AS ids
     FROM deletion_barriers WHERE passed_at IS NULL
     GROUP BY workspace_id, raw_position, accepted_position, drained_at`,
  );
  return rows;
}

/** How many barriers are open. */
export async function countOpen(sql: Sql): Promise<number> {
  const { rows } = await sql.run<{ open: number }>(
    'SELECT count(*)::int AS open FROM deletion_barriers WHERE passed_at IS NULL',
  );
  return rows[0]?.open ?? 0;
}

/** A step that is recorded at a barrier. */
export type Position = Exclude<BarrierStep, 'wait' | 'passed'>;

/** Barriers that take a step in one statement. */
const NOTED_AT_ONCE = 5_000;

/**
 * Records a step of barriers, if they still stand where they stood when the streams were read. Another eraser may have been there. Works
 * in pieces, each committed alone, because while a consumer lags their number has no limit. A piece gets one time, so groups stay few.
 */
export async function noteStep(sql: Sql, groups: readonly BarrierGroup[], step: Position): Promise<void> {
  const [set, was, value] = changeOf(step);
  const rows = groups.flatMap(({ ids, rawPosition }) => ids.map((id) => ({ id, rawPosition })));
  for (const piece of chunksOf(rows, { itemsMax: NOTED_AT_ONCE })) {
    await sql.run(
      `UPDATE deletion_barriers AS barrier SET ${set}
       FROM unnest($1::bigint[], $2::bigint[]) AS read (id, raw_position)
       WHERE barrier.id = read.id AND barrier.raw_position IS NOT DISTINCT FROM read.raw_position AND passed_at IS NULL AND ${was}`,
      [piece.map(({ id }) => id), piece.map(({ rawPosition }) => rawPosition), ...value],
    );
  }
}

const changeOf = (step: Position): [set: string, was: string, value: number[]] => {
  if (step === 'drained') return ['drained_at = statement_timestamp()', 'drained_at IS NULL', []];
  if ('rawPosition' in step) return ['raw_position = $3', 'accepted_position IS NULL', [step.rawPosition]];
  return ['accepted_position = $3', 'drained_at IS NULL', [step.acceptedPosition]];
};

/** SQL: a task that its barrier still holds. */
const IS_HELD = `status = 'pending' AND due_at IS NULL`;

/**
 * Opens the next tasks behind the first of these barriers, and passes those that hold no more. What it opens may begin before its
 * barrier is passed. Tasks that were canceled or aborted in the meantime keep that status. Locks barriers before tasks, as erasers of
 * the version before do. A task that somebody else holds makes this fail soon, because others wait.
 */
export async function openTasks(database: SqlDatabase, ids: readonly string[]): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.run(`SET LOCAL lock_timeout = '1s'`);
    const { rows: barriers } = await sql.run<{ id: string }>(
      `SELECT id::text FROM deletion_barriers WHERE id = ANY($1::bigint[]) AND passed_at IS NULL
       ORDER BY id FOR UPDATE SKIP LOCKED`,
      [ids.slice(0, BARRIERS_AT_ONCE)],
    );
    const { held, free } = await nextTasks(sql, idsOf(barriers));
    await sql.run(
      `UPDATE deletion_tasks SET due_at = now() WHERE id IN (
         SELECT id FROM deletion_tasks WHERE id = ANY($1::bigint[]) AND ${IS_HELD} ORDER BY id FOR UPDATE)`,
      [held],
    );
    await sql.run('UPDATE deletion_barriers SET passed_at = clock_timestamp() WHERE id = ANY($1::bigint[])', [free]);
  });
}

/** The tasks to open next, and those of the barriers that hold no others. A barrier never comes to hold more. */
async function nextTasks(sql: Sql, barriers: string[]): Promise<{ held: string[]; free: string[] }> {
  const { rows } = await sql.run<{ id: string; barrierId: string }>(
    `SELECT id::text, barrier_id::text AS "barrierId" FROM deletion_tasks
     WHERE barrier_id = ANY($1::bigint[]) AND ${IS_HELD} ORDER BY deletion_tasks.barrier_id LIMIT $2`,
    [barriers, TASKS_AT_ONCE],
  );
  // The last one may hold more than was read.
  const end = rows.length < TASKS_AT_ONCE ? undefined : barriers.indexOf(rows.at(-1)?.barrierId ?? '');
  return { held: idsOf(rows), free: barriers.slice(0, end) };
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
