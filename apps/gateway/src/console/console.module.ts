import { Module } from '@nestjs/common';
import { TokensModule } from '../accounts/accounts.module.js';
import { ActsModule } from '../acts/acts.module.js';
import { LinkRepository } from './link.repository.js';
import { SessionController } from './session.controller.js';
import { SessionService } from './session.service.js';
import { SessionExpiry } from './session-expiry.js';
import { SessionsModule } from './sessions.module.js';

/** What the console needs of the gateway beside the API: sign-in and sessions. */
@Module({
  imports: [TokensModule, SessionsModule, ActsModule],
  controllers: [SessionController],
  providers: [SessionService, LinkRepository, SessionExpiry],
})
export class ConsoleModule {}
