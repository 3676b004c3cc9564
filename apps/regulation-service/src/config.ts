import { NameResolver, parseCidrs, parseNameServers } from '@weir/egress';
import { baseEnv, databaseEnv, loadConfig, opsAddressOf, secretKey } from '@weir/service-kit';
import { z } from 'zod';

const ServiceEnv = z.object({
  ...baseEnv,
  ...databaseEnv,
  /** Key of the match keys. Data kept of users is encrypted with a key derived from it. Losing it lifts every suppression. */
  REGULATION_PEPPER: secretKey,
});
/** An Ed25519 public key: 32 bytes in base64url. */
const publicKey = z.string().regex(/^[\w-]{43}$/, 'must be the "x" of keys, comma-separated');
const listOf = (text: string) => text.split(',').flatMap((entry) => entry.trim() || []);

/** Far more than the service can write in an hour. */
const TOKENS_MAX = 1_000_000_000;
const MainEnv = ServiceEnv.extend({
  /** Tokens that one workspace has per hour for suppressions. One user costs one token. */
  REGULATION_SUPPRESSION_TOKENS_PER_HOUR: z.coerce.number().int().min(1).max(TOKENS_MAX).default(50_000),
  /** Tokens that one workspace has per hour for deletions. One user at one destination costs one token. */
  REGULATION_DELETION_TOKENS_PER_HOUR: z.coerce.number().int().min(1).max(TOKENS_MAX).default(200_000),
  /** Seed of the Ed25519 key that signs deletion receipts. If unset or empty, there are no receipts. */
  REGULATION_RECEIPT_KEY: z.union([z.literal(''), secretKey]).default(''),
  /** `x` of the public keys that signed earlier receipts, comma-separated. Receipts outlive the key that signed them. */
  REGULATION_RECEIPT_RETIRED_KEYS: z.string().default('').transform(listOf).pipe(z.array(publicKey)),
});
const EraserEnv = ServiceEnv.extend({
  /** Decrypts the configuration of destinations. */
  WEIR_ENCRYPTION_KEY: secretKey,
  /** Address ranges that are allowed although they are not public, such as `127.0.0.0/8`. */
  EGRESS_ALLOW_CIDRS: z.string().default(''),
  /**
   * `host:port` of Weir's own database and broker, in addition to those of this process. They are always refused, even inside
   * allowed ranges.
   */
  EGRESS_REFUSE: z.string().default(''),
  /** Name servers for addresses that users configure, as `10.0.0.53` or `10.0.0.53:5353`. Defaults to those of the machine. */
  EGRESS_NAME_SERVERS: z.string().default(''),
});

/** Environment schemas by process, for the configuration reference. */
export const ENVIRONMENTS = { main: MainEnv, filter: ServiceEnv, eraser: EraserEnv };

/** Configuration of `filter`, which the other processes extend. */
export type Config = ReturnType<typeof readConfig>;
export type MainConfig = ReturnType<typeof readMainConfig>;
export type EraserConfig = ReturnType<typeof readEraserConfig>;

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  return Object.freeze(serviceConfig(loadConfig(ServiceEnv, env)));
}

export function readMainConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = loadConfig(MainEnv, env);
  const budgets = {
    suppression: read.REGULATION_SUPPRESSION_TOKENS_PER_HOUR,
    deletion: read.REGULATION_DELETION_TOKENS_PER_HOUR,
  };
  const receipts = { key: read.REGULATION_RECEIPT_KEY || undefined, retired: read.REGULATION_RECEIPT_RETIRED_KEYS };
  return Object.freeze({ ...serviceConfig(read), budgets, receipts });
}

export function readEraserConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = loadConfig(EraserEnv, env);
  return Object.freeze({
    ...serviceConfig(read),
    encryptionKey: read.WEIR_ENCRYPTION_KEY,
    egress: {
      allowCidrs: parseCidrs(read.EGRESS_ALLOW_CIDRS),
      refuse: [ownAddress(read.NATS_URL), ownAddress(read.DATABASE_URL), ...listOf(read.EGRESS_REFUSE)],
      names: new NameResolver({ servers: parseNameServers(read.EGRESS_NAME_SERVERS) }),
    },
  });
}

export function readAuditConfig(env: NodeJS.ProcessEnv = process.env) {
  return Object.freeze({ databaseUrl: loadConfig(z.object(databaseEnv), env).DATABASE_URL });
}

const serviceConfig = (read: z.output<typeof ServiceEnv>) => ({
  natsUrl: read.NATS_URL,
  logLevel: read.LOG_LEVEL,
  ops: opsAddressOf(read),
  databaseUrl: read.DATABASE_URL,
  databasePoolMax: read.DATABASE_POOL_MAX,
  databaseDurability: read.DATABASE_DURABILITY,
  pepper: read.REGULATION_PEPPER,
});

const DEFAULT_PORTS: Record<string, string> = { 'nats:': '4222', 'tls:': '4222' };

function ownAddress(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (DEFAULT_PORTS[protocol] ?? '5432')}`;
}
