import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '@weir/messaging';
import { OperatorSessions } from './operator.sessions.js';
import { SessionRepository } from './session.repository.js';

/** An ended session counts as ended at once. Its row may stay this long. */
const INTERVAL_MS = 600_000;

/** Deletes the rows of ended sessions and links. Several gateways may do so at once. */
@Injectable()
export class SessionExpiry implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds;

  constructor(sessions: SessionRepository, operators: OperatorSessions) {
    this.rounds = new Periodic({
      task: 'remove ended sessions',
      everyMs: INTERVAL_MS,
      run: () => Promise.all([sessions.removeOld(), operators.removeOld()]),
      log: new Logger(SessionExpiry.name),
      jitter: 0.1,
    });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }
}
