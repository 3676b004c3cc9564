import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SessionRepository } from './session.repository.js';

/** An ended session counts as ended at once. Its row may stay this long. */
const INTERVAL_MS = 600_000;

/** Deletes the rows of ended sessions and links. Several gateways may do so at once. */
@Injectable()
export class SessionExpiry implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(SessionExpiry.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly sessions: SessionRepository) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.removeOld(), INTERVAL_MS);
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private async removeOld(): Promise<void> {
    await this.sessions.removeOld().catch((error: Error) => {
      this.logger.warn(`cannot remove ended sessions yet: ${error.message}`);
    });
  }
}
