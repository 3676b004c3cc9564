import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { notFound } from '@weir/contracts';
import { Database, newKsuid } from '@weir/service-kit';
import type { z } from 'zod';
import { recordAct } from '../acts/acting.js';
import { Api } from '../http/api.js';
import { pagingOf } from '../http/lists.js';
import { Caller, type Principal } from '../http/principal.js';
import type { WorkspaceEntity } from '../inventory/inventory.entity.js';
import { InventoryWriter } from '../inventory/inventory.writer.js';
import {
  CreateWorkspaceBody,
  OwnWorkspace,
  UpdateWorkspaceBody,
  type Workspace,
  WorkspaceList,
  WorkspacePath,
  WorkspaceReply,
  WorkspacesQuery,
} from './account.schemas.js';
import { WorkspaceRepository } from './workspace.repository.js';

@Controller()
export class WorkspaceController {
  @Get('/v2/workspace')
  @Api({
    summary: 'Get the workspace of this token, and its role',
    area: 'inventory',
    access: 'whoami',
    reply: OwnWorkspace,
  })
  get(@Caller() { workspaceId, workspaceName, allowFetch, email, role }: Principal) {
    return {
      workspace: {
        id: workspaceId,
        name: workspaceName,
        allowFetch,
        environment: 'PRODUCTION' as const,
        status: 'ACTIVE' as const,
        region: 'US' as const,
      },
      caller: { email, role },
    };
  }
}

/** Workspaces, for the operator. */
@Controller()
export class AdminWorkspaceController {
  constructor(
    private readonly database: Database,
    private readonly workspaces: WorkspaceRepository,
    private readonly writer: InventoryWriter,
  ) {}

  @Post('/admin/workspaces')
  @Api({
    summary: 'Create a workspace',
    area: 'admin',
    access: 'write',
    body: CreateWorkspaceBody,
    reply: WorkspaceReply,
    status: 201,
  })
  create(@Body() { name }: CreateWorkspaceBody) {
    const id = newKsuid();
    return this.database.transaction(async (tx) => {
      await recordAct(tx, { kind: 'workspace', id, workspaceId: id });
      return { workspace: shown(await this.workspaces.insert(tx, { id, name })) };
    });
  }

  @Get('/admin/workspaces')
  @Api({
    summary: 'List the workspaces',
    area: 'admin',
    access: 'read',
    query: WorkspacesQuery,
    reply: WorkspaceList,
  })
  async list(@Query() { page }: z.output<typeof WorkspacesQuery>) {
    const [rows, total] = await this.workspaces.list(page);
    return { workspaces: rows.map(shown), paging: pagingOf('/admin/workspaces', page, total) };
  }

  @Patch('/admin/workspaces/:id')
  @Api({
    summary: 'Change what user code of a workspace may do. Takes effect before the answer',
    area: 'admin',
    access: 'write',
    params: WorkspacePath,
    body: UpdateWorkspaceBody,
    reply: WorkspaceReply,
    errors: ['unavailable'],
  })
  update(@Param() { id }: z.output<typeof WorkspacePath>, @Body() { allowFetch }: UpdateWorkspaceBody) {
    return this.writer.write(async (tx, tell) => {
      const row = await this.workspaces.setAllowFetch(tx, id, allowFetch);
      if (!row) throw notFound('workspace');
      await tell('workspace', id);
      return { workspace: shown(row) };
    });
  }
}

const shown = ({ id, name, allowFetch, createdAt, updatedAt }: WorkspaceEntity): Workspace => ({
  ...{ id, name, allowFetch },
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});
