import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DeadLetterRepository } from './dead-letter.repository.js';

const EVERY_MS = 3_600_000;

/** Removes old dead letters every hour. They may hold any user's data, and no deletion can reach them. */
@Injectable()
export class DeadLetterRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DeadLetterRetention.name);
  private timer: NodeJS.Timeout | undefined;
  private running = Promise.resolve();

  constructor(private readonly deadLetters: DeadLetterRepository) {}

  onApplicationBootstrap(): void {
    this.remove();
    this.timer = setInterval(() => this.remove(), EVERY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private remove(): void {
    this.running = this.deadLetters.removeOld().catch((error: Error) => {
      this.logger.warn(`old dead letters stay for now: ${error.message}`);
    });
  }
}
