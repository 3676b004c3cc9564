import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TokensModule } from '../accounts/accounts.module.js';
import { SessionsModule } from '../console/session.authenticator.js';
import { AccessGuard, AdminGuard, TokenGuard } from './access.guard.js';
import { AdminGuesses } from './admin-guesses.js';
import { AdminStrategy, TokenBasicStrategy, TokenBearerStrategy } from './strategies.js';

/** Authentication and authorization: one guard before every route. */
@Module({
  imports: [TokensModule, SessionsModule],
  providers: [
    TokenBasicStrategy,
    TokenBearerStrategy,
    AdminStrategy,
    TokenGuard,
    AdminGuard,
    AdminGuesses,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
})
export class AuthModule {}
