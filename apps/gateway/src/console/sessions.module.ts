import { Module } from '@nestjs/common';
import { OperatorSessions } from './operator.sessions.js';
import { SessionAuthenticator } from './session.authenticator.js';
import { SessionRepository } from './session.repository.js';

/** The parts of sessions that both planes need. */
@Module({
  providers: [SessionRepository, SessionAuthenticator, OperatorSessions],
  exports: [SessionRepository, SessionAuthenticator, OperatorSessions],
})
export class SessionsModule {}
