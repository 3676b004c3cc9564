import { Module } from '@nestjs/common';
import { SessionAuthenticator } from './session.authenticator.js';
import { SessionRepository } from './session.repository.js';

/** The parts of sessions that both planes need. */
@Module({
  providers: [SessionRepository, SessionAuthenticator],
  exports: [SessionRepository, SessionAuthenticator],
})
export class SessionsModule {}
