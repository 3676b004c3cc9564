import { Ksuid, ROLES, Timestamp } from '@weir/contracts';
import { z } from 'zod';
import { pageNumber, pathId } from '../http/fields.js';
import { Paging } from '../http/lists.js';

/** No credential is longer. */
const CREDENTIAL_CHARS_MAX = 512;
const credential = z.string().min(1).max(CREDENTIAL_CHARS_MAX);

/** `POST /console/session` */
export const SignInBody = z
  .union(
    [
      z.strictObject({ code: credential.meta({ description: 'Code of a link that signs in once' }) }),
      z.strictObject({
        token: credential.meta({ description: 'Access token' }),
        email: z.string().max(CREDENTIAL_CHARS_MAX).optional().meta({
          description: 'If given, the e-mail address of the token',
        }),
      }),
    ],
    'must hold either the code of a link, or an access token',
  )
  .meta({ id: 'SignIn', examples: [{ token: 'weir_…' }] });
export type SignInBody = z.output<typeof SignInBody>;

const Session = z
  .object({
    id: Ksuid,
    email: z.string(),
    role: z.enum(ROLES),
    method: z.enum(['link', 'token', 'oidc']).meta({ description: 'How the person signed in' }),
    userAgent: z.string().meta({ description: 'The browser as it names itself, shortened' }),
    createdAt: Timestamp,
    lastSeenAt: Timestamp.meta({ description: 'Last use, to the minute' }),
    expiresAt: Timestamp.meta({ description: 'The session ends then, or earlier after two hours without a request' }),
  })
  .meta({ id: 'Session' });
export type Session = z.output<typeof Session>;

/** Who is signed in, where, and what the role may do. */
export const SignedIn = z
  .object({
    session: Session,
    workspace: z.object({ id: Ksuid, name: z.string(), allowFetch: z.boolean() }),
    capabilities: z
      .record(z.string(), z.array(z.string()))
      .meta({ description: 'Rights of the role, by area of the API: `{"deliveries": ["read", "write"]}`' }),
  })
  .meta({ id: 'SignedIn' });
export type SignedIn = z.output<typeof SignedIn>;

export const SessionsQuery = z.object({ page: pageNumber });
export const SessionPath = z.object({ id: pathId('session') });
export const SessionList = z.object({
  sessions: z.array(Session.extend({ isCurrent: z.boolean().meta({ description: 'The session of this request' }) })),
  paging: Paging,
});

export const SignInLink = z
  .object({
    code: z.string().meta({ description: 'Only in this answer. Signs in once' }),
    path: z.string().meta({ description: 'Opens the console and signs in. Browsers never send the part behind #' }),
    expiresAt: Timestamp,
  })
  .meta({ id: 'SignInLink' });
export type SignInLink = z.output<typeof SignInLink>;
