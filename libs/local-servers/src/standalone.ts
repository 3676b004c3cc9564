import { join } from 'node:path';
import { findNatsServer } from './nats-binary.js';
import { natsProgram } from './nats-server.js';
import { natsPermissions } from './nats-users.js';
import { freePort } from './ports.js';
import { postgresProgram } from './postgres.js';
import { ProcessRecords } from './process-records.js';
import { Supervised } from './supervise.js';

/**
 * One server without the rest of the stack, for tests of a single service. It restarts after faults and ends with its starter.
 */
export interface StandaloneServer {
  /** URL of the unrestricted user. */
  url: string;
  server: Supervised;
}

const PASSWORD = 'local-test-password';
const CONNECTIONS_MAX = 400;

/** A PostgreSQL with its files in `folder`. Fast, but not safe from power loss. */
export async function startPostgres(folder: string): Promise<StandaloneServer> {
  const program = postgresProgram({
    cluster: join(folder, 'postgres'),
    port: await freePort(),
    password: PASSWORD,
    maxConnections: CONNECTIONS_MAX,
    durable: false,
    logFile: join(folder, 'postgres.log'),
  });
  const server = new Supervised(program, contextOf(folder));
  await server.start();
  return { url: program.url, server };
}

interface BrokerAccess {
  /** URL of each user in `natsPermissions`. */
  userUrls: Record<string, string>;
  /** Serves `/connz` and similar paths. */
  monitorUrl: string;
}

/** A NATS server with JetStream and its files in `folder`. */
export async function startNats(folder: string): Promise<StandaloneServer & BrokerAccess> {
  const monitorPort = await freePort();
  const program = natsProgram({
    binary: await findNatsServer({ path: process.env['PATH'] ?? '' }),
    folder,
    port: await freePort(),
    monitorPort,
    password: PASSWORD,
    userPasswords: userPasswords(),
    logFile: join(folder, 'nats-server.log'),
  });
  const server = new Supervised(program, contextOf(folder));
  await server.start();
  return { url: program.url, userUrls: program.userUrls, monitorUrl: `http://127.0.0.1:${monitorPort}`, server };
}

/** Servers of one cluster of NATS, with JetStream and their files in `folder`. */
export async function startNatsCluster(folder: string, size: number): Promise<StandaloneServer[]> {
  const binary = await findNatsServer({ path: process.env['PATH'] ?? '' });
  const members = Array.from({ length: size }, (_, n) => `nats-server-${n + 1}`);
  const peers = await Promise.all(members.map(() => freePort()));
  return Promise.all(
    members.map(async (serverName, n) => {
      const program = natsProgram({
        ...{ binary, folder: join(folder, serverName), port: await freePort(), password: PASSWORD },
        userPasswords: userPasswords(),
        cluster: { serverName, port: peers[n] ?? 0, peers },
        logFile: join(folder, `${serverName}.log`),
      });
      const server = new Supervised(program, contextOf(folder));
      await server.start();
      return { url: program.url, server };
    }),
  );
}

const userPasswords = () => Object.fromEntries(Object.keys(natsPermissions()).map((user) => [user, PASSWORD]));

const contextOf = (folder: string) => ({
  records: new ProcessRecords(join(folder, 'records')),
  giveUp: (fault: Error) => {
    throw fault;
  },
});
