import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '@weir/messaging';
import { PrivacyRepository } from './privacy.repository.js';

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

  /** Removes what is left of all sources. */
  async sweep(): Promise<void> {
    for (const writeKey of await this.privacy.forgetting()) {
      while (!this.sweeps.isStopped && (await this.privacy.forgetSome(writeKey)));
    }
  }
}
