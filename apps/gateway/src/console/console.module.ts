import { Injectable, Logger, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '@weir/messaging';
import { TokensModule } from '../accounts/accounts.module.js';
import { ActsModule } from '../acts/acts.module.js';
import { ConsoleFiles } from './console.files.js';
import { LinkRepository } from './link.repository.js';
import { OidcController } from './oidc.controller.js';
import { OidcProvider } from './oidc.provider.js';
import { OperatorController } from './operator.controller.js';
import { OperatorSessions } from './operator.sessions.js';
import { SessionsModule } from './session.authenticator.js';
import { SessionController } from './session.controller.js';
import { SessionRepository } from './session.repository.js';
import { SessionService } from './session.service.js';

/** An ended session counts as ended at once. Its row may stay this long. */
const INTERVAL_MS = 600_000;

/** Deletes the rows of ended sessions and links. Several gateways may do so at once. */
@Injectable()
class SessionExpiry implements OnApplicationBootstrap, OnModuleDestroy {
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

/** The parts of the gateway that only the console needs: sign-in, sessions, and its files. */
@Module({
  imports: [TokensModule, SessionsModule, ActsModule],
  controllers: [SessionController, OidcController, OperatorController],
  providers: [SessionService, LinkRepository, SessionExpiry, ConsoleFiles, OidcProvider],
})
export class ConsoleModule {}
