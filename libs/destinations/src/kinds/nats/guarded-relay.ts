import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

export interface Relay {
  port: number;
  close(): void;
}

/**
 * Relays one local connection to a socket of the outbound client. The NATS client takes no socket. Its transport is set once per
 * process, and this process needs it for its own broker. TLS passes through unchanged.
 */
export async function relayTo(socket: Socket): Promise<Relay> {
  // An unhandled error would end the process. The user of the relay sees that its connection ends.
  socket.on('error', () => undefined);
  const server = createServer((client) => {
    // Accepts one connection only, so that no other process can use the relay.
    server.close();
    client.setNoDelay(true);
    pipeline(client, socket, () => undefined);
    pipeline(socket, client, () => undefined);
  });
  server.maxConnections = 1;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    socket.destroy();
  };
  socket.once('close', () => server.close());
  return { port, close };
}
