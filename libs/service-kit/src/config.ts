import { STREAM_BYTES_MAX_DEFAULT } from '@weir/messaging';
import { z } from 'zod';

/** Environment of every process. */
export const baseEnv = {
  /** `nats://user:password@host:port`. */
  NATS_URL: z.string().min(1),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Port of /livez, /readyz and /metrics; without it they are not served. 0 takes any free port. */
  OPS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
};

/** Environment of a process with a database. */
export const databaseEnv = {
  /** Of the service's own role, which sees its own schema only. */
  DATABASE_URL: z.string().min(1),
  /** Connections of one process. */
  DATABASE_POOL_MAX: z.coerce.number().int().min(1).max(100).default(10),
};

/** 32 random bytes in base64, e.g. from `openssl rand -base64 32`. */
export const secretKey = z
  .string()
  .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64');

/** Reads the environment once; every problem is in the one error, by variable, and values are never shown. */
export function loadConfig<Schema extends z.ZodType>(
  schema: Schema,
  env: NodeJS.ProcessEnv,
): Readonly<z.output<Schema>> {
  const parsed = schema.safeParse(env);
  if (parsed.success) return Object.freeze(parsed.data);
  const problems = parsed.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
  throw new Error(`The environment is not complete:\n${problems.join('\n')}`);
}

/** What the migration step of any service needs: no keys, no credentials of people. */
const MigrateEnv = z.object({
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
const TracesEnv = z.object({
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
