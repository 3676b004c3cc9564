import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DriftRepository } from './drift.repository.js';

const EVERY_MS = 600_000;
const MODELS_AT_ONCE = 100;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Key of the advisory lock that the sweeping collector holds. Any number works if it never changes. */
const SWEEP_LOCK = 7_360_001;

/** Looks for vanished keys, which no arriving event can reveal. Only one collector sweeps at a time. */
@Injectable()
export class DriftService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DriftService.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly drift: DriftRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.sweep().catch((error: Error) => this.logger.warn(`cannot look for drift: ${error.message}`));
    }, EVERY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  async sweep(): Promise<void> {
    let after: string | undefined = FIRST_ID;
    while (after !== undefined && !this.stopped) after = await this.sweepSome(after);
  }

  private sweepSome(after: string): Promise<string | undefined> {
    return this.dataSource.transaction(async (sql) => {
      const [lock] = await sql.query(`SELECT pg_try_advisory_xact_lock($1) AS held`, [SWEEP_LOCK]);
      if (!lock.held) return undefined;
      const eventIds = await this.drift.suspects(sql, after, MODELS_AT_ONCE);
      if (eventIds.length > 0) await this.drift.noteVanished(sql, eventIds);
      return eventIds.at(-1);
    });
  }
}
