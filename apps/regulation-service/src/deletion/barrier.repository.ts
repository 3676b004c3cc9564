import type { Sql } from '@weir/messaging';
import type { Barrier, BarrierStep } from './barrier.rules.js';

export interface OpenBarrier extends Barrier {
  id: string;
}

/** Barriers advanced in one round. All wait for the same consumers, so those of a later round lose little. */
const ROUND_MAX = 1_000;

/** Barriers not yet passed, oldest first. The transaction locks them, so only one eraser advances each. */
export async function lockOpenBarriers(sql: Sql): Promise<OpenBarrier[]> {
  const { rows } = await sql.run<Record<'id' | 'raw' | 'accepted' | 'drainedForMs', string | null>>(
    `SELECT id, raw_position AS raw, accepted_position AS accepted,
       (extract(epoch FROM clock_timestamp() - drained_at) * 1000)::float8 AS "drainedForMs"
     FROM deletion_barriers WHERE passed_at IS NULL ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`,
    [ROUND_MAX],
  );
  return rows.map(({ id, raw, accepted, drainedForMs }) => ({
    id: String(id),
    rawPosition: numberOrNull(raw),
    acceptedPosition: numberOrNull(accepted),
    drainedForMs: numberOrNull(drainedForMs),
  }));
}

export async function noteStep(sql: Sql, id: string, step: Exclude<BarrierStep, 'wait'>): Promise<void> {
  if (step === 'passed') return openTasks(sql, id);
  if (step === 'drained') {
    await sql.run('UPDATE deletion_barriers SET drained_at = clock_timestamp() WHERE id = $1', [id]);
    return;
  }
  const [column, position] =
    'rawPosition' in step ? ['raw_position', step.rawPosition] : ['accepted_position', step.acceptedPosition];
  await sql.run(`UPDATE deletion_barriers SET ${column} = $2 WHERE id = $1`, [id, position]);
}

/** Tasks that were canceled or aborted in the meantime keep that status. */
async function openTasks(sql: Sql, barrierId: string): Promise<void> {
  await sql.run(
    `UPDATE deletion_tasks SET due_at = now() WHERE id IN (
       SELECT id FROM deletion_tasks WHERE barrier_id = $1 AND status = 'pending' ORDER BY id FOR UPDATE)`,
    [barrierId],
  );
  await sql.run('UPDATE deletion_barriers SET passed_at = clock_timestamp() WHERE id = $1', [barrierId]);
}

const numberOrNull = (value: string | null) => (value === null ? null : Number(value));
