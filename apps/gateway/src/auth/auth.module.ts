import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TokensModule } from '../tokens/tokens.module.js';
import { AccessGuard } from './access.guard.js';
import { AdminStrategy } from './admin.strategy.js';
import { AdminGuesses } from './admin-guesses.js';
import { AdminGuard, TokenGuard } from './guards.js';
import { AuthThrottle } from './throttle.js';
import { TokenBasicStrategy } from './token-basic.strategy.js';
import { TokenBearerStrategy } from './token-bearer.strategy.js';

/** Authentication and authorization: one guard before every route. */
@Module({
  imports: [TokensModule],
  providers: [
    TokenBasicStrategy,
    TokenBearerStrategy,
    AdminStrategy,
    TokenGuard,
    AdminGuard,
    AuthThrottle,
    AdminGuesses,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
})
export class AuthModule {}
