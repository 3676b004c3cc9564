import { STREAM_BYTES_MAX_DEFAULT } from '@weir/messaging';
import { z } from 'zod';
import { DURABILITIES, type Durability } from './durability.js';
import { placeholdersIn } from './placeholders.js';

/** The address that a server binds. Defaults to loopback, so that nothing is reachable from outside by accident. */
export const bindAddress = z.union([z.ipv4(), z.ipv6()]).default('127.0.0.1').describe('IP address');

/** Environment of every process. */
export const baseEnv = {
  /** The broker: `nats://user:password@host:port`, or `tls://`. Several servers of one cluster are separated by commas. */
  NATS_URL: z.string().min(1),
  /** Minimum level of the log lines that are written. */
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Port of /livez, /readyz and /metrics. They are not served without it. 0 takes any free port. */
  OPS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  /** Address that this port binds. Containers set 0.0.0.0, or :: on an IPv6 network. */
  OPS_HOST: bindAddress,
};

/** Where a server listens. */
export interface BoundAddress {
  host: string;
  port: number;
}

/** Where probes and metrics are served. Undefined if they are not. */
export const opsAddressOf = (read: { OPS_HOST: string; OPS_PORT?: number | undefined }): BoundAddress | undefined =>
  read.OPS_PORT === undefined ? undefined : { host: read.OPS_HOST, port: read.OPS_PORT };

/** Environment of a process with a database. */
export const databaseEnv = {
  /** `postgres://user:password@host:port/database`, with the service's own role, which sees only its own schema. */
  DATABASE_URL: z.string().min(1),
  /** Connections of one process. */
  DATABASE_POOL_MAX: z.coerce.number().int().min(1).max(100).default(10),
  /**
   * Data that the loss of the database machine may cost. `standby` loses nothing that was answered, and refuses to start unless
   * commits wait for a second machine (`synchronous_commit`, `synchronous_standby_names`). `single` loses everything since the
   * last backup.
   */
  DATABASE_DURABILITY: z.enum(DURABILITIES).default('single'),
};

/** Injection token of the configuration of the process: the object that `readConfig` of its `config.ts` gives. */
export const CONFIG = Symbol('CONFIG');

/** The settings of every process. */
export interface ProcessConfig {
  readonly natsUrl: string;
  readonly logLevel: string;
  readonly ops: BoundAddress | undefined;
}

/** The settings of a process with a database. */
export interface DatabaseConfig {
  readonly url: string;
  readonly poolMax: number;
  readonly durability: Durability;
}

type Read<Env extends z.ZodRawShape> = z.output<z.ZodObject<Env>>;

export const processConfig = (read: Read<typeof baseEnv>): ProcessConfig => ({
  natsUrl: read.NATS_URL,
  logLevel: read.LOG_LEVEL,
  ops: opsAddressOf(read),
});

export const databaseConfig = (read: Read<typeof databaseEnv>): DatabaseConfig => ({
  url: read.DATABASE_URL,
  poolMax: read.DATABASE_POOL_MAX,
  durability: read.DATABASE_DURABILITY,
});

/** 32 random bytes in base64, for example from `openssl rand -base64 32`. */
export const secretKey = z
  .string()
  .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64')
  .describe('32 bytes in base64');

/**
 * One secret key, or several during a rotation (docs/recovery.md). The first one makes what is stored, and all of them read it.
 */
export const secretKeys = z
  .string()
  .refine(
    (text) => text.split(',').every((key) => secretKey.safeParse(key).success),
    'must be 32 bytes in base64, or several such keys, separated by commas',
  )
  .describe(
    '32 bytes in base64. During a rotation several, separated by commas: the first one writes, all of them read',
  );

/**
 * Reads the environment once. One error lists every problem by variable and never shows values. A production start (`NODE_ENV`)
 * refuses secrets that are placeholders.
 */
export function loadConfig<Schema extends z.ZodType>(
  schema: Schema,
  env: NodeJS.ProcessEnv,
): Readonly<z.output<Schema>> {
  const parsed = schema.safeParse(env);
  if (!parsed.success) {
    throw incompleteEnvironment(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`));
  }
  assertNoPlaceholders(parsed.data as Record<string, unknown>, env);
  return Object.freeze(parsed.data);
}

/** Throws when a production start has a secret that is easy to guess. */
export function assertNoPlaceholders(values: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv): void {
  const found = env['NODE_ENV'] === 'production' ? placeholdersIn(values) : [];
  if (found.length > 0)
    throw incompleteEnvironment(found.map((name) => `${name}: is a placeholder; production needs a secret`));
}

/** The error for an environment with which a process does not start. Lists every problem by variable. */
export const incompleteEnvironment = (problems: string[]) =>
  new Error(`The environment is not complete:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);

/** Environment of the migration step of any service. It needs no keys and no user credentials. */
export const MigrateEnv = z.object({
  NATS_URL: baseEnv.NATS_URL,
  DATABASE_URL: databaseEnv.DATABASE_URL,
  /** Copies of each stream. Use 3 on a cluster of three or more servers. */
  STREAM_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
  /** Maximum bytes per stream. Beyond it, intake answers 503. */
  STREAM_BYTES_MAX: z.coerce.number().int().min(1_048_576).default(STREAM_BYTES_MAX_DEFAULT),
  /** Bucket of the archive. Unset: nothing is archived, and nothing waits for an archiver. */
  ARCHIVE_BUCKET: z.string().optional(),
});

export function readMigrateConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = loadConfig(MigrateEnv, env);
  const topology = {
    replicas: read.STREAM_REPLICAS,
    streamBytesMax: read.STREAM_BYTES_MAX,
    archive: Boolean(read.ARCHIVE_BUCKET),
  };
  return Object.freeze({ url: read.DATABASE_URL, natsUrl: read.NATS_URL, topology });
}

/** The samplers of OpenTelemetry's specification. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** OpenTelemetry's own variables. The exporter also reads the other `OTEL_EXPORTER_OTLP_*`: headers, certificates, timeout. */
export const TracesEnv = z.object({
  /** OTLP over HTTP, for example `http://collector:4318`. If unset or empty, nothing is traced and no tracing code is loaded. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.union([z.literal(''), z.url()]).default(''),
  /** Sampler that selects the traces to record. */
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS).default('parentbased_always_on'),
  /** Share of the traces that the `traceidratio` samplers record. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  /** How long spans are collected before they are sent, in milliseconds. */
  OTEL_BSP_SCHEDULE_DELAY: z.coerce.number().int().min(1).default(5_000),
  /** Name of the process in traces. Defaults to its own name, for example `gateway.main`. */
  OTEL_SERVICE_NAME: z.string().optional(),
  /** Further attributes of the process: `key=value`, comma-separated. */
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
});
export type TracesConfig = Readonly<z.output<typeof TracesEnv>>;

export const readTracesConfig = (env: NodeJS.ProcessEnv = process.env): TracesConfig => loadConfig(TracesEnv, env);

/** Whether this process sends traces. */
export const sendsTraces = (env?: NodeJS.ProcessEnv): boolean =>
  readTracesConfig(env).OTEL_EXPORTER_OTLP_ENDPOINT !== '';
