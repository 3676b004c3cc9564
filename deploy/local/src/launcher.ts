import { OPTIONAL_PROCESSES, PROCESSES, type ProcessName } from '@weir/contracts';
import {
  assertPortFree,
  endpointOf,
  freePort,
  hostAndPort,
  LOOPBACK,
  ProcessRecords,
  Supervised,
  urlOf,
} from '@weir/local-servers';
import { type DataDirectory, openDataDirectory } from './data-directory.js';
import { writeEnvFile } from './env-file.js';
import type { StackFacts } from './environment.js';
import { factsOf } from './facts.js';
import { migrate } from './migrate.js';
import { entryOf, nodeProgram, programName } from './node-process.js';
import type { LaunchOptions } from './options.js';
import { openSecrets } from './secrets.js';
import { startBroker, startDatabase } from './servers.js';
import { LocalStack } from './stack.js';
import { type Programs, stopAll } from './stop-order.js';

/**
 * Starts everything on one data directory and resolves when every process is ready. Rejects with nothing left running if a
 * program fails to start (a `StackFault` that says what to do) or `options.signal` aborts.
 */
export async function launch(options: LaunchOptions): Promise<LocalStack> {
  const { appsDir } = options;
  for (const process of processesOf(options)) entryOf(appsDir, process);
  const data = openDataDirectory(options.dataDir);
  const running: Programs = { servers: [], processes: [] };
  const stopEarly = () => void stopAll(running);
  options.signal?.addEventListener('abort', stopEarly);
  try {
    return await launchIn(data, running, options);
  } catch (error) {
    await stopAll(running);
    data.release();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', stopEarly);
  }
}

async function launchIn(data: DataDirectory, running: Programs, options: LaunchOptions): Promise<LocalStack> {
  const { env, signal } = options;
  const records = new ProcessRecords(data.records);
  const ended = await records.endLeftovers();
  if (ended.length > 0) options.say(`Ended what a killed launcher left running: ${ended.join(', ')}.`);
  const ports = await gatewayPorts(options);
  const opsPorts = await opsPortsOf(options);
  const context = { records, giveUp: options.onGiveUp, data, secrets: openSecrets(data.secrets), options, running };

  const database = await startDatabase(context);
  const broker = await startBroker(context);
  const processes = processesOf(options);
  const complete = PROCESSES.every((process) => processes.includes(process));
  const facts = factsOf({ env, secrets: context.secrets, database, broker, complete });
  signal?.throwIfAborted();
  await migrate({ appsDir: options.appsDir, facts, logs: data.logs, signal });

  const programs = programsOf({ options, ports, opsPorts, facts, logs: data.logs });
  running.processes.push(...programs.map((program) => new Supervised(program, context)));
  signal?.throwIfAborted();
  await Promise.all(running.processes.map((process) => process.start()));
  signal?.throwIfAborted();
  const { admin, bootstrap } = facts.gateway;
  const { host = LOOPBACK } = options;
  const urls = ports.map((port) => urlOf(host, port));
  const opsUrls = Object.fromEntries([...opsPorts].map(([name, port]) => [name, urlOf(LOOPBACK, port)]));
  const listens = [
    ...ports.map((port) => ({ what: 'HTTP', where: hostAndPort(host, port) })),
    ...ownServer('PostgreSQL', database.adminUrl, env['DATABASE_URL']),
    ...ownServer('NATS', broker.url, env['NATS_URL']),
    ...[...opsPorts].map(([name, port]) => ({ what: `metrics of ${name}`, where: hostAndPort(LOOPBACK, port) })),
  ];
  const access = { urls, opsUrls, listens, ...bootstrap, admin };
  const address = { ...access, databaseUrl: database.adminUrl, natsUrl: broker.url, dataDir: data.root };
  writeEnvFile(address);
  const migrateAgain = () => migrate({ appsDir: options.appsDir, facts, logs: data.logs });
  return new LocalStack(address, running, migrateAgain, facts, data.release);
}

/** All that always run, and the archiver if the operator names a bucket. */
function processesOf({ processes, env }: LaunchOptions): readonly ProcessName[] {
  return processes ?? (env['ARCHIVE_BUCKET'] ? [...PROCESSES, ...OPTIONAL_PROCESSES] : PROCESSES);
}

/** The processes of each replica. */
function replicasOf(options: LaunchOptions) {
  const { replicas } = options;
  const processes = processesOf(options);
  const { replicated = processes } = options;
  const further = processes.filter((process) => replicated.includes(process));
  return Array.from({ length: replicas }, (_, replica) => (replica === 0 ? processes : further));
}

/** One port per replica: the requested one for the first gateway, free ones for the others. */
async function gatewayPorts(options: LaunchOptions): Promise<number[]> {
  const { host = LOOPBACK, port } = options;
  await assertPortFree(host, port);
  const gateways = replicasOf(options).filter((processes) => processes.includes('gateway.main'));
  const others = gateways.slice(1).map(freePort);
  return [port || (await freePort()), ...(await Promise.all(others))];
}

/** Ports by program, if probes and metrics were requested. */
async function opsPortsOf(options: LaunchOptions) {
  if (!options.opsPorts) return new Map<string, number>();
  const names = replicasOf(options).flatMap((processes, replica) =>
    processes.map((process) => programName(process, replica)),
  );
  const ports = await Promise.all(names.map(freePort));
  return new Map(names.map((name, n) => [name, ports[n] ?? 0]));
}

/** Address of a server that belongs to the stack. Omits servers of the operator. */
function ownServer(what: string, url: string, given: string | undefined): { what: string; where: string }[] {
  const endpoint = given ? undefined : endpointOf(url);
  return endpoint ? [{ what, where: hostAndPort(endpoint.host, endpoint.port) }] : [];
}

interface ProgramParts {
  options: LaunchOptions;
  ports: number[];
  opsPorts: ReadonlyMap<string, number>;
  facts: StackFacts;
  logs: string;
}

/** Every process once per replica. Each replica's gateway has its own port. */
function programsOf({ options, ports, opsPorts, facts, logs }: ProgramParts) {
  const { appsDir, host = LOOPBACK } = options;
  const output = options.output === 'inherit' ? options.output : { folder: logs };
  const shared = { appsDir, facts, output };
  return replicasOf(options).flatMap((processes, replica) =>
    processes.map((process) => {
      const opsPort = opsPorts.get(programName(process, replica));
      return nodeProgram({
        ...shared,
        process,
        replica,
        opsPort,
        variables: options.variables?.(programName(process, replica)),
        ...(process === 'gateway.main' && { address: { host, port: ports[replica] ?? 0 } }),
      });
    }),
  );
}
