import { join } from 'node:path';
import {
  type ClusterMember,
  endpointOf,
  ensureDatabase,
  findNatsServer,
  freePort,
  greets,
  natsPermissions,
  natsProgram,
  type Program,
  postgresProgram,
  provision,
  type SchemaName,
  StackFault,
  Supervised,
  type SupervisorContext,
} from '@weir/local-servers';
import type { DataDirectory } from './data-directory.js';
import type { LaunchOptions } from './options.js';
import type { Secrets } from './secrets.js';
import type { Programs } from './stop-order.js';

/** Connections of one set of processes, plus some spare ones for a person who inspects the data. */
const CONNECTIONS_PER_REPLICA = 150;
const CONNECTIONS_SPARE = 50;

const DATABASE = 'weir';

interface ServerContext extends SupervisorContext {
  /** Each server is added here before it starts, so that an aborted start can end it. */
  running: Programs;
  data: DataDirectory;
  secrets: Secrets;
  options: LaunchOptions;
}

export interface Database {
  adminUrl: string;
  urls: Partial<Record<SchemaName, string>>;
}

/** The operator's database, or an embedded one, with the roles and schemas of the services. */
export async function startDatabase(context: ServerContext): Promise<Database> {
  const passwords = context.secrets.rolePasswords;
  const given = context.options.env['DATABASE_URL'];
  if (given) return { adminUrl: given, urls: await provision({ adminUrl: given, passwords }) };
  const { data, secrets, options } = context;
  const program = postgresProgram({
    cluster: data.cluster,
    port: await freePort(),
    password: secrets.postgresPassword,
    maxConnections: CONNECTIONS_SPARE + CONNECTIONS_PER_REPLICA * options.replicas,
    durable: options.durable,
    logFile: join(data.logs, 'postgres.log'),
  });
  await startServer(program, context);
  const adminUrl = await ensureDatabase(program.url, DATABASE);
  const urls = await provision({ adminUrl, passwords });
  return { adminUrl, urls: await throughLinks(urls, options, 'postgres') };
}

async function startServer(program: Program, context: ServerContext): Promise<void> {
  const server = new Supervised(program, context);
  context.running.servers.push(server);
  context.options.signal?.throwIfAborted();
  await server.start();
}

export interface Broker {
  /** URL of the operator's user, which is unrestricted. */
  url: string;
  /** URL of each process's user, and of the migration step's. */
  userUrls: Record<string, string>;
}

/** The operator's NATS server, or one of the stack's own. */
export async function startBroker(context: ServerContext): Promise<Broker> {
  const { data, secrets, options } = context;
  const given = options.env['NATS_URL'];
  if (given) return givenBroker(given, options.env);
  const syncInterval = options.env['WEIR_NATS_SYNC_INTERVAL'];
  if (syncInterval && !/^(always|\d+(ms|s|m|h))$/.test(syncInterval)) {
    throw new StackFault(`WEIR_NATS_SYNC_INTERVAL is "${syncInterval}": set it to "always" or a duration such as 10s.`);
  }
  const binary = await findNatsServer({ path: options.env['PATH'] ?? '', say: options.say });
  const programs = (await membersOf(options)).map(({ name, folder, port, cluster }) =>
    natsProgram({
      ...{ binary, port, folder: join(data.nats, folder) },
      password: secrets.natsPassword,
      userPasswords: secrets.natsUserPasswords,
      logFile: join(data.logs, `${name}.log`),
      ...(syncInterval && { syncInterval }),
      ...(cluster && { cluster }),
    }),
  );
  await Promise.all(programs.map((program) => startServer(program, context)));
  const users = Object.keys(secrets.natsUserPasswords);
  const urlsOf = (user: string) => programs.map(({ userUrls }) => userUrls[user]).join(',');
  const userUrls = Object.fromEntries(users.map((user) => [user, urlsOf(user)]));
  return { url: programs[0]?.url ?? '', userUrls: await throughLinks(userUrls, options, 'nats-server') };
}

/** The URLs with ports of links, if somebody put links between the processes and the servers. Each value lists one or more. */
async function throughLinks<T extends Record<string, string | undefined>>(
  urls: T,
  { link }: LaunchOptions,
  server: string,
): Promise<T> {
  if (!link) return urls;
  const linked = Object.entries(urls).map(async ([user, list]) => {
    const parts = (list ?? '').split(',').map(async (text, n) => {
      const url = new URL(text);
      url.port = String(
        await link({ from: user, to: n === 0 ? server : `${server}-${n + 1}`, port: Number(url.port) }),
      );
      return url.href;
    });
    return [user, (await Promise.all(parts)).join(',')];
  });
  return Object.fromEntries(await Promise.all(linked));
}

interface BrokerMember {
  name: string;
  /** Below the broker's folder. */
  folder: string;
  port: number;
  cluster?: ClusterMember;
}

/** One server alone, or the servers of a cluster. */
async function membersOf({ brokers = 1, link }: LaunchOptions): Promise<BrokerMember[]> {
  if (brokers === 1) return [{ name: 'nats-server', folder: '', port: await freePort() }];
  const names = Array.from({ length: brokers }, (_, n) => (n === 0 ? 'nats-server' : `nats-server-${n + 1}`));
  const routes = await Promise.all(names.map(freePort));
  return Promise.all(
    names.map(async (name, n) => {
      const ways = names.map((to, m) => (link && m !== n ? link({ from: name, to, port: routes[m] ?? 0 }) : routes[m]));
      const peers = (await Promise.all(ways)).map((port) => port ?? 0);
      const cluster = { serverName: name, port: routes[n] ?? 0, peers, isSecretive: link !== undefined };
      return { name, folder: name, port: await freePort(), cluster };
    }),
  );
}

/** `SANDBOX_NATS_URL`, `GATEWAY_NATS_URL` and so on. Processes without their own share `NATS_URL`. */
function givenUserUrls(url: string, env: LaunchOptions['env']): Record<string, string> {
  const users = Object.keys(natsPermissions());
  return Object.fromEntries(users.map((user) => [user, env[`${user.toUpperCase()}_NATS_URL`] || url]));
}

/** Checks the address here, because clients would wait for an absent broker forever. */
async function givenBroker(url: string, env: LaunchOptions['env']): Promise<Broker> {
  const endpoint = endpointOf(url);
  if (endpoint && (await greets(endpoint))) return { url, userUrls: givenUserUrls(url, env) };
  throw new StackFault(
    `No NATS server answers at ${endpoint ? `${endpoint.host}:${endpoint.port}` : 'what NATS_URL says'}: start it, or unset NATS_URL.`,
  );
}
