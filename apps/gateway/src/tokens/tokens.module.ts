import { Module } from '@nestjs/common';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { Bootstrap } from './bootstrap.js';
import { TokenAuthenticator } from './token.authenticator.js';
import { TokenRepository } from './token.repository.js';
import { TokenService } from './token.service.js';

/** The parts of tokens that both planes need. Their routes belong to the control plane (`app.module.ts`). */
@Module({
  imports: [WorkspacesModule],
  providers: [TokenRepository, TokenAuthenticator, TokenService, Bootstrap],
  exports: [TokenAuthenticator, TokenService],
})
export class TokensModule {}
