import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PrivacyRepository } from './privacy.repository.js';

const EVERY_MS = 5_000;
/** How long a call that switches samples off waits for the removal. Sources of the usual size are empty by then. */
const CALL_MS = 5_000;

/** Removes samples and values of sources that switched them off. Continues where a killed process stopped. */
@Injectable()
export class ForgettingService implements OnApplicationBootstrap, OnModuleDestroy {
  /** Shorter in tests. */
  callMs = CALL_MS;
  private readonly logger = new Logger(ForgettingService.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopped = false;

  constructor(private readonly privacy: PrivacyRepository) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running ??= this.sweep()
        .catch((error: Error) => this.logger.warn(`samples that are off are removed later: ${error.message}`))
        .finally(() => {
          this.running = undefined;
        });
    }, EVERY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Removes as much of the source as fits the time of one call. */
  async forget(writeKey: string): Promise<void> {
    const endAt = performance.now() + this.callMs;
    while ((await this.privacy.forgetSome(writeKey)) && performance.now() < endAt);
  }

  /** Removes what is left of all sources. */
  async sweep(): Promise<void> {
    for (const writeKey of await this.privacy.forgetting()) {
      while (!this.stopped && (await this.privacy.forgetSome(writeKey)));
    }
  }
}
