import type { ProcessName } from '@weir/contracts';
import { NATS_USER_OF, type SchemaName } from '@weir/local-servers';
import { ARCHIVE_SETTINGS, SETTINGS, SYSTEM_VARIABLES, TRACE_SETTINGS } from './settings.js';

/** The folder of a process's app below `apps/`. */
export const appOf = (process: ProcessName): string => process.slice(0, process.indexOf('.'));

/** Apps with their own tables. */
export const SCHEMA_OF: Record<string, SchemaName> = {
  gateway: 'gateway',
  'transformation-registry': 'registry',
  'regulation-service': 'regulation',
  'test-runner': 'runner',
  'delivery-service': 'delivery',
  'schema-service': 'schemas',
};

/** The fetcher is user code's way out. It must never reach any data. */
const WITHOUT_DATABASE: readonly ProcessName[] = ['delivery-service.fetcher'];
/** Processes that open sealed destination configurations. */
const WITH_ENCRYPTION_KEY: readonly ProcessName[] = [
  'gateway.main',
  'test-runner.main',
  'delivery-service.deliverer',
  'regulation-service.eraser',
];
/** Processes that call addresses configured by users. */
const WITH_EGRESS: readonly ProcessName[] = [
  'test-runner.main',
  'delivery-service.deliverer',
  'delivery-service.fetcher',
  'delivery-service.archiver',
  'regulation-service.eraser',
];

/** Address that a gateway binds. */
export interface HttpAddress {
  host: string;
  port: number;
}

/** Everything that the launcher knows. Each process gets only its part. */
export interface StackFacts {
  /** The operator's environment, with overrides of tests. Each process gets only its own settings from it. */
  operator: Readonly<Record<string, string | undefined>>;
  databaseUrls: Partial<Record<SchemaName, string>>;
  /** Keyed by the broker's user. */
  natsUrls: Readonly<Record<string, string>>;
  encryptionKey: string;
  regulationPepper: string;
  schemaPepper: string;
  receiptKey: string;
  egressAllowCidrs: string;
  /** `host:port` of the stack's own database and broker. User-configured addresses may never reach them. */
  egressRefuse: readonly string[];
  gateway: {
    admin: { user: string; password: string };
    bootstrap: { email: string; accessToken: string };
    readyScope: string;
  };
  logLevel: string;
}

/** Unless the operator says otherwise: on a developer's machine, the events are the developer's own. */
const LOCAL_DEFAULTS: Record<string, Record<string, string>> = {
  'schema-service': { SCHEMA_NEW_SOURCE_SAMPLES: 'keep' },
};

/** Environment of one process. The supervisor of user code gets no credentials and no settings of other processes. */
export function environmentOf(process: ProcessName, facts: StackFacts, address?: HttpAddress): Record<string, string> {
  const app = appOf(process);
  const common = {
    ...LOCAL_DEFAULTS[app],
    ...pick(facts.operator, [...SYSTEM_VARIABLES, ...settingsOf(process)]),
    LOG_LEVEL: facts.logLevel,
  };
  if (app === 'code-sandbox') return { ...common, NATS_CREDENTIALS_FD: String(NATS_CREDENTIALS_FD) };
  const schema = SCHEMA_OF[app];
  const databaseUrl = schema && !WITHOUT_DATABASE.includes(process) ? facts.databaseUrls[schema] : undefined;
  return {
    ...common,
    ...pick(facts.operator, TRACE_SETTINGS),
    NATS_URL: natsUrlOf(process, facts),
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...(WITH_ENCRYPTION_KEY.includes(process) && { WEIR_ENCRYPTION_KEY: facts.encryptionKey }),
    ...(app === 'regulation-service' && { REGULATION_PEPPER: facts.regulationPepper }),
    ...(app === 'schema-service' && { SCHEMA_PEPPER: facts.schemaPepper }),
    ...(process === 'regulation-service.main' && { REGULATION_RECEIPT_KEY: facts.receiptKey }),
    ...(WITH_EGRESS.includes(process) && {
      EGRESS_ALLOW_CIDRS: facts.egressAllowCidrs,
      EGRESS_REFUSE: facts.egressRefuse.join(','),
    }),
    ...(app === 'gateway' && gatewayEnvironment(facts)),
    ...(address && { HOST: address.host, PORT: String(address.port) }),
  };
}

/** The archiver alone gets the key of the archive's store. */
function settingsOf(process: ProcessName): readonly string[] {
  const settings = SETTINGS[appOf(process)] ?? [];
  if (process === 'delivery-service.archiver') return settings;
  const isOwn = (name: string) => name === 'ARCHIVE_BUCKET' && process === 'delivery-service.main';
  return settings.filter((name) => isOwn(name) || !ARCHIVE_SETTINGS.includes(name));
}

/** Each process has its own broker user with minimal permissions. */
export const natsUrlOf = (process: ProcessName, { natsUrls }: Pick<StackFacts, 'natsUrls'>): string =>
  natsUrls[NATS_USER_OF[process]] ?? '';

/** Descriptor on which the supervisor of user code reads the broker's URL. Children could read an environment variable. */
export const NATS_CREDENTIALS_FD = 3;

function gatewayEnvironment({ gateway }: StackFacts): Record<string, string> {
  return {
    SERVICE_ADMIN_USER: gateway.admin.user,
    SERVICE_ADMIN_PASSWORD: gateway.admin.password,
    BOOTSTRAP_EMAIL: gateway.bootstrap.email,
    BOOTSTRAP_ACCESS_TOKEN: gateway.bootstrap.accessToken,
    READY_SCOPE: gateway.readyScope,
  };
}

function pick(from: StackFacts['operator'], names: readonly string[]): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = from[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}
