import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { eachInTurn, Periodic } from '@weir/messaging';
import { Database } from '@weir/service-kit';
import { prunePurgedUsers } from '../purge/fence.repository.js';
import { StoredBytesRepository } from '../statistics/stored-bytes.repository.js';
import { AppliedBatchesRepository } from './applied-batches.repository.js';
import { DriftRepository } from './drift.js';
import { ModelDaysDeltaRepository } from './model-delta.repository.js';
import { UnreadableRepository } from './unreadable.repository.js';

const EVERY_MS = 3_600_000;

/** Removes expired rows every hour, and counts what models store anew. Any number of collectors may prune at once. */
@Injectable()
export class PruneService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds = new Periodic({
    task: 'remove expired rows',
    everyMs: EVERY_MS,
    run: () => this.prune(),
    log: new Logger(PruneService.name),
    jitter: 0.1,
  });

  constructor(
    private readonly dataSource: Database,
    private readonly applied: AppliedBatchesRepository,
    private readonly unreadable: UnreadableRepository,
    private readonly drift: DriftRepository,
    private readonly days: ModelDaysDeltaRepository,
    private readonly storedBytes: StoredBytesRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
    void this.rounds.run(); // a process may never run for an hour
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  /** A table that is too large for one round holds up no other. */
  private async prune(): Promise<void> {
    const recount = { prune: (database: Database) => this.storedBytes.recount(database, () => this.rounds.isStopped) };
    const tables = [this.applied, this.unreadable, this.drift, this.days, { prune: prunePurgedUsers }, recount];
    await eachInTurn(tables, (table) => !this.rounds.isStopped && table.prune(this.dataSource));
  }
}
