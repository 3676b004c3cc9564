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

/** Finds a free port. Another program may take it before the caller does. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, LOOPBACK, () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
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
