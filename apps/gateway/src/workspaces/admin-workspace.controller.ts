import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { newKsuid } from '@weir/service-kit';
import type { z } from 'zod';
import { Api } from '../http/api.js';
import { pagingOf } from '../http/fields.js';
import { WorkspaceRepository, type WorkspaceRow } from './workspace.repository.js';
import {
  CreateWorkspaceBody,
  type Workspace,
  WorkspaceList,
  WorkspaceReply,
  WorkspacesQuery,
} from './workspace.schemas.js';

/** Workspaces, for the operator. */
@Controller('admin/workspaces')
export class AdminWorkspaceController {
  constructor(private readonly workspaces: WorkspaceRepository) {}

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
}

const shown = ({ createdAt, updatedAt, ...rest }: WorkspaceRow): Workspace => ({
  ...rest,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});
