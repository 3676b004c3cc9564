import { Ksuid, Role, Timestamp } from '@weir/contracts';
import { z } from 'zod';
import { bodyId, instant, nameText, pageNumber, pathId } from '../http/fields.js';
import { Paging } from '../http/lists.js';

const owned = {
  email: z.email('must be an e-mail address').max(254),
  name: nameText,
  role: Role,
  /** Without it, the token lives until it is revoked. */
  expiresAt: instant.refine((date) => date.getTime() > Date.now(), 'must be in the future').nullish(),
};

/** `POST /admin/access-tokens` */
export const CreateTokenBody = z.object({ workspaceId: bodyId, ...owned }).meta({
  id: 'CreateWorkspaceAccessToken',
  examples: [{ workspaceId: '2nVbmVzvVS3oSZWHUWDq4pRdEWT', email: 'ada@example.com', name: 'CI', role: 'read-write' }],
});
export type CreateTokenBody = z.output<typeof CreateTokenBody>;

/** `POST /v2/access-tokens`: uses the caller's workspace, and the caller's e-mail address if none is given. */
export const CreateOwnTokenBody = z
  .object({ ...owned, email: owned.email.optional() })
  .meta({ id: 'CreateAccessToken', examples: [{ name: 'CI', role: 'read-write' }] });
export type CreateOwnTokenBody = z.output<typeof CreateOwnTokenBody>;

export const AccessToken = z
  .object({
    id: Ksuid,
    workspaceId: Ksuid,
    email: z.string(),
    name: z.string(),
    role: Role,
    createdAt: Timestamp,
    expiresAt: Timestamp.optional(),
    lastUsedAt: Timestamp.optional(),
  })
  .meta({ id: 'AccessToken' });
export type AccessToken = z.output<typeof AccessToken>;

/** Includes the token itself. No other answer ever holds it. */
export const CreatedToken = z
  .object({ accessToken: AccessToken.extend({ token: z.string().meta({ description: 'Only in this answer' }) }) })
  .meta({ id: 'CreatedAccessToken' });
export const TokenList = z.object({ accessTokens: z.array(AccessToken), paging: Paging });

export const TokensQuery = z.object({ page: pageNumber });
export const AdminTokensQuery = TokensQuery.extend({ workspaceId: Ksuid.meta({ description: 'Id of the workspace' }) });

export const CreateWorkspaceBody = z
  .object({ name: nameText })
  .meta({ id: 'CreateWorkspace', examples: [{ name: 'Shop' }] });
export type CreateWorkspaceBody = z.output<typeof CreateWorkspaceBody>;

export const WorkspacePath = z.object({ id: pathId('workspace') });

const allowFetch = z.boolean().meta({ description: 'Whether user code may call fetch. Off by default' });
export const UpdateWorkspaceBody = z
  .object({ allowFetch })
  .meta({ id: 'UpdateWorkspace', examples: [{ allowFetch: true }] });
export type UpdateWorkspaceBody = z.output<typeof UpdateWorkspaceBody>;

const Workspace = z
  .object({ id: Ksuid, name: z.string(), allowFetch, createdAt: Timestamp, updatedAt: Timestamp })
  .meta({ id: 'Workspace' });
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
  caller: z
    .object({ email: z.string(), role: Role })
    .meta({ description: 'Whom the token belongs to, and what it may do' }),
});
