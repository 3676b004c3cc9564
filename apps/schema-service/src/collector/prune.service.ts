import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '@weir/service-kit';
import { prunePurgedUsers } from '../purge/fence.repository.js';
import { AppliedBatchesRepository } from './applied-batches.repository.js';
import { DriftRepository } from './drift.js';
import { UnreadableRepository } from './unreadable.js';

const EVERY_MS = 3_600_000;

/** Removes expired rows every hour. Any number of collectors may prune at once. */
@Injectable()
export class PruneService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(PruneService.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: Database,
    private readonly applied: AppliedBatchesRepository,
    private readonly unreadable: UnreadableRepository,
    private readonly drift: DriftRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.prune();
    }, EVERY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private async prune(): Promise<void> {
    try {
      await this.applied.prune(this.dataSource);
      await this.unreadable.prune(this.dataSource);
      await this.drift.prune(this.dataSource);
      await prunePurgedUsers(this.dataSource);
    } catch (error) {
      this.logger.warn(`cannot prune: ${(error as Error).message}`);
    }
  }
}
