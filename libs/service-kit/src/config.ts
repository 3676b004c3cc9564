import { STREAM_BYTES_MAX_DEFAULT } from '@weir/messaging';
import { z } from 'zod';
import { DURABILITIES } from './durability.js';
import { placeholdersIn } from './placeholders.js';

/** An address that a server binds. Loopback unless told otherwise: nothing is reachable from outside by accident. */
export const bindAddress = z.union([z.ipv4(), z.ipv6()]).default('127.0.0.1').describe('IP address');

/** Environment of every process. */
export const baseEnv = {
  /** The broker: `nats://user:password@host:port`, or `tls://`. */
  NATS_URL: z.string().min(1),
  /** Log lines of this weight and above are written. */
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Port of /livez, /readyz and /metrics; without it they are not served. 0 takes any free port. */
  OPS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  /** Address that this port is bound to; containers set 0.0.0.0, or :: where the network is IPv6. */
  OPS_HOST: bindAddress,
};

/** Where a server listens. */
export interface BoundAddress {
  host: string;
  port: number;
}

/** Where probes and metrics are served; undefined where they are not. */
export const opsAddressOf = (read: { OPS_HOST: string; OPS_PORT?: number | undefined }): BoundAddress | undefined =>
  read.OPS_PORT === undefined ? undefined : { host: read.OPS_HOST, port: read.OPS_PORT };

/** Environment of a process with a database. */
export const databaseEnv = {
  /** `postgres://user:password@host:port/database`, of the service's own role, which sees its own schema only. */
  DATABASE_URL: z.string().min(1),
  /** Connections of one process. */
  DATABASE_POOL_MAX: z.coerce.number().int().min(1).max(100).default(10),
  /**
   * What a lost machine of the database may cost: `standby`: nothing that was answered; refuses to start unless commits wait for a
   * second machine (`synchronous_commit`, `synchronous_standby_names`). `single`: what no backup has.
   */
  DATABASE_DURABILITY: z.enum(DURABILITIES).default('single'),
};

/** 32 random bytes in base64, e.g. from `openssl rand -base64 32`. */
export const secretKey = z
  .string()
  .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64')
  .describe('32 bytes in base64');

/**
 * Reads the environment once; every problem is in the one error, by variable, and values are never shown. A production
 * start (`NODE_ENV`) refuses secrets that are placeholders.
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

/** Throws when a secret of a production start is everybody's guess. */
export function assertNoPlaceholders(values: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv): void {
  const found = env['NODE_ENV'] === 'production' ? placeholdersIn(values) : [];
  if (found.length > 0)
    throw incompleteEnvironment(found.map((name) => `${name}: is a placeholder; production needs a secret`));
}

/** What is said of an environment with which a process does not start: every problem by its variable. */
export const incompleteEnvironment = (problems: string[]) =>
  new Error(`The environment is not complete:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);

/** What the migration step of any service needs: no keys, no credentials of people. */
export const MigrateEnv = z.object({
  NATS_URL: baseEnv.NATS_URL,
  DATABASE_URL: databaseEnv.DATABASE_URL,
  /** Copies of each stream; 3 on a cluster of three or more servers. */
  STREAM_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
  /** Bytes that each stream may hold; beyond it intake answers 503. */
  STREAM_BYTES_MAX: z.coerce.number().int().min(1_048_576).default(STREAM_BYTES_MAX_DEFAULT),
});

export function readMigrateConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = loadConfig(MigrateEnv, env);
  const topology = { replicas: read.STREAM_REPLICAS, streamBytesMax: read.STREAM_BYTES_MAX };
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
  /** OTLP over HTTP, e.g. `http://collector:4318`; unset or empty: nothing is traced, and nothing loaded for it. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.union([z.literal(''), z.url()]).default(''),
  /** Which traces are recorded. */
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS).default('parentbased_always_on'),
  /** Share of the traces that the `traceidratio` samplers record. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  /** How long spans are gathered before they are sent, in milliseconds. */
  OTEL_BSP_SCHEDULE_DELAY: z.coerce.number().int().min(1).default(5_000),
  /** Name of the process in traces; unset: its own, e.g. `gateway.main`. */
  OTEL_SERVICE_NAME: z.string().optional(),
  /** More about where it runs: `key=value`, comma-separated. */
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
});
export type TracesConfig = Readonly<z.output<typeof TracesEnv>>;

export const readTracesConfig = (env: NodeJS.ProcessEnv = process.env): TracesConfig => loadConfig(TracesEnv, env);

/** Whether this process sends traces; where it does not, nothing is done for them. */
export const sendsTraces = (env?: NodeJS.ProcessEnv): boolean =>
  readTracesConfig(env).OTEL_EXPORTER_OTLP_ENDPOINT !== '';
