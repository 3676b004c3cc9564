import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectNats } from './connection.js';

const INFO = JSON.stringify({ server_id: 'x', version: '2.12.0', proto: 1, headers: true, max_payload: 1_048_576 });

/** As much of a broker as a client needs to connect. `refuse` ends all connections as a busy broker does. */
class SmallBroker {
  private readonly server: Server = createServer((socket) => this.serve(socket));
  private readonly clients = new Set<Socket>();
  /** How many of the next clients hear this instead of an answer. */
  refusing = { count: 0, why: '' };

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `nats://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  refuse(why: string): void {
    for (const client of this.clients) client.end(`-ERR '${why}'\r\n`);
  }

  stop(): void {
    for (const client of this.clients) client.destroy();
    this.server.close();
  }

  private serve(socket: Socket): void {
    this.clients.add(socket);
    socket.on('close', () => this.clients.delete(socket));
    socket.on('error', () => undefined);
    socket.write(`INFO ${INFO}\r\n`);
    socket.on('data', (sent) => {
      if (this.refusing.count > 0) {
        this.refusing.count -= 1;
        socket.end(`-ERR '${this.refusing.why}'\r\n`);
        return;
      }
      for (const _ of String(sent).matchAll(/^PING\r\n/gm)) socket.write('PONG\r\n');
    });
  }
}

describe('a connection', () => {
  let broker: SmallBroker;
  let url: string;
  let nats: NatsConnection;

  beforeEach(async () => {
    broker = new SmallBroker();
    url = await broker.start();
    nats = await connectNats(url, 'test');
  });
  afterEach(async () => {
    await nats.close();
    broker.stop();
  });

  it('begins when a busy broker has time for it', async () => {
    broker.refusing = { count: 3, why: 'Authentication Timeout' };
    const late = await connectNats(url, 'late');
    await late.close();
  });

  it('does not begin with credentials that are wrong', async () => {
    broker.refusing = { count: 3, why: 'Authorization Violation' };
    await expect(connectNats(url, 'stranger')).rejects.toThrow(/authorization violation/i);
  });

  const refusedWith = async (why: string) => {
    const outcome = Promise.race([nats.closed().then(() => 'closed'), reconnected().then(() => 'back')]);
    broker.refuse(why);
    return outcome;
  };
  const reconnected = async () => {
    for await (const { type } of nats.status()) if (type === 'reconnect') return;
  };

  it.each(['Authentication Timeout', 'Authorization Violation', 'User Authentication Expired'])(
    'comes back as often as the broker ends it with: %s',
    async (why) => {
      for (let time = 0; time < 3; time += 1) expect(await refusedWith(why)).toBe('back');
    },
  );
});
