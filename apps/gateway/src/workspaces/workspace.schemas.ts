import { Ksuid, Timestamp } from '@weir/contracts';
import { z } from 'zod';
import { nameText, Paging, pageNumber, pathId } from '../http/fields.js';

export const CreateWorkspaceBody = z.object({ name: nameText });
export type CreateWorkspaceBody = z.output<typeof CreateWorkspaceBody>;

export const WorkspacePath = z.object({ id: pathId('workspace') });

const allowFetch = z.boolean().meta({ description: 'Whether user code may call fetch: off unless it is changed' });
export const UpdateWorkspaceBody = z.object({ allowFetch });
export type UpdateWorkspaceBody = z.output<typeof UpdateWorkspaceBody>;

const Workspace = z.object({ id: Ksuid, name: z.string(), allowFetch, createdAt: Timestamp, updatedAt: Timestamp });
export type Workspace = z.output<typeof Workspace>;

export const WorkspaceReply = z.object({ workspace: Workspace });
export const WorkspaceList = z.object({ workspaces: z.array(Workspace), paging: Paging });
export const WorkspacesQuery = z.object({ page: pageNumber });

/** The workspace of the caller's token, as clients read it (wire-facts 5). Weir has one environment and one region. */
export const OwnWorkspace = z.object({
  workspace: Workspace.pick({ id: true, name: true, allowFetch: true }).extend({
    environment: z.literal('PRODUCTION'),
    status: z.literal('ACTIVE'),
    region: z.literal('US'),
  }),
});
