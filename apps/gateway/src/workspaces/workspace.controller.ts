import { Controller, Get } from '@nestjs/common';
import { Caller, type Principal } from '../auth/principal.js';
import { Api } from '../http/api.js';
import { OwnWorkspace } from './workspace.schemas.js';

@Controller('v2/workspace')
export class WorkspaceController {
  @Get()
  @Api({ summary: 'The workspace of this token', area: 'inventory', access: 'read', reply: OwnWorkspace })
  get(@Caller() { workspaceId, workspaceName, allowFetch }: Principal) {
    return {
      workspace: {
        id: workspaceId,
        name: workspaceName,
        allowFetch,
        environment: 'PRODUCTION' as const,
        status: 'ACTIVE' as const,
        region: 'US' as const,
      },
    };
  }
}
