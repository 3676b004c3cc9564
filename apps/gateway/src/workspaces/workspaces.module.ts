import { Module } from '@nestjs/common';
import { WorkspaceRepository } from './workspace.repository.js';

@Module({ providers: [WorkspaceRepository], exports: [WorkspaceRepository] })
export class WorkspacesModule {}
