import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Receives the events of both workspaces. Answers at once, stores nothing, and reports message ids at `/victim`. */
export async function openSink(): Promise<{
  url: string;
  listen: (hear: (messageId: string) => void) => void;
  close: () => void;
}> {
  let hear = (_messageId: string): void => undefined;
  const server = createServer((request, response) => {
    const isVictim = request.url === '/victim';
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => isVictim && chunks.push(chunk));
    request.on('end', () => {
      response.end();
      if (isVictim) hear((JSON.parse(Buffer.concat(chunks).toString()) as { messageId: string }).messageId);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    listen: (listener) => {
      hear = listener;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
