import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { eachInTurn, Periodic } from '@weir/messaging';
import { ArchivePurgeRepository } from './archive/archive-purge.repository.js';
import { PurgeFence } from './checks/purge-fence.js';
import { UsedRevisionRepository } from './code/used-revisions.js';
import { DeadLetterRepository } from './dead-letters/dead-letter.repository.js';
import { DeadLetterDays } from './dead-letters/dead-letter-days.js';
import { TroubleRepository } from './notifications/trouble.repository.js';
import { DeliveryCountRepository } from './outcomes/delivery-counts.js';
import { RetryJournal } from './outcomes/retry-journal.js';
import { RangeTurnRepository } from './replays/range-turn.repository.js';
import { DeliveryProgress } from './sending/delivery-progress.js';
import { TraceRepository } from './traces/trace.repository.js';
import { TraceDays } from './traces/trace-days.js';

const INTERVAL_MS = 3_600_000;

/**
 * Prepares partitions and deletes expired rows at the start, because a process may never run for an hour, and then once an hour. Several
 * processes may do so at once.
 */
@Injectable()
export class Expiry implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Expiry.name);
  private readonly rounds = new Periodic({
    task: 'remove expired rows',
    everyMs: INTERVAL_MS,
    run: () => this.removeOld(),
    log: this.logger,
    jitter: 0.1,
  });

  constructor(
    private readonly days: DeadLetterDays,
    private readonly usedRevisions: UsedRevisionRepository,
    private readonly progress: DeliveryProgress,
    private readonly counts: DeliveryCountRepository,
    private readonly retries: RetryJournal,
    private readonly traceDays: TraceDays,
    private readonly traces: TraceRepository,
    private readonly troubles: TroubleRepository,
    private readonly rangeReplays: RangeTurnRepository,
    private readonly purges: ArchivePurgeRepository,
    private readonly letters: DeadLetterRepository,
    private readonly fence: PurgeFence,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.prepareDays();
    void this.rounds.run();
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  /** One table at a time, so that deliveries keep their connections. One that fails holds up no other. */
  private async removeOld(): Promise<void> {
    await this.prepareDays();
    const { days, usedRevisions, progress, counts, retries, traces, troubles, rangeReplays, purges, letters, fence } =
      this;
    const tables = [
      days,
      usedRevisions,
      progress,
      counts,
      retries,
      traces,
      troubles,
      rangeReplays,
      purges,
      letters,
      fence,
    ];
    await eachInTurn(tables, (table) => !this.rounds.isStopped && table.removeOld());
  }

  /** A failure is harmless because a writer also creates a missing partition. */
  private async prepareDays(): Promise<void> {
    for (const days of [this.days, this.traceDays])
      await days.prepare().catch((error: Error) => this.logger.warn(`cannot create partitions yet: ${error.message}`));
  }
}
