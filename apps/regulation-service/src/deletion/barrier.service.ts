import { type ConsumerInfo, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { AppError, BATCH_WAIT_MS_MAX, CheckSuppression, DELIVERY_TIMEOUT_MS, PARTITIONS } from '@weir/contracts';
import { EVENTS_ACCEPTED, EVENTS_RAW, failedOf, NATS, partitionConsumer, type StreamRole } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { AnswerLeases } from '../answers/answer-leases.js';
import {
  type BarrierGroup,
  countOpen,
  noteStep,
  openBarriers,
  openTasks,
  type Position,
} from './barrier.repository.js';
import { type BarrierStep, type ConsumerView, nextStep, type StreamView } from './barrier.rules.js';

/** Longest time from the check before an event's delivery to the end of that delivery. */
export const SEND_DEADLINE_MS = CheckSuppression.deadlineMs + BATCH_WAIT_MS_MAX + DELIVERY_TIMEOUT_MS;

/** Holds deletions back until no earlier event can reach a destination. */
@Injectable()
export class BarrierService {
  private readonly logger = new Logger(BarrierService.name);
  /** Shorter in tests. */
  sendDeadlineMs = SEND_DEADLINE_MS;

  constructor(
    private readonly dataSource: Database,
    @Inject(NATS) private readonly nats: NatsConnection,
    private readonly answers: AnswerLeases,
  ) {}

  /**
   * Advances every open barrier by at most one step, and returns how many are still open. All wait for the same streams, so their number
   * delays none. A workspace whose barriers or tasks cannot be written delays only itself.
   */
  async advance(): Promise<number> {
    const groups = await openBarriers(this.dataSource);
    if (groups.length === 0) return 0;
    // The process that stored the regulation may have ended before it recalled the answers.
    await this.recall(groups.filter(({ rawPosition }) => rawPosition === null));
    const { raw, accepted } = await readPositions(this.nats);
    const stepOf = (group: BarrierGroup) => nextStep(group, raw, accepted, this.sendDeadlineMs);
    const steps = Map.groupBy(groups, (group) => JSON.stringify(stepOf(group)));
    for (const [text, standing] of steps) {
      const step = JSON.parse(text) as BarrierStep;
      if (step === 'passed') await this.open(standing);
      else if (step !== 'wait') await this.note(standing, step);
    }
    return countOpen(this.dataSource);
  }

  /** Only for the workspaces of these barriers. A recall of all would make each deliverer ask again about everybody. */
  private async recall(groups: readonly BarrierGroup[]): Promise<void> {
    const workspaces = new Set(groups.map(({ workspaceId }) => workspaceId ?? undefined));
    const recalled = workspaces.has(undefined) ? [undefined] : [...workspaces];
    await Promise.all(recalled.map((workspaceId) => this.answers.recall(workspaceId)));
  }

  private async note(groups: readonly BarrierGroup[], step: Position): Promise<void> {
    const failed = await failedOf(groups, (some) => noteStep(this.dataSource, some, step));
    for (const [group, error] of failed) this.tell(group, error as Error);
  }

  /** Each workspace in its own transaction. */
  private async open(groups: readonly BarrierGroup[]): Promise<void> {
    for (const [workspaceId, own] of Map.groupBy(groups, (group) => group.workspaceId)) {
      const ids = own.flatMap((group) => group.ids);
      await openTasks(this.dataSource, ids).catch((error: Error) => this.tell({ workspaceId }, error));
    }
  }

  private tell({ workspaceId }: Pick<BarrierGroup, 'workspaceId'>, { message }: Error): void {
    this.logger.warn(`deletions of ${workspaceId ?? 'a workspace'} wait: ${message}`);
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
