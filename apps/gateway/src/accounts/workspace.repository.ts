import { Injectable } from '@nestjs/common';
import { INVENTORY_PAGE_SIZE } from '@weir/contracts';
import { Database, type Transaction } from '@weir/service-kit';
import { WorkspaceEntity } from '../inventory/inventory.entity.js';

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
