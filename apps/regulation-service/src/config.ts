import { egressConfig, egressEnv } from '@weir/egress';
import {
  baseEnv,
  databaseConfig,
  databaseEnv,
  loadConfig,
  processConfig,
  secretKey,
  secretKeys,
} from '@weir/service-kit';
import { z } from 'zod';

const FilterEnv = z.object({
  ...baseEnv,
  ...databaseEnv,
  /**
   * Key of the match keys. Data kept of users is encrypted with a key derived from it. During a rotation several (docs/recovery.md).
   * Losing it lifts every suppression.
   */
  REGULATION_PEPPER: secretKeys,
});
/** An Ed25519 public key: 32 bytes in base64url. */
const publicKey = z.string().regex(/^[\w-]{43}$/, 'must be the "x" of keys, comma-separated');
const listOf = (text: string) => text.split(',').flatMap((entry) => entry.trim() || []);

/** Far more than the service can write in an hour. */
const TOKENS_MAX = 1_000_000_000;
const MainEnv = FilterEnv.extend({
  /** Units that one workspace has per hour for suppressions. One user costs one unit for each source that the request names, and one if it names none. */
  REGULATION_SUPPRESSION_TOKENS_PER_HOUR: z.coerce.number().int().min(1).max(TOKENS_MAX).default(50_000),
  /** Units that one workspace has per hour for deletions. One user at one destination costs one unit. */
  REGULATION_DELETION_TOKENS_PER_HOUR: z.coerce.number().int().min(1).max(TOKENS_MAX).default(200_000),
  /** Seed of the Ed25519 key that signs deletion receipts. If unset or empty, there are no receipts. */
  REGULATION_RECEIPT_KEY: z.union([z.literal(''), secretKey]).default(''),
  /**
   * `x` of the public keys that signed earlier receipts, comma-separated. Receipts outlive the key that signed them. While a key is
   * replaced, also `x` of the next one (docs/recovery.md).
   */
  REGULATION_RECEIPT_RETIRED_KEYS: z.string().default('').transform(listOf).pipe(z.array(publicKey)),
});
const EraserEnv = FilterEnv.extend({
  ...egressEnv,
  /** Decrypts the configuration of destinations. */
  WEIR_ENCRYPTION_KEY: secretKeys,
});

/** Environment schemas by process, for the configuration reference. */
export const ENVIRONMENTS = { main: MainEnv, filter: FilterEnv, eraser: EraserEnv };

/** The configuration of the filter, which the other processes extend. */
export type FilterConfig = ReturnType<typeof readFilterConfig>;
export type Config = ReturnType<typeof readConfig>;
export type EraserConfig = ReturnType<typeof readEraserConfig>;

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = loadConfig(MainEnv, env);
  const budgets = {
    suppression: read.REGULATION_SUPPRESSION_TOKENS_PER_HOUR,
    deletion: read.REGULATION_DELETION_TOKENS_PER_HOUR,
  };
  const receipts = { key: read.REGULATION_RECEIPT_KEY || undefined, retired: read.REGULATION_RECEIPT_RETIRED_KEYS };
  return Object.freeze({ ...shared(read), budgets, receipts });
}

export function readFilterConfig(env: NodeJS.ProcessEnv = process.env) {
  return Object.freeze(shared(loadConfig(FilterEnv, env)));
}

export function readEraserConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = loadConfig(EraserEnv, env);
  return Object.freeze({
    ...shared(read),
    encryptionKey: read.WEIR_ENCRYPTION_KEY,
    egress: egressConfig(read, [read.NATS_URL, read.DATABASE_URL]),
  });
}

export function readAuditConfig(env: NodeJS.ProcessEnv = process.env) {
  return Object.freeze({ databaseUrl: loadConfig(z.object(databaseEnv), env).DATABASE_URL });
}

const shared = (read: z.output<typeof FilterEnv>) => ({
  ...processConfig(read),
  database: databaseConfig(read),
  pepper: read.REGULATION_PEPPER,
});
