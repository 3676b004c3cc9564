import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { INVENTORY_PAGE_SIZE } from '@weir/contracts';
import { CONFIG, Database, newKsuid, type Transaction } from '@weir/service-kit';
import type { Config } from '../config.js';
import { WorkspaceEntity } from '../inventory/inventory.entity.js';
import { TokenRepository } from './token.repository.js';
import { hashOf } from './token.service.js';

type NewWorkspace = Pick<WorkspaceEntity, 'id' | 'name'>;

@Injectable()
export class WorkspaceRepository {
  constructor(private readonly database: Database) {}

  async insert(tx: Transaction, workspace: NewWorkspace): Promise<WorkspaceEntity> {
    const workspaces = tx.getRepository(WorkspaceEntity);
    await workspaces.insert(workspace);
    return workspaces.findOneByOrFail({ id: workspace.id });
  }

  /** Undefined if there is no such workspace. */
  async setAllowFetch(tx: Transaction, id: string, allowFetch: boolean): Promise<WorkspaceEntity | undefined> {
    const workspaces = tx.getRepository(WorkspaceEntity);
    await workspaces.update({ id }, { allowFetch, updatedAt: () => 'now()' });
    return (await workspaces.findOneBy({ id })) ?? undefined;
  }

  /** One page, oldest first, and the number of all workspaces. */
  list(page: number): Promise<[rows: WorkspaceEntity[], total: number]> {
    return this.database.getRepository(WorkspaceEntity).findAndCount({
      order: { createdAt: 'ASC', id: 'ASC' },
      skip: (page - 1) * INVENTORY_PAGE_SIZE,
      take: INVENTORY_PAGE_SIZE,
    });
  }

  /** The bootstrap workspace. Creates it with these values if there is none. Safe to call from two processes at once. */
  async ensureBootstrap(tx: Transaction, { id, name }: NewWorkspace): Promise<WorkspaceEntity> {
    await tx.run(
      `INSERT INTO workspaces (id, name, is_bootstrap) VALUES ($1, $2, true)
       ON CONFLICT (is_bootstrap) WHERE is_bootstrap DO NOTHING`,
      [id, name],
    );
    return tx.getRepository(WorkspaceEntity).findOneByOrFail({ isBootstrap: true });
  }
}

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
