import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, expect, it } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { type PulledMessage, pullOnce } from './bounded-pull.js';
import { connectNats } from './connection.js';

const STREAM = 'EVENTS';
const DURABLE = 'reader';

let broker: Server | undefined;
let nats: NatsConnection | undefined;
afterEach(async () => {
  await nats?.close();
  broker?.close();
});

/** The answers of a server of a cluster to a pull, in an order that one server alone cannot show. */
interface Told {
  message(n: number): void;
  end(status: string, notSent?: number): void;
  /** Runs when the client unsubscribes, before that is confirmed. */
  onLeave(then: () => void): void;
  /** Confirms nothing from now on. */
  silence(): void;
}

/** A server that speaks just enough of NATS for one pull. */
async function brokerThat(answer: (told: Told) => void): Promise<NatsConnection> {
  broker = createServer((socket) => serve(socket, answer)).listen(0, '127.0.0.1');
  await once(broker, 'listening');
  nats = await connectNats(`nats://127.0.0.1:${(broker.address() as AddressInfo).port}`, 'test');
  return nats;
}

function serve(socket: Socket, answer: (told: Told) => void): void {
  socket.write(
    `INFO ${JSON.stringify({ server_id: 'x', version: '2.12.2', max_payload: 1_048_576, headers: true })}\r\n`,
  );
  socket.on('error', () => undefined);
  let [inbox, id] = ['', ''];
  let leave: () => void = () => undefined;
  const onLeave = (then: () => void) => {
    leave = then;
  };
  let isSilent = false;
  const silence = () => {
    isSilent = true;
  };
  createInterface(socket).on('line', (line) => {
    const [word, ...rest] = line.split(' ');
    if (word === 'PING' && !isSilent) socket.write('PONG\r\n');
    if (word === 'UNSUB') leave();
    if (word === 'SUB') [inbox = '', id = ''] = [rest[0], rest.at(-1)];
    if (word === 'PUB' && rest[0]?.startsWith('$JS.API')) answer({ ...voiceOf(socket, inbox, id), onLeave, silence });
  });
}

const voiceOf = (socket: Socket, inbox: string, id: string): Pick<Told, 'message' | 'end'> => ({
  message: (n) => {
    const reply = `$JS.ACK.${STREAM}.${DURABLE}.1.${n}.${n}.1.0`;
    socket.write(`MSG events.x ${id} ${reply} 1\r\n${n}\r\n`);
  },
  end: (status, notSent) => {
    const counts = notSent === undefined ? '' : `Nats-Pending-Messages: ${notSent}\r\n`;
    const headers = `NATS/1.0 ${status}\r\n${counts}\r\n`;
    socket.write(`HMSG ${inbox} ${id} ${headers.length} ${headers.length}\r\n${headers}\r\n`);
  },
});

/** Numbers of the messages that a pull of three brings. */
async function pulled(answer: (told: Told) => void, signal = new AbortController().signal): Promise<string[]> {
  const seen: PulledMessage[] = [];
  await pullOnce({
    ...{ nats: await brokerThat(answer), stream: STREAM, durable: DURABLE },
    ...{ messagesMax: 3, bytesMax: 1_000_000, expiresMs: 60_000, signal },
    onMessage: (message) => seen.push(message),
  });
  return seen.map((message) => message.string());
}

it('waits for the messages that its end has overtaken', async () => {
  const seen = await pulled(({ message, end }) => {
    message(1);
    end('409 Batch Completed', 0);
    message(2);
    message(3);
  });
  expect(seen).toEqual(['1', '2', '3']);
});

it('waits for no more than were sent', async () => {
  const seen = await pulled(({ message, end }) => {
    end('409 Message Size Exceeds MaxBytes', 1);
    message(1);
    message(2);
  });
  expect(seen).toEqual(['1', '2']);
});

it('ends without a message that a lost leader never sends', async () => {
  const seen = await pulled(({ message, end }) => {
    end('408 Request Timeout', 1);
    message(1);
  });
  expect(seen).toEqual(['1']);
});

it('ends at once if the broker does not say what it sent', async () => {
  expect(await pulled(({ end }) => end('404 No Messages'))).toEqual([]);
});

it('fails with what the broker says against it', async () => {
  await expect(pulled(({ end }) => end('409 Consumer Deleted'))).rejects.toThrow('409 Consumer Deleted');
});

it('brings what was under way when it was aborted', async () => {
  const stopping = new AbortController();
  const seen = await pulled(({ message, onLeave }) => {
    onLeave(() => message(2));
    message(1);
    stopping.abort();
  }, stopping.signal);
  expect(seen).toEqual(['1', '2']);
});

it('ends soon after it was aborted, although the broker does not confirm', async () => {
  const stopping = new AbortController();
  const seen = await pulled(({ message, silence }) => {
    silence();
    message(1);
    stopping.abort();
  }, stopping.signal);
  expect(seen).toEqual(['1']);
});

it('ends well if the broker refuses it after it was aborted', async () => {
  const stopping = new AbortController();
  const seen = await pulled(({ message, end, onLeave }) => {
    onLeave(() => end('409 Consumer Deleted'));
    message(1);
    stopping.abort();
  }, stopping.signal);
  expect(seen).toEqual(['1']);
});
