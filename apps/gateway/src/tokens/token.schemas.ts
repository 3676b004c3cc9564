import { Ksuid, Role, Timestamp } from '@weir/contracts';
import { z } from 'zod';
import { bodyId, instant, nameText, Paging, pageNumber } from '../http/fields.js';

const owned = {
  email: z.email('must be an e-mail address').max(254),
  name: nameText,
  role: Role,
  /** Without it, the token lives until it is revoked. */
  expiresAt: instant.refine((date) => date.getTime() > Date.now(), 'must be in the future').nullish(),
};

/** `POST /admin/access-tokens` */
export const CreateTokenBody = z.object({ workspaceId: bodyId, ...owned });
export type CreateTokenBody = z.output<typeof CreateTokenBody>;

/** `POST /v2/access-tokens`: uses the caller's workspace, and the caller's e-mail address if none is given. */
export const CreateOwnTokenBody = z.object({ ...owned, email: owned.email.optional() });
export type CreateOwnTokenBody = z.output<typeof CreateOwnTokenBody>;

export const AccessToken = z.object({
  id: Ksuid,
  workspaceId: Ksuid,
  email: z.string(),
  name: z.string(),
  role: Role,
  createdAt: Timestamp,
  expiresAt: Timestamp.optional(),
  lastUsedAt: Timestamp.optional(),
});
export type AccessToken = z.output<typeof AccessToken>;

/** Includes the token itself. No other answer ever holds it. */
export const CreatedToken = z.object({ accessToken: AccessToken.extend({ token: z.string() }) });
export const TokenList = z.object({ accessTokens: z.array(AccessToken), paging: Paging });

export const TokensQuery = z.object({ page: pageNumber });
export const AdminTokensQuery = TokensQuery.extend({ workspaceId: Ksuid });
