import { egressConfig, egressEnv } from '@weir/egress';
import { baseEnv, databaseConfig, databaseEnv, loadConfig, processConfig, secretKeys } from '@weir/service-kit';
import { z } from 'zod';

/** Default retry window of a delivery that fails temporarily, counted from the intake of the event. */
const RETRY_MAX_MS = 24 * 60 * 60 * 1_000;

/** Default budget of traces: about a twentieth of what a deliverer and the database take for events at full load. */
const TRACES_PER_SECOND = 100;

/** Default for the attempts under way to one destination. Enough for 1,000 events/s to one that takes 100 ms, twice over. */
const CONCURRENCY_MAX = 256;

/** Answers from its tables only, so it gets neither the key nor a way out. */
const MainEnv = z.object({ ...baseEnv, ...databaseEnv });

const DelivererEnv = z.object({
  ...baseEnv,
  ...databaseEnv,
  ...egressEnv,
  /** Decrypts the configuration of destinations. */
  WEIR_ENCRYPTION_KEY: secretKeys,
  /** Retry window of a failing delivery, in milliseconds. */
  DELIVERY_RETRY_MAX_MS: z.coerce.number().int().min(0).default(RETRY_MAX_MS),
  /** Accepted events per second that each deliverer traces. Beyond it, sources are sampled. 0 traces nothing. */
  TRACES_PER_SECOND: z.coerce.number().int().min(0).default(TRACES_PER_SECOND),
  /** Upper limit of the attempts under way to one destination. Below it, the number follows the destination's answers. */
  DELIVERY_CONCURRENCY_MAX: z.coerce.number().int().min(1).max(1_024).default(CONCURRENCY_MAX),
  /** Mail server for notifications, such as `smtps://user:password@mail.example.com`. Unset: Weir sends no mail. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** Sender of notifications by mail, such as `Weir <weir@example.com>`. */
  SMTP_FROM: z.string().default('weir@localhost'),
});

/** The fetcher calls addresses that user code chooses, so it gets no database and no key. */
const FetcherEnv = z.object({ ...baseEnv, ...egressEnv });

/** Environment schemas by process, for the configuration reference. */
export const ENVIRONMENTS = { main: MainEnv, deliverer: DelivererEnv, fetcher: FetcherEnv };

export type Config = ReturnType<typeof readConfig>;
export type DelivererConfig = ReturnType<typeof readDelivererConfig>;
export type FetcherConfig = ReturnType<typeof readFetcherConfig>;

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = loadConfig(MainEnv, env);
  return Object.freeze({ ...processConfig(read), database: databaseConfig(read) });
}

export function readDelivererConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = loadConfig(DelivererEnv, env);
  return Object.freeze({
    ...processConfig(read),
    database: databaseConfig(read),
    encryptionKey: read.WEIR_ENCRYPTION_KEY,
    deliveryRetryMaxMs: read.DELIVERY_RETRY_MAX_MS,
    tracesPerSecond: read.TRACES_PER_SECOND,
    deliveryConcurrencyMax: read.DELIVERY_CONCURRENCY_MAX,
    smtp: read.SMTP_URL === undefined ? undefined : { url: read.SMTP_URL, from: read.SMTP_FROM },
    egress: egressConfig(read, [read.NATS_URL, read.DATABASE_URL]),
  });
}

export function readFetcherConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = loadConfig(FetcherEnv, env);
  return Object.freeze({ ...processConfig(read), egress: egressConfig(read, [read.NATS_URL]) });
}
