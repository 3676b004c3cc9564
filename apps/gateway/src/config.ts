import {
  baseEnv,
  bindAddress,
  databaseEnv,
  incompleteEnvironment,
  loadConfig,
  opsAddressOf,
  secretKey,
} from '@weir/service-kit';
import { z } from 'zod';
import { weaknessOf } from './auth/weak-password.js';
import { SOURCE_EVENTS_PER_SECOND_DEFAULT } from './intake/limits.js';

const PLANES = ['control', 'data'] as const;

const Env = z
  .object({
    ...baseEnv,
    ...databaseEnv,
    /** Of HTTP, both planes. */
    PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
    /** Address that this port is bound to; containers set 0.0.0.0, or :: where the network is IPv6. */
    HOST: bindAddress,
    /**
     * Proxies whose X-Forwarded-For is believed, as addresses or blocks: `10.0.0.0/8,fd00::/8`. Without it all who come by a proxy have
     * its address, and share what one address may try and hold.
     */
    TRUSTED_PROXIES: z
      .string()
      .default('')
      .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
      .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be addresses or blocks'))),
    /** Which planes this process serves, e.g. `control` behind a private address and `data` in public. */
    GATEWAY_PLANES: z
      .string()
      .default('control,data')
      .transform((text) => text.split(',').map((plane) => plane.trim()))
      .pipe(z.array(z.enum(PLANES)).min(1)),
    /** `all`: /readyz waits for every process of Weir (the local stack). */
    READY_SCOPE: z.enum(['self', 'all']).default('self'),
    /** Seals the configuration of destinations. */
    WEIR_ENCRYPTION_KEY: secretKey,
    /** The admin pair: area D and /admin. Nobody gets in while it is unset. */
    SERVICE_ADMIN_USER: z.string().min(1).optional(),
    /** Its password; both or neither. At least 12 characters that nobody guesses, unless HOST is a loopback address of a machine for development. */
    SERVICE_ADMIN_PASSWORD: z.string().min(1).optional(),
    /** Owner of the token below. */
    BOOTSTRAP_EMAIL: z.email().default('admin@example.com'),
    /** When set, a first workspace with this admin token exists after start. */
    BOOTSTRAP_ACCESS_TOKEN: z.string().min(16).optional(),
    /** Events a second of one source that this process takes; more are answered with 429. */
    INTAKE_SOURCE_EVENTS_PER_SECOND: z.coerce.number().int().positive().default(SOURCE_EVENTS_PER_SECOND_DEFAULT),
    /** `production` refuses to start without the admin pair, and with placeholders of secrets. */
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

/** By process, for the configuration's reference. */
export const ENVIRONMENTS = { main: Env };

/** Inject token of the configuration. */
export const CONFIG = Symbol('CONFIG');
export type Config = ReturnType<typeof readConfig>;

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = loadConfig(Env, env);
  const { SERVICE_ADMIN_USER: user, SERVICE_ADMIN_PASSWORD: password } = read;
  const weakness = user && password && isReachable(read) ? weaknessOf(user, password) : undefined;
  if (weakness) {
    throw incompleteEnvironment([`SERVICE_ADMIN_PASSWORD: ${weakness}; take another, e.g. from openssl rand -hex 20`]);
  }
  return Object.freeze({
    host: read.HOST,
    port: read.PORT,
    ops: opsAddressOf(read),
    trustedProxies: read.TRUSTED_PROXIES,
    planes: read.GATEWAY_PLANES,
    readyScope: read.READY_SCOPE,
    natsUrl: read.NATS_URL,
    logLevel: read.LOG_LEVEL,
    databaseUrl: read.DATABASE_URL,
    databasePoolMax: read.DATABASE_POOL_MAX,
    databaseDurability: read.DATABASE_DURABILITY,
    sourceEventsPerSecond: read.INTAKE_SOURCE_EVENTS_PER_SECOND,
    encryptionKey: read.WEIR_ENCRYPTION_KEY,
    admin: user && password ? { user, password } : undefined,
    bootstrap: read.BOOTSTRAP_ACCESS_TOKEN
      ? { email: read.BOOTSTRAP_EMAIL, token: read.BOOTSTRAP_ACCESS_TOKEN }
      : undefined,
  });
}

/** Whether others than the people of this machine may try a password: not in the local stack. */
const isReachable = ({ HOST, NODE_ENV }: { HOST: string; NODE_ENV?: string | undefined }) =>
  NODE_ENV === 'production' || !(HOST.startsWith('127.') || HOST === '::1');
