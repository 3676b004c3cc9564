import { serverUrls } from '@weir/contracts';
import { z } from 'zod';
import { parseCidrs } from './address.js';
import type { EgressOptions } from './egress.js';
import { NameResolver, parseNameServers } from './names.js';

/** Environment of a process that calls addresses which users configure. */
export const egressEnv = {
  /** Address ranges that egress may reach although they are not public, e.g. `127.0.0.0/8`. */
  EGRESS_ALLOW_CIDRS: z.string().default(''),
  /** `host:port` list of Weir's databases and brokers, which egress never reaches. Those of this process are always included. */
  EGRESS_REFUSE: z.string().default(''),
  /** Name servers that resolve user-configured addresses: `10.0.0.53` or `10.0.0.53:5353`. Default: those of the machine. */
  EGRESS_NAME_SERVERS: z.string().default(''),
};

type EgressEnv = Record<keyof typeof egressEnv, string>;

/** `own` are the URLs of the database and the broker of this process. Egress refuses their addresses. */
export function egressConfig(read: EgressEnv, own: readonly string[]): EgressOptions {
  const named = read.EGRESS_REFUSE.split(',').flatMap((entry) => entry.trim() || []);
  return {
    allowCidrs: parseCidrs(read.EGRESS_ALLOW_CIDRS),
    refuse: [...own.flatMap(serverUrls).map(addressOf), ...named],
    names: new NameResolver({ servers: parseNameServers(read.EGRESS_NAME_SERVERS) }),
  };
}

const DEFAULT_PORTS: Record<string, string> = {
  'nats:': '4222',
  'tls:': '4222',
  'postgres:': '5432',
  'postgresql:': '5432',
};

function addressOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || DEFAULT_PORTS[protocol]}`;
}
