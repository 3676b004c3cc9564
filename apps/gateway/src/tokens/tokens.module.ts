import { Module } from '@nestjs/common';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { Bootstrap } from './bootstrap.js';
import { TokenAuthenticator } from './token.authenticator.js';
import { TokenRepository } from './token.repository.js';
import { TokenService } from './token.service.js';

/** What both planes need of tokens; the routes are the control plane's (`app.module.ts`). */
@Module({
  imports: [WorkspacesModule],
  providers: [TokenRepository, TokenAuthenticator, TokenService, Bootstrap],
  exports: [TokenAuthenticator, TokenService],
})
export class TokensModule {}
