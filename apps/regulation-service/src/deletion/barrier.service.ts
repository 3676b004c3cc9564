import { type ConsumerInfo, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, BATCH_WAIT_MS_MAX, CheckSuppression, DELIVERY_TIMEOUT_MS, PARTITIONS } from '@weir/contracts';
import { EVENTS_ACCEPTED, EVENTS_RAW, NATS, partitionConsumer, type Sql, type StreamRole } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { AnswerLeases } from '../answers/answer-leases.js';
import { type Barrier, type BarrierStep, type ConsumerView, nextStep, type StreamView } from './barrier.rules.js';

/** Longest time from the check before an event's delivery to the end of that delivery. */
export const SEND_DEADLINE_MS = CheckSuppression.deadlineMs + BATCH_WAIT_MS_MAX + DELIVERY_TIMEOUT_MS;

/** Holds deletions back until no earlier event can reach a destination. */
@Injectable()
export class BarrierService {
  /** Shorter in tests. */
  sendDeadlineMs = SEND_DEADLINE_MS;

  constructor(
    private readonly dataSource: Database,
    @Inject(NATS) private readonly nats: NatsConnection,
    private readonly answers: AnswerLeases,
  ) {}

  /** Advances every open barrier by at most one step, and returns how many are still open. */
  advance(): Promise<number> {
    return this.dataSource.transaction(async (sql) => {
      const barriers = await lockOpenBarriers(sql);
      if (barriers.length === 0) return 0;
      // The process that stored the regulation may have ended before it recalled the answers.
      if (barriers.some(({ rawPosition }) => rawPosition === null)) await this.answers.recall();
      const { raw, accepted } = await readPositions(this.nats);
      let open = 0;
      for (const barrier of barriers) {
        const step = nextStep(barrier, raw, accepted, this.sendDeadlineMs);
        if (step !== 'wait') await noteStep(sql, barrier.id, step);
        if (step !== 'passed') open += 1;
      }
      return open;
    });
  }
}

/** Reads the ends of the event streams and how far their consumers have come. */
export async function readPositions(nats: NatsConnection): Promise<{ raw: StreamView; accepted: StreamView }> {
  const manager = await jetstreamManager(nats);
  // Reads the raw stream first. Every message that its filter had passed on by then lies before the end of the other stream.
  const raw = await viewOf(manager, EVENTS_RAW, ['filter']);
  return { raw, accepted: await viewOf(manager, EVENTS_ACCEPTED, ['collector', 'deliverer']) };
}

async function viewOf(manager: JetStreamManager, stream: string, roles: StreamRole[]): Promise<StreamView> {
  const { state } = await manager.streams.info(stream);
  const infos = new Map<string, ConsumerInfo>();
  for await (const info of manager.consumers.list(stream)) infos.set(info.name, info);
  const names = roles.flatMap((role) =>
    Array.from({ length: PARTITIONS }, (_, partition) => partitionConsumer(role, partition)),
  );
  return { last: state.last_seq, consumers: names.map((name) => consumerView(name, infos.get(name))) };
}

/** A missing consumer has read nothing, so it cannot count as done. */
function consumerView(name: string, info: ConsumerInfo | undefined): ConsumerView {
  if (!info) throw new AppError('unavailable', `The consumer ${name} is missing: run the migrations`);
  return { ackFloor: info.ack_floor.stream_seq, isIdle: info.num_pending === 0 && info.num_ack_pending === 0 };
}

interface OpenBarrier extends Barrier {
  id: string;
}

/** Barriers advanced in one round. All wait for the same consumers, so those of a later round lose little. */
const ROUND_MAX = 1_000;

/** Barriers not yet passed, oldest first. The transaction locks them, so only one eraser advances each. */
async function lockOpenBarriers(sql: Sql): Promise<OpenBarrier[]> {
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

async function noteStep(sql: Sql, id: string, step: Exclude<BarrierStep, 'wait'>): Promise<void> {
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
