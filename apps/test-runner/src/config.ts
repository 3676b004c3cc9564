import { NameResolver, parseCidrs, parseNameServers } from '@weir/egress';
import { baseEnv, databaseEnv, loadConfig, opsAddressOf, secretKey } from '@weir/service-kit';
import { z } from 'zod';

/** Default retry window of a delivery that fails temporarily, counted from the intake of the event. */
const RETRY_MAX_MS = 24 * 60 * 60 * 1_000;

const egressEnv = {
  /** Address ranges that egress may reach although they are not public, e.g. `127.0.0.0/8`. */
  EGRESS_ALLOW_CIDRS: z.string().default(''),
  /** `host:port` list of Weir's databases and brokers, which egress never reaches. Those of this process are always included. */
  EGRESS_REFUSE: z.string().default(''),
  /** Name servers that resolve user-configured addresses: `10.0.0.53` or `10.0.0.53:5353`. Default: those of the machine. */
  EGRESS_NAME_SERVERS: z.string().default(''),
};

const ServiceEnv = z.object({
  ...baseEnv,
  ...databaseEnv,
  ...egressEnv,
  /** Decrypts the configuration of destinations. */
  WEIR_ENCRYPTION_KEY: secretKey,
  /** Retry window of a failing delivery, in milliseconds. */
  DELIVERY_RETRY_MAX_MS: z.coerce.number().int().min(0).default(RETRY_MAX_MS),
});
/** The fetcher calls addresses that user code chooses, so it gets no database and no key. */
const FetcherEnv = z.object({ ...baseEnv, ...egressEnv });

/** Environment schemas by process, for the configuration reference. */
export const ENVIRONMENTS = { main: ServiceEnv, deliverer: ServiceEnv, fetcher: FetcherEnv };

/** Injection token of the configuration. */
export const CONFIG = Symbol('CONFIG');
export type Config = ReturnType<typeof readConfig>;
export type FetcherConfig = ReturnType<typeof readFetcherConfig>;

/** Reads the configuration of `main` and `deliverer`. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = loadConfig(ServiceEnv, env);
  return Object.freeze({
    ...processConfig(read),
    databaseUrl: read.DATABASE_URL,
    databasePoolMax: read.DATABASE_POOL_MAX,
    databaseDurability: read.DATABASE_DURABILITY,
    encryptionKey: read.WEIR_ENCRYPTION_KEY,
    deliveryRetryMaxMs: read.DELIVERY_RETRY_MAX_MS,
    egress: egressOptions(read, [read.NATS_URL, read.DATABASE_URL]),
  });
}

export function readFetcherConfig(env: NodeJS.ProcessEnv = process.env) {
  const read = loadConfig(FetcherEnv, env);
  return Object.freeze({ ...processConfig(read), egress: egressOptions(read, [read.NATS_URL]) });
}

const processConfig = (read: z.output<typeof FetcherEnv>) => ({
  natsUrl: read.NATS_URL,
  logLevel: read.LOG_LEVEL,
  ops: opsAddressOf(read),
});

const DEFAULT_PORTS: Record<string, string> = { 'nats:': '4222', 'tls:': '4222' };

function egressOptions(read: z.output<typeof FetcherEnv>, own: string[]) {
  const ownAddresses = own.map((text) => {
    const { hostname, port, protocol } = new URL(text);
    return `${hostname}:${port || (DEFAULT_PORTS[protocol] ?? '5432')}`;
  });
  const named = read.EGRESS_REFUSE.split(',').map((entry) => entry.trim());
  return {
    allowCidrs: parseCidrs(read.EGRESS_ALLOW_CIDRS),
    refuse: [...ownAddresses, ...named.filter(Boolean)],
    names: new NameResolver({ servers: parseNameServers(read.EGRESS_NAME_SERVERS) }),
  };
}
