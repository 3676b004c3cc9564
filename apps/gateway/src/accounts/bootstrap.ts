import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, Database, newKsuid } from '@weir/service-kit';
import type { Config } from '../config.js';
import { hashOf } from './token.authenticator.js';
import { TokenRepository } from './token.repository.js';
import { WorkspaceRepository } from './workspace.repository.js';

const WORKSPACE_NAME = 'Default';

/** Creates the first workspace and its admin token (architecture section 7). Repeated starts create nothing more. */
@Injectable()
export class Bootstrap implements OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'bootstrap'>,
    private readonly database: Database,
    private readonly workspaces: WorkspaceRepository,
    private readonly tokens: TokenRepository,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { bootstrap } = this.config;
    if (!bootstrap) return;
    await this.database.transaction(async (tx) => {
      const { id: workspaceId } = await this.workspaces.ensureBootstrap(tx, { id: newKsuid(), name: WORKSPACE_NAME });
      const { email, token } = bootstrap;
      const row = { id: newKsuid(), workspaceId, email, name: 'bootstrap', role: 'admin', expiresAt: null } as const;
      await this.tokens.insertUnlessKnown(tx, { ...row, hash: hashOf(token) });
    });
  }
}
