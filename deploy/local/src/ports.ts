import { createServer } from 'node:net';
import { StackFault } from './fault.js';

/** A port that was free a moment ago. Its user must cope with losing the race for it. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

/** Refuses a port that somebody holds, on any interface. */
export function assertPortFree(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => reject(portFault(port, error)));
    server.listen(port, () => server.close(() => resolve()));
  });
}

function portFault(port: number, error: NodeJS.ErrnoException): Error {
  if (error.code === 'EADDRINUSE') {
    return new StackFault(`Port ${port} is in use: end the program that holds it, or set PORT to another one.`);
  }
  if (error.code === 'EACCES') return new StackFault(`Port ${port} needs more rights: set PORT to one above 1023.`);
  return error;
}
