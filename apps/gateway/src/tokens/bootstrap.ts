import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Sql } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../config.js';
import { WorkspaceRepository } from '../workspaces/workspace.repository.js';
import { TokenRepository } from './token.repository.js';
import { hashOf } from './token.rules.js';

const WORKSPACE_NAME = 'Default';

/** Creates the first workspace and its admin token (architecture section 7). Repeated starts create nothing more. */
@Injectable()
export class Bootstrap implements OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'bootstrap'>,
    private readonly database: DataSource,
    private readonly workspaces: WorkspaceRepository,
    private readonly tokens: TokenRepository,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { bootstrap } = this.config;
    if (!bootstrap) return;
    await this.database.transaction(async (sql: Sql) => {
      const { id: workspaceId } = await this.workspaces.ensureBootstrap({ id: newKsuid(), name: WORKSPACE_NAME }, sql);
      const { email, token } = bootstrap;
      const row = { id: newKsuid(), workspaceId, email, name: 'bootstrap', role: 'admin', expiresAt: null } as const;
      await this.tokens.insert({ ...row, hash: hashOf(token) }, sql);
    });
  }
}
