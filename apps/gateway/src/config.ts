import {
  baseEnv,
  bindAddress,
  databaseConfig,
  databaseEnv,
  incompleteEnvironment,
  isPlaceholderPassword,
  loadConfig,
  processConfig,
  secretKeys,
} from '@weir/service-kit';
import { z } from 'zod';
import { missingOf, oidcGrants, oidcSettings, secureUrl } from './console/oidc.config.js';
import { AREAS } from './http/areas.js';
import { keysEnd } from './rotation/keys-end.js';

const PLANES = ['control', 'data'] as const;

/** Later stages sustain less, so this default only stops accidents. */
const EVENTS_PER_SECOND_DEFAULT = 100_000;
/** About what one core can parse. Who sends more would take the time of all others. */
const BYTES_PER_SECOND_DEFAULT = 67_108_864;
/** A write key is public. With this, whoever has one may take half of what the sources of its workspace may send. */
const WORKSPACE_TIMES_SOURCE = 2;
const positive = z.coerce.number().int().positive();
/** Passwords with fewer characters can be guessed even at a slow rate. */
const PASSWORD_CHARS_MIN = 12;
/** Passwords with fewer different characters are a pattern. */
const PASSWORD_DIFFERENT_CHARS_MIN = 5;

const Env = z
  .object({
    ...baseEnv,
    ...databaseEnv,
    /** HTTP port of both planes. */
    PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
    /** Address that this port binds. Containers set 0.0.0.0, or :: on IPv6 networks. */
    HOST: bindAddress,
    /**
     * Proxies whose X-Forwarded-For is trusted, as addresses or blocks: `10.0.0.0/8,fd00::/8`. Without it, all clients behind a
     * proxy share its address, and so share the limits per address.
     */
    TRUSTED_PROXIES: z
      .string()
      .default('')
      .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
      .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be addresses or blocks'))),
    /** Planes that this process serves. For example, `control` on a private address and `data` in public. */
    GATEWAY_PLANES: z
      .string()
      .default('control,data')
      .transform((text) => text.split(',').map((plane) => plane.trim()))
      .pipe(z.array(z.enum(PLANES)).min(1)),
    /**
     * Port that serves every area, for operators inside a network. With it, PORT serves the PUBLIC_AREAS only. Without it, PORT serves
     * everything.
     */
    PRIVATE_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
    /** Areas that PORT serves beside a PRIVATE_PORT. With `console`, its sessions reach the schemas too. */
    PUBLIC_AREAS: z
      .string()
      .default(AREAS.filter((area) => area !== 'admin' && area !== 'schemas').join())
      .transform((text) => text.split(',').map((area) => area.trim()))
      .pipe(z.array(z.enum(AREAS))),
    /** `all`: /readyz waits for all processes of Weir (the local stack). */
    READY_SCOPE: z.enum(['self', 'all']).default('self'),
    /** Key that seals the configuration of destinations. */
    WEIR_ENCRYPTION_KEY: secretKeys,
    /**
     * Days on which you want keys replaced: `REGULATION_RECEIPT_KEY=2027-06-01,SCHEMA_PEPPER=2027-06-01`. The metric
     * `weir_key_end_timestamp_seconds` has them for the alert WeirKeyEnds.
     */
    KEYS_END: keysEnd,
    /** User of the admin pair, for area D and /admin. Nobody gets access while it is unset. */
    SERVICE_ADMIN_USER: z.string().min(1).optional(),
    /**
     * Password of the admin pair. Set both or neither. Needs at least 12 characters that are hard to guess, unless HOST is a
     * loopback address of a development machine.
     */
    SERVICE_ADMIN_PASSWORD: z.string().min(1).optional(),
    /** Owner of BOOTSTRAP_ACCESS_TOKEN. */
    BOOTSTRAP_EMAIL: z.email().default('admin@example.com'),
    /** If set, a first workspace with this admin token exists after the start. */
    BOOTSTRAP_ACCESS_TOKEN: z.string().min(16).optional(),
    /** `false` serves neither the console nor its sign-in, and takes no session cookies. */
    CONSOLE_ENABLED: z.enum(['true', 'false']).default('true'),
    /** Folder of the built console. Default: `apps/console/dist` beside the gateway. */
    CONSOLE_DIR: z.string().min(1).optional(),
    /** Address of the OpenID Connect provider that people sign in to the console with. */
    OIDC_ISSUER: secureUrl.optional(),
    /** Client of Weir at the provider. */
    OIDC_CLIENT_ID: z.string().min(1).optional(),
    /** Its secret. A public client has none. */
    OIDC_CLIENT_SECRET: z.string().min(1).optional(),
    /** Claim with the groups of a person, in the ID token or the user info. */
    OIDC_GROUPS_CLAIM: z.string().min(1).default('groups'),
    /**
     * Who gets in, as JSON: `[{"group":"data","workspaceId":"…","role":"write"}]`. The first group of the list that a person has
     * decides.
     */
    OIDC_GRANTS: oidcGrants.optional(),
    /**
     * Address under which browsers reach this server: `https://weir.example.com`. The provider sends people back to
     * `/console/callback` below it.
     */
    CONSOLE_URL: secureUrl.optional(),
    /** Events per second that this process accepts from one source. More get 429. */
    INTAKE_SOURCE_EVENTS_PER_SECOND: positive.default(EVENTS_PER_SECOND_DEFAULT),
    /** Bytes of bodies per second, after decompression, that this process accepts from one source. More get 429. */
    INTAKE_SOURCE_BYTES_PER_SECOND: positive.default(BYTES_PER_SECOND_DEFAULT),
    /** Events per second that this process accepts from all sources of one workspace. Twice what one source may send by default. */
    INTAKE_WORKSPACE_EVENTS_PER_SECOND: positive.optional(),
    /** Bytes of bodies per second, after decompression, from all sources of one workspace. Twice those of one source by default. */
    INTAKE_WORKSPACE_BYTES_PER_SECOND: positive.optional(),
    /** `production` refuses to start with placeholder secrets. The gateway then also requires the admin pair. */
    NODE_ENV: z.string().optional(),
  })
  .refine((env) => Boolean(env.SERVICE_ADMIN_USER) === Boolean(env.SERVICE_ADMIN_PASSWORD), {
    path: ['SERVICE_ADMIN_USER'],
    error: 'SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD belong together',
  })
  .refine((env) => env.NODE_ENV !== 'production' || env.SERVICE_ADMIN_PASSWORD, {
    path: ['SERVICE_ADMIN_PASSWORD'],
    error: 'a production start needs SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD',
  });

