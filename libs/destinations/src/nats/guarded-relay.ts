import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

export interface Relay {
  port: number;
  close(): void;
}

/**
 * A way for one connection from this machine to a socket that the way out has made. The NATS client takes no socket: how it
 * connects is chosen once for a whole process, and this one has a broker of its own to talk to. TLS goes through unseen.
 */
export async function relayTo(socket: Socket): Promise<Relay> {
  // An error that nobody hears ends the process; who uses the relay sees its connection end.
  socket.on('error', () => undefined);
  const server = createServer((client) => {
    // One only: nobody else shall find the way.
    server.close();
    client.setNoDelay(true);
    pipeline(client, socket, () => undefined);
    pipeline(socket, client, () => undefined);
  });
  server.maxConnections = 1;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const close = () => {
    server.close();
    socket.destroy();
  };
  socket.once('close', () => server.close());
  return { port: typeof address === 'object' && address ? address.port : 0, close };
}
