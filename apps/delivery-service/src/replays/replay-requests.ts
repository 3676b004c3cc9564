import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { AppError, type ReplaySelection } from '@weir/contracts';
import { type Plan, ReplayRepository } from './replay.repository.js';

/** A request that marks for longer is answered, and the rest is marked behind it. Well below the deadline of the call. */
const ANSWER_MS = 5_000;

/** Takes requests to replay dead letters. A selection may have more letters than can be marked while a caller waits. */
@Injectable()
export class ReplayRequests implements OnModuleDestroy {
  private readonly logger = new Logger(ReplayRequests.name);
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly replays: ReplayRepository) {}

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort(new AppError('unavailable', 'This process stops: ask again for what is not replayed'));
    await Promise.allSettled(this.running);
  }

  /** Answers with all that is replayed. What gets no mark because the process ends or the database is away stays a dead letter. */
  async request(workspaceId: string, selection: ReplaySelection): Promise<Plan> {
    const { plan, mark } = await this.replays.prepare(workspaceId, selection);
    const marking = mark(this.stopping.signal).finally(() => this.running.delete(marking));
    this.running.add(marking);
    if (await Promise.race([marking.then(() => false), delay(ANSWER_MS, true, { ref: false })]))
      marking.catch((error: Error) =>
        this.logger.warn(`a replay of the workspace ${workspaceId} ended before all was marked: ${error.message}`),
      );
    return plan;
  }
}
