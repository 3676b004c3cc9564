import { Role } from '@weir/contracts';
import { z } from 'zod';

const isLoopback = ({ hostname }: URL) => ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
/** Codes and tokens pass through it. A development machine may do without TLS. */
export const secureUrl = z
  .url({ protocol: /^https?$/ })
  .refine((text) => text.startsWith('https:') || isLoopback(new URL(text)), 'must begin with https://');

/** A group of the identity provider, and what its people get. */
const Grant = z.object({ group: z.string().min(1), workspaceId: z.string().min(1), role: Role });
export type Grant = z.output<typeof Grant>;

export const oidcGrants = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue('must be JSON');
      return z.NEVER;
    }
  })
  .pipe(z.array(Grant).min(1));

/** The settings of sign-in by OpenID Connect in the environment. The issuer switches it on. */
export interface OidcEnv {
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
  OIDC_GROUPS_CLAIM: string;
  OIDC_GRANTS?: Grant[] | undefined;
  CONSOLE_URL?: string | undefined;
}

const NEEDED = ['OIDC_CLIENT_ID', 'OIDC_GRANTS', 'CONSOLE_URL'] as const;

/** The settings that an issuer lacks. */
export const missingOf = (env: OidcEnv): string[] =>
  env.OIDC_ISSUER === undefined ? [] : NEEDED.filter((name) => env[name] === undefined);

export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  groupsClaim: string;
  grants: readonly Grant[];
  /** Origin of the console, as browsers see it. */
  origin: string;
}

/** Undefined without an issuer. */
export function oidcSettings(env: OidcEnv): OidcSettings | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_GRANTS: given, CONSOLE_URL: url } = env;
  if (issuer === undefined || clientId === undefined || given === undefined || url === undefined) return undefined;
  const { OIDC_CLIENT_SECRET: clientSecret, OIDC_GROUPS_CLAIM: groupsClaim } = env;
  return { issuer, clientId, clientSecret, groupsClaim, grants: given, origin: new URL(url).origin };
}
