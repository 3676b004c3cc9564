import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from '@jest/globals';

/** A server for one test file that answers as the listener says. Returns its address, which is known once tests begin. */
export function useServer(listener: RequestListener): () => string {
  const server = createServer(listener);
  beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
