import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { notFound } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import type { z } from 'zod';
import { Api } from '../http/api.js';
import { pagingOf } from '../http/fields.js';
import { InventoryWriter } from '../inventory/inventory.writer.js';
import { WorkspaceRepository, type WorkspaceRow } from './workspace.repository.js';
import {
  CreateWorkspaceBody,
  UpdateWorkspaceBody,
  type Workspace,
  WorkspaceList,
  WorkspacePath,
  WorkspaceReply,
  WorkspacesQuery,
} from './workspace.schemas.js';

/** Workspaces, for the operator. */
@Controller('admin/workspaces')
export class AdminWorkspaceController {
  constructor(
    private readonly workspaces: WorkspaceRepository,
    private readonly writer: InventoryWriter,
  ) {}

  @Post()
  @Api({
    summary: 'Create a workspace',
    area: 'admin',
    access: 'write',
    body: CreateWorkspaceBody,
    reply: WorkspaceReply,
    status: 201,
  })
  async create(@Body() { name }: CreateWorkspaceBody) {
    return { workspace: shown(await this.workspaces.insert({ id: newKsuid(), name })) };
  }

  @Get()
  @Api({
    summary: 'List the workspaces',
    area: 'admin',
    access: 'read',
    query: WorkspacesQuery,
    reply: WorkspaceList,
  })
  async list(@Query() { page }: z.output<typeof WorkspacesQuery>) {
    const [rows, total] = await Promise.all([this.workspaces.list(page), this.workspaces.count()]);
    return { workspaces: rows.map(shown), paging: pagingOf('/admin/workspaces', page, total) };
  }

  @Patch(':id')
  @Api({
    summary: 'Change what a workspace allows its user code; in force with the answer',
    area: 'admin',
    access: 'write',
    params: WorkspacePath,
    body: UpdateWorkspaceBody,
    reply: WorkspaceReply,
    errors: ['unavailable'],
  })
  update(@Param() { id }: z.output<typeof WorkspacePath>, @Body() { allowFetch }: UpdateWorkspaceBody) {
    return this.writer.write(async (sql, tell) => {
      const row = await this.workspaces.setAllowFetch(sql, id, allowFetch);
      if (!row) throw notFound('workspace');
      await tell('workspace', id);
      return { workspace: shown(row) };
    });
  }
}

const shown = ({ createdAt, updatedAt, ...rest }: WorkspaceRow): Workspace => ({
  ...rest,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});
