import { endpointOf } from '@weir/local-servers';
import type { StackFacts } from './environment.js';
import type { LaunchOptions } from './options.js';
import type { Secrets } from './secrets.js';
import type { Broker, Database } from './servers.js';

const DEFAULT_LOG_LEVEL = 'warn';
const DEFAULT_EMAIL = 'admin@example.com';
/** Lets a first webhook test on the same machine work without settings. */
const LOOPBACK_CIDRS = '127.0.0.0/8,::1/128';

interface Known {
  env: LaunchOptions['env'];
  secrets: Secrets;
  database: Pick<Database, 'adminUrl' | 'urls'>;
  broker: Broker;
  /** Whether every process runs here. A partial stack is never ready as a whole. */
  complete: boolean;
}

/** Combines the operator's settings with generated secrets and local defaults. */
export function factsOf({ env, secrets, database, broker, complete }: Known): StackFacts {
  return {
    operator: env,
    databaseUrls: database.urls,
    natsUrls: broker.userUrls,
    encryptionKey: env['WEIR_ENCRYPTION_KEY'] || secrets.encryptionKey,
    regulationPepper: env['REGULATION_PEPPER'] || secrets.regulationPepper,
    schemaPepper: env['SCHEMA_PEPPER'] || secrets.schemaPepper,
    receiptKey: env['REGULATION_RECEIPT_KEY'] || secrets.receiptKey,
    // An empty value means none, so this uses `??` and not `||`.
    egressAllowCidrs: env['EGRESS_ALLOW_CIDRS'] ?? LOOPBACK_CIDRS,
    egressRefuse: [database.adminUrl, broker.url].flatMap(hostAndPort),
    gateway: {
      admin: {
        user: env['SERVICE_ADMIN_USER'] || secrets.adminUser,
        password: env['SERVICE_ADMIN_PASSWORD'] || secrets.adminPassword,
      },
      bootstrap: {
        email: env['BOOTSTRAP_EMAIL'] || DEFAULT_EMAIL,
        accessToken: env['BOOTSTRAP_ACCESS_TOKEN'] || secrets.accessToken,
      },
      readyScope: env['READY_SCOPE'] || (complete ? 'all' : 'self'),
    },
    logLevel: env['LOG_LEVEL'] || DEFAULT_LOG_LEVEL,
  };
}

function hostAndPort(url: string): string[] {
  const endpoint = endpointOf(url);
  return endpoint ? [`${endpoint.host}:${endpoint.port}`] : [];
}
