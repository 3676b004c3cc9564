import { Module } from '@nestjs/common';
import { TokensModule } from '../accounts/accounts.module.js';
import { ActsModule } from '../acts/acts.module.js';
import { ConsoleFiles } from './console.files.js';
import { LinkRepository } from './link.repository.js';
import { OidcController } from './oidc.controller.js';
import { OidcProvider } from './oidc.provider.js';
import { OperatorController } from './operator.controller.js';
import { SessionController } from './session.controller.js';
import { SessionService } from './session.service.js';
import { SessionExpiry } from './session-expiry.js';
import { SessionsModule } from './sessions.module.js';

/** The parts of the gateway that only the console needs: sign-in, sessions, and its files. */
@Module({
  imports: [TokensModule, SessionsModule, ActsModule],
  controllers: [SessionController, OidcController, OperatorController],
  providers: [SessionService, LinkRepository, SessionExpiry, ConsoleFiles, OidcProvider],
})
export class ConsoleModule {}
