import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '@weir/messaging';
import { CONFIG } from '@weir/service-kit';
import type { ArchiverConfig } from '../config.js';
import { ArchiveStore } from './archive-store.js';

const INTERVAL_MS = 3_600_000;
const A_DAY_MS = 86_400_000;

/** Deletes days that are older than the archive keeps. Several processes may do so at once. */
@Injectable()
export class ArchiveExpiry implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds = new Periodic({
    task: 'remove expired segments',
    everyMs: INTERVAL_MS,
    run: () => this.removeOld(),
    log: new Logger(ArchiveExpiry.name),
    jitter: 0.1,
  });

  constructor(
    private readonly store: ArchiveStore,
    @Inject(CONFIG) private readonly config: ArchiverConfig,
  ) {}

  onApplicationBootstrap(): void {
    void this.rounds.run(); // a process may never run for an hour
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  /** Each listing names folders only, so its cost grows with sources and days, not with events. */
  async removeOld(): Promise<void> {
    const { bucket } = this.store;
    const end = new Date(Date.now() - this.config.archive.retentionDays * A_DAY_MS).toISOString().slice(0, 10);
    for await (const workspace of bucket.folders())
      for await (const source of bucket.folders(workspace))
        for await (const day of bucket.folders(source))
          if (isBefore(day.slice(source.length), end)) await this.remove(day);
  }

  private async remove(folder: string): Promise<void> {
    for await (const { name } of this.store.segments(folder)) {
      if (this.rounds.isStopped) return;
      await this.store.bucket.remove(this.store.keyOf(name));
    }
  }
}

/** Folders with another name are not the archive's. */
const isBefore = (day: string, end: string): boolean => /^\d{4}-\d\d-\d\d\/$/.test(day) && day < end;
