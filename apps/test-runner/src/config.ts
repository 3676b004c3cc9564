import { NameResolver, parseCidrs, parseNameServers } from '@weir/egress';
import { baseEnv, databaseEnv, loadConfig, opsAddressOf, secretKey } from '@weir/service-kit';
import { z } from 'zod';

/** How long a delivery that fails for now is tried again, from the moment that the intake took the event. */
const RETRY_MAX_MS = 24 * 60 * 60 * 1_000;

const egressEnv = {
  /** Address ranges that are open although they are not public, e.g. `127.0.0.0/8`. */
  EGRESS_ALLOW_CIDRS: z.string().default(''),
  /** `host:port` of Weir's own database and broker, beside those of this process: never reached, whatever is allowed. */
  EGRESS_REFUSE: z.string().default(''),
  /** Name servers for addresses that users configure, as `10.0.0.53` or `10.0.0.53:5353`; those of the machine by default. */
  EGRESS_NAME_SERVERS: z.string().default(''),
};

const ServiceEnv = z.object({
  ...baseEnv,
  ...databaseEnv,
  ...egressEnv,
  /** Opens the configuration of destinations. */
  WEIR_ENCRYPTION_KEY: secretKey,
  /** How long a failing delivery is tried again, in milliseconds. */
  DELIVERY_RETRY_MAX_MS: z.coerce.number().int().min(0).default(RETRY_MAX_MS),
});
/** User code's way out has no database and no key. */
const FetcherEnv = z.object({ ...baseEnv, ...egressEnv });

/** By process, for the configuration's reference. */
export const ENVIRONMENTS = { main: ServiceEnv, deliverer: ServiceEnv, fetcher: FetcherEnv };

/** Inject token of the configuration. */
export const CONFIG = Symbol('CONFIG');
export type Config = ReturnType<typeof readConfig>;
export type FetcherConfig = ReturnType<typeof readFetcherConfig>;

/** Of `main` and `deliverer`. */
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
