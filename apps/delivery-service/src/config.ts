import type { S3Settings } from '@weir/destinations';
import { egressConfig, egressEnv } from '@weir/egress';
import {
  baseEnv,
  databaseConfig,
  databaseEnv,
  incompleteEnvironment,
  loadConfig,
  processConfig,
  secretKeys,
} from '@weir/service-kit';
import { z } from 'zod';

/** Default retry window of a delivery that fails temporarily, counted from the intake of the event. */
const RETRY_MAX_MS = 24 * 60 * 60 * 1_000;

/** Default budget of traces: about a twentieth of what a deliverer and the database take for events at full load. */
const TRACES_PER_SECOND = 100;

/**
 * Default for dead letters: some 700,000 ordinary events, so that a destination that is down for a day loses none. A tenth of the
 * chart's volume, so that one bad day of a workspace stops nobody.
 */
const DEAD_LETTER_DAY_BYTES = 1_073_741_824;

/** Default for the attempts under way to one destination. Enough for 1,000 events/s to one that takes 100 ms, twice over. */
const CONCURRENCY_MAX = 256;

/** Default for how long archived events are kept. */
const ARCHIVE_DAYS = 30;

/** Default for how long events wait for others of their segment. Each segment costs a request to the store. */
const SEGMENT_MS = 30_000;

/** The archive of accepted events, for the processes that know of it. */
const archiveEnv = {
  /** Bucket of the archive, in Amazon S3 or a store with its API. Unset: there is none, and the archiver does not start. */
  ARCHIVE_BUCKET: z.string().optional(),
};

/** Answers from its tables only, so it gets neither the key nor a way out. */
const MainEnv = z.object({
  ...baseEnv,
  ...databaseEnv,
  ...archiveEnv,
});

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
  /** Bytes of dead letters that each workspace may write in a day (UTC). Beyond it, letters are kept without their events. */
  DEAD_LETTER_DAY_BYTES: z.coerce.number().int().min(0).default(DEAD_LETTER_DAY_BYTES),
  /** Upper limit of the attempts under way to one destination. Below it, the number follows the destination's answers. */
  DELIVERY_CONCURRENCY_MAX: z.coerce.number().int().min(1).max(1_024).default(CONCURRENCY_MAX),
  /** Mail server for notifications, such as `smtps://user:password@mail.example.com`. Unset: Weir sends no mail. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** Sender of notifications by mail, such as `Weir <weir@example.com>`. */
  SMTP_FROM: z.string().default('weir@localhost'),
});

/** The fetcher calls addresses that user code chooses, so it gets no database and no key. */
const FetcherEnv = z.object({ ...baseEnv, ...egressEnv });

/** The archiver runs only where accepted events are archived. It alone has the key of the store. */
const ArchiverEnv = z.object({
  ...baseEnv,
  ...databaseEnv,
  ...egressEnv,
  ...archiveEnv,
  /** Address of the store, such as `https://minio.example.com`. Unset: Amazon S3. */
  ARCHIVE_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Region of the bucket. */
  ARCHIVE_REGION: z.string().min(1).default('us-east-1'),
  /** Access key of the bucket. It needs to list, read, write and delete objects. */
  ARCHIVE_ACCESS_KEY_ID: z.string().min(1),
  /** Secret of this access key. */
  ARCHIVE_SECRET_ACCESS_KEY: z.string().min(1),
  /** Folder of the archive in the bucket. */
  ARCHIVE_PREFIX: z.string().default(''),
  /** Days that archived events are kept. */
  ARCHIVE_RETENTION_DAYS: z.coerce.number().int().min(1).max(3_650).default(ARCHIVE_DAYS),
  /** How long events wait for others of their segment, in milliseconds. */
  ARCHIVE_SEGMENT_MS: z.coerce.number().int().min(10).max(300_000).default(SEGMENT_MS),
});

/** Environment schemas by process, for the configuration reference. */
export const ENVIRONMENTS = { main: MainEnv, deliverer: DelivererEnv, fetcher: FetcherEnv, archiver: ArchiverEnv };

export type Config = ReturnType<typeof readConfig>;
export type DelivererConfig = ReturnType<typeof readDelivererConfig>;
export type FetcherConfig = ReturnType<typeof readFetcherConfig>;
export type ArchiverConfig = ReturnType<typeof readArchiverConfig>;

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = loadConfig(MainEnv, env);
  return Object.freeze({
    ...processConfig(read),
    database: databaseConfig(read),
    hasArchive: Boolean(read.ARCHIVE_BUCKET),
  });
}

export function readDelivererConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = loadConfig(DelivererEnv, env);
  return Object.freeze({
    ...processConfig(read),
    database: databaseConfig(read),
    encryptionKey: read.WEIR_ENCRYPTION_KEY,
    deliveryRetryMaxMs: read.DELIVERY_RETRY_MAX_MS,
    deadLetterDayBytes: read.DEAD_LETTER_DAY_BYTES,
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

export function readArchiverConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = loadConfig(ArchiverEnv, env);
  const { ARCHIVE_BUCKET: bucket, ARCHIVE_PREFIX: folder } = read;
  if (!bucket) throw incompleteEnvironment(['ARCHIVE_BUCKET: the archiver needs a bucket']);
  const store: S3Settings = {
    bucket,
    prefix: folder === '' || folder.endsWith('/') ? folder : `${folder}/`,
    credentials: { accessKeyId: read.ARCHIVE_ACCESS_KEY_ID, secretAccessKey: read.ARCHIVE_SECRET_ACCESS_KEY },
    region: read.ARCHIVE_REGION,
    endpoint: read.ARCHIVE_ENDPOINT,
    // stores other than Amazon's know buckets by path
    pathStyle: read.ARCHIVE_ENDPOINT !== undefined,
    encrypt: false,
  };
  return Object.freeze({
    ...processConfig(read),
    database: databaseConfig(read),
    archive: { store, retentionDays: read.ARCHIVE_RETENTION_DAYS, segmentMs: read.ARCHIVE_SEGMENT_MS },
    egress: egressConfig(read, [read.NATS_URL, read.DATABASE_URL]),
  });
}
