import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { StackFault } from './fault.js';

/** Address of all parts of a local stack, unless the operator opens its API. */
export const LOOPBACK = '127.0.0.1';
const EVERYWHERE = ['0.0.0.0', '::'];

/** `host:port` as in a URL. */
export const hostAndPort = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** URL by which this machine reaches a server bound to that address. */
export const urlOf = (host: string, port: number): string =>
  `http://${hostAndPort(EVERYWHERE.includes(host) ? LOOPBACK : host, port)}`;

/** Below the ports that systems give to outgoing connections. One of those could take a port while its server restarts. */
const FREE_PORTS = { from: 20_000, to: 32_000 };
const FREE_PORT_TRIES = 200;

/** Finds a free port. No other process gets it from this function while this one lives. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < FREE_PORT_TRIES; tries += 1) {
    const port = randomInt(FREE_PORTS.from, FREE_PORTS.to);
    if ((await isBindable(port)) && (await claim(port))) return port;
  }
  throw new StackFault(
    `No free port was found from ${FREE_PORTS.from} to ${FREE_PORTS.to}: end programs that hold them.`,
  );
}

const isBindable = (port: number): Promise<boolean> =>
  assertBindable({ host: LOOPBACK, port }).then(
    () => true,
    () => false,
  );

/** Holds the port's UDP twin until this process ends. Nobody needs it, and the system releases it even after SIGKILL. */
function claim(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.unref();
    socket.once('error', () => resolve(false));
    socket.bind({ address: LOOPBACK, port, exclusive: true }, () => resolve(true));
  });
}

/** Refuses a port in use on any interface, and an address that this machine does not have. */
export async function assertPortFree(host: string, port: number): Promise<void> {
  if (port !== 0) await assertBindable({ port });
  await assertBindable({ host, port });
}

function assertBindable(address: { host?: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => reject(faultOf(address, error)));
    server.listen(address, () => server.close(() => resolve()));
  });
}

function faultOf({ host, port }: { host?: string; port: number }, error: NodeJS.ErrnoException): Error {
  if (error.code === 'EADDRINUSE') {
    return new StackFault(`Port ${port} is in use: end the program that holds it, or set PORT to another one.`);
  }
  if (error.code === 'EACCES') return new StackFault(`Port ${port} needs more rights: set PORT to one above 1023.`);
  if (host !== undefined) return new StackFault(`HOST is "${host}", which cannot be bound here (${error.code}).`);
  return error;
}

export interface Endpoint {
  host: string;
  port: number;
}

const DEFAULT_PORTS: Record<string, number> = { 'postgres:': 5432, 'postgresql:': 5432, 'nats:': 4222, 'tls:': 4222 };

/** Host and port of a database or broker URL. Undefined for any other URL. */
export function endpointOf(url: string): Endpoint | undefined {
  const parsed = URL.parse(url);
  const port = Number(parsed?.port) || DEFAULT_PORTS[parsed?.protocol ?? ''];
  return parsed?.hostname && port ? { host: parsed.hostname, port } : undefined;
}
