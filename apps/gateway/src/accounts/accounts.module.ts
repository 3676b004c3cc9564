import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.js';
import { InventoryModule } from '../inventory/inventory.module.js';
import { AdminTokenController, TokenController } from './token.controller.js';
import { TokenRepository } from './token.repository.js';
import { TokenAuthenticator, TokenService } from './token.service.js';
import { AdminWorkspaceController, WorkspaceController } from './workspace.controller.js';
import { Bootstrap, WorkspaceRepository } from './workspace.repository.js';

/** The parts of workspaces and tokens that both planes need. */
@Module({
  providers: [WorkspaceRepository, TokenRepository, TokenAuthenticator, Bootstrap],
  exports: [WorkspaceRepository, TokenRepository, TokenAuthenticator],
})
export class TokensModule {}

/** Routes of the control plane for workspaces and access tokens. */
@Module({
  imports: [TokensModule, InventoryModule, ActsModule],
  controllers: [AdminWorkspaceController, WorkspaceController, AdminTokenController, TokenController],
  providers: [TokenService],
})
export class AccountsModule {}