/** Schemas by process, for the configuration reference. */
export const ENVIRONMENTS = { main: Env };

export type Config = ReturnType<typeof readConfig>;

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = loadConfig(Env, env);
  const { SERVICE_ADMIN_USER: user, SERVICE_ADMIN_PASSWORD: password } = read;
  const missing = missingOf(read);
  if (missing.length > 0) throw incompleteEnvironment(missing.map((name) => `${name}: OIDC_ISSUER needs it`));
  const weakness = user && password && isReachable(read) ? weaknessOf(user, password) : undefined;
  if (weakness) {
    throw incompleteEnvironment([`SERVICE_ADMIN_PASSWORD: ${weakness}; take another, e.g. from openssl rand -hex 20`]);
  }
  return Object.freeze({
    ...processConfig(read),
    database: databaseConfig(read),
    host: read.HOST,
    port: read.PORT,
    trustedProxies: read.TRUSTED_PROXIES,
    planes: read.GATEWAY_PLANES,
    privatePort: read.PRIVATE_PORT,
    publicAreas: read.PUBLIC_AREAS,
    readyScope: read.READY_SCOPE,
    console: { isEnabled: read.CONSOLE_ENABLED === 'true', dir: read.CONSOLE_DIR, oidc: oidcSettings(read) },
    perSecond: perSecondOf(read),
    encryptionKey: read.WEIR_ENCRYPTION_KEY,
    keysEnd: read.KEYS_END,
    admin: user && password ? { user, password } : undefined,
    bootstrap: read.BOOTSTRAP_ACCESS_TOKEN
      ? { email: read.BOOTSTRAP_EMAIL, token: read.BOOTSTRAP_ACCESS_TOKEN }
      : undefined,
  });
}

/** Whether other machines can try a password. False in the local stack. */
const isReachable = ({ HOST, NODE_ENV }: { HOST: string; NODE_ENV?: string | undefined }) =>
  NODE_ENV === 'production' || !(HOST.startsWith('127.') || HOST === '::1');

/** The reason why the password is easy to guess. Undefined if there is none. */
export function weaknessOf(user: string, password: string): string | undefined {
  const lower = password.toLowerCase();
  if (isPlaceholderPassword(password)) return 'is a well-known password';
  if (lower.includes(user.toLowerCase()) && password.length - user.length < PASSWORD_CHARS_MIN / 2)
    return 'is the user name';
  if (password.length < PASSWORD_CHARS_MIN) return `has fewer than ${PASSWORD_CHARS_MIN} characters`;
  return new Set(lower).size < PASSWORD_DIFFERENT_CHARS_MIN ? 'repeats the same few characters' : undefined;
}

function perSecondOf(read: z.output<typeof Env>) {
  const source = { events: read.INTAKE_SOURCE_EVENTS_PER_SECOND, bytes: read.INTAKE_SOURCE_BYTES_PER_SECOND };
  const workspace = {
    events: read.INTAKE_WORKSPACE_EVENTS_PER_SECOND ?? WORKSPACE_TIMES_SOURCE * source.events,
    bytes: read.INTAKE_WORKSPACE_BYTES_PER_SECOND ?? WORKSPACE_TIMES_SOURCE * source.bytes,
  };
  return { source, workspace };
}
