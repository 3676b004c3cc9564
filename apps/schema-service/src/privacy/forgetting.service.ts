import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { failedOf, isNobodysFault, noteIn, Periodic, throwFirst } from '@weir/messaging';
import { FIRST_ID, PrivacyRepository } from './privacy.repository.js';

const EVERY_MS = 5_000;
/** How long a call that switches samples off waits for the removal. Sources of the usual size are empty by then. */
const CALL_MS = 5_000;

/** Removes samples and values of sources that switched them off. Continues where a killed process stopped. */
@Injectable()
export class ForgettingService implements OnApplicationBootstrap, OnModuleDestroy {
  /** Shorter in tests. */
  callMs = CALL_MS;
  private readonly sweeps = new Periodic({
    task: 'remove samples that are off',
    everyMs: EVERY_MS,
    run: () => this.sweep(),
    log: new Logger(ForgettingService.name),
  });

  constructor(private readonly privacy: PrivacyRepository) {}

  onApplicationBootstrap(): void {
    this.sweeps.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.sweeps.stop();
  }

  /** Removes as much of the source as fits the time of one call. */
  async forget(writeKey: string): Promise<void> {
    const endAt = performance.now() + this.callMs;
    while ((await this.privacy.forgetSome(writeKey)) && performance.now() < endAt);
  }

  /** Removes what is left of all sources. A source that fails holds up no other. */
  async sweep(): Promise<void> {
    const failures: unknown[] = [];
    for (let after: string | undefined = ''; after !== undefined && !this.sweeps.isStopped; ) {
      const writeKeys: string[] = await this.privacy.forgetting(after);
      for (const writeKey of writeKeys) {
        await this.sweepSource(writeKey).catch(noteIn(failures));
      }
      after = writeKeys.at(-1);
    }
    throwFirst(failures);
  }

  private async sweepSource(writeKey: string): Promise<void> {
    try {
      while (!this.sweeps.isStopped && (await this.privacy.forgetSome(writeKey)));
    } catch (error) {
      if (isNobodysFault(error)) throw error;
      await this.sweepModels(writeKey);
    }
  }

  /** A model that fails holds up no other of its source. The source stays unfinished because of it, and is tried again. */
  private async sweepModels(writeKey: string): Promise<void> {
    const failures: unknown[] = [];
    for (let after: string | undefined = FIRST_ID; after !== undefined && !this.sweeps.isStopped; ) {
      const eventIds: string[] = await this.privacy.holding(writeKey, after);
      const failed = await failedOf(eventIds, (some) => this.privacy.forgetModels(writeKey, some));
      failures.push(...failed.values());
      after = eventIds.at(-1);
    }
    throwFirst(failures);
  }
}
