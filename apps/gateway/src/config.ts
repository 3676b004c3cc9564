import { baseEnv, bindAddress, databaseEnv, loadConfig, opsAddressOf, secretKey } from '@weir/service-kit';
import { z } from 'zod';
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
    /** Its password; both or neither. */
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
  return Object.freeze({
    host: read.HOST,
    port: read.PORT,
    ops: opsAddressOf(read),
    planes: read.GATEWAY_PLANES,
    readyScope: read.READY_SCOPE,
    natsUrl: read.NATS_URL,
    logLevel: read.LOG_LEVEL,
    databaseUrl: read.DATABASE_URL,
    databasePoolMax: read.DATABASE_POOL_MAX,
    sourceEventsPerSecond: read.INTAKE_SOURCE_EVENTS_PER_SECOND,
    encryptionKey: read.WEIR_ENCRYPTION_KEY,
    admin: user && password ? { user, password } : undefined,
    bootstrap: read.BOOTSTRAP_ACCESS_TOKEN
      ? { email: read.BOOTSTRAP_EMAIL, token: read.BOOTSTRAP_ACCESS_TOKEN }
      : undefined,
  });
}
