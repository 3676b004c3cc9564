import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { partitionOf } from '@weir/contracts';
import { destinationKind, type Outbound } from '@weir/destinations';
import { Egress, parseCidrs } from '@weir/egress';
import { EVENTS_ACCEPTED, partitionConsumer } from '@weir/messaging';
import { type SendOutcome, sendStage } from '@weir/stages';
import {
  nameServer,
  patientManager,
  type RecordingServer,
  recordingServer,
  trackEvent,
  until,
  useDatabase,
  useNats,
} from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import { DeliveryScene } from './delivery-scene.js';

/** Replaces the 10 s of a real delivery where no answer ever comes. */
const SHORT_MS = 700;
const NO_CONNECTION = 'The destination could not be reached';

const database = useDatabase('delivery', migrations);
const nats = useNats();
let egress: Egress;
beforeAll(() => {
  egress = new Egress({ allowCidrs: parseCidrs('127.0.0.0/8'), refuse: [] });
});
afterAll(() => egress.close());

const open: { server: Server; sockets: Set<Socket> }[] = [];
afterEach(async () => {
  for (const { server, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** Starts a server that treats each connection as the fault says. Returns its port. */
async function faulty(fault: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    fault(socket);
  });
  open.push({ server, sockets });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Sends over the real egress, with a shorter timeout where the fault would exhaust it. */
async function sendTo(webhookUrl: string, timeoutMs?: number): Promise<SendOutcome> {
  const kind = destinationKind('WEBHOOK');
  if (!kind) throw new Error('there is a webhook');
  const config = { webhookUrl };
  const [payload] = kind.transform(trackEvent(), config);
  if (!payload) throw new Error('a webhook takes every event');
  const outbound: Outbound = {
    request: (request) => egress.request({ ...request, ...(timeoutMs && { timeoutMs }) }),
    connect: (where) => egress.connect(where),
  };
  return sendStage(kind, payload, config, outbound);
}

const answering =
  (head: string, body = '') =>
  (socket: Socket) => {
    socket.once('data', () => socket.write(`HTTP/1.1 ${head}\r\n\r\n${body}`));
  };
/** Sends one byte at a time, forever. */
function slowly(socket: Socket, head: string): void {
  const timer = setInterval(() => socket.write('x'), SHORT_MS / 10);
  socket.once('close', () => clearInterval(timer));
  socket.write(head);
}

describe('a delivery', () => {
  const faults: [string, (socket: Socket) => void, Partial<SendOutcome>][] = [
    [
      'a reset on connect',
      (socket) => socket.resetAndDestroy(),
      { verdict: 'retry', status: 502, response: NO_CONNECTION },
    ],
    [
      'a reset in the middle of the request',
      (socket) => void socket.once('data', () => socket.resetAndDestroy()),
      { verdict: 'retry', status: 502, response: NO_CONNECTION },
    ],
    [
      'a server that never answers',
      () => undefined,
      { verdict: 'retry', status: 504, response: 'The destination did not answer in time' },
    ],
    [
      'headers one byte at a time (slow-loris)',
      (socket) => slowly(socket, 'HTTP/1.1 200 OK\r\nx-slow: '),
      { verdict: 'retry', status: 504, response: 'The destination did not answer in time' },
    ],
    [
      'a body one byte at a time',
      (socket) => slowly(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n'),
      { verdict: 'retry', status: 504, response: 'The destination did not answer in time' },
    ],
    [
      'something that is not HTTP',
      (socket) => void socket.write('220 mail.example.com ESMTP\r\n'),
      { verdict: 'retry', status: 502, response: 'The answer of the destination is not HTTP' },
    ],
    [
      'a redirect to itself',
      answering('302 Found\r\nlocation: /\r\ncontent-length: 0'),
      { verdict: 'refused', status: 302 },
    ],
    [
      '429 with Retry-After',
      answering('429 Too Many Requests\r\nretry-after: 7\r\ncontent-length: 0'),
      { verdict: 'retry', status: 429, retryAfterMs: 7_000 },
    ],
    ['500', answering('500 Internal Server Error\r\ncontent-length: 0'), { verdict: 'retry', status: 500 }],
    ['410', answering('410 Gone\r\ncontent-length: 0'), { verdict: 'refused', status: 410 }],
  ];
  it.each(faults)('meets %s', async (_, fault, outcome) => {
    const timeoutMs = outcome.status === 504 ? SHORT_MS : undefined;
    expect(await sendTo(`http://127.0.0.1:${await faulty(fault)}/`, timeoutMs)).toMatchObject(outcome);
  });

  it('meets a server without TLS where TLS is asked for', async () => {
    const port = await faulty(answering('400 Bad Request\r\ncontent-length: 0'));
    expect(await sendTo(`https://127.0.0.1:${port}/`)).toMatchObject({
      verdict: 'retry',
      status: 502,
      response: 'A secure connection to the destination could not be made',
    });
  });

  it('meets a body of 10 GB: it reads what it keeps and hangs up', async () => {
    const sent = { bytes: 0, isOver: false };
    const port = await faulty((socket) => {
      const chunk = Buffer.alloc(65_536, 'x');
      const pour = () => {
        while (!socket.destroyed && socket.write(chunk)) sent.bytes += chunk.length;
      };
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 10000000000\r\n\r\n');
        pour();
      });
      socket.on('drain', pour).once('close', () => {
        sent.isOver = true;
      });
    });
    const outcome = await sendTo(`http://127.0.0.1:${port}/`);
    expect(outcome).toMatchObject({ verdict: 'delivered', status: 200 });
    expect(outcome.response).toHaveLength(262_144);
    await until('the connection to end', () => sent.isOver);
    expect(sent.bytes).toBeLessThan(100_000_000);
  });
});

describe('a destination that flaps', () => {
  let scene: DeliveryScene;
  let server: RecordingServer;
  afterEach(async () => {
    await scene.close();
    await server.close();
  });

  it('gets every event in order, and none of them twice', async () => {
    scene = new DeliveryScene(database, nats);
    server = await recordingServer();
    const taken: number[] = [];
    let requests = 0;
    server.answer(({ json }) => {
      requests += 1;
      if (requests % 3 === 1) return { status: 503 };
      if (requests % 3 === 2) return { reset: 'before' };
      taken.push((json as { properties: { n: number } }).properties.n);
      return {};
    });
    await scene.webhook(`${server.url}/hook`);
    await scene.startDeliverer();
    const numbers = Array.from({ length: 6 }, (_, n) => n);
    await scene.accept(numbers.map((n) => trackEvent({ userId: 'u', properties: { n } })));
    await until('every event', () => taken.length >= numbers.length);
    await scene.drained();
    expect(taken).toEqual(numbers);
    expect(await scene.letters()).toEqual([]);
  });
});

describe('a destination whose name server is silent', () => {
  it('holds up nothing of the destinations beside it', async () => {
    const names = await nameServer((name) => (name.startsWith('silent') ? 'silent' : ['127.0.0.1']));
    const scene = new DeliveryScene(database, nats);
    const server = await recordingServer();
    try {
      for (let n = 0; n < 8; n += 1) await scene.webhook(`http://silent${n}.example.com:${server.port}/hook`);
      await scene.webhook(`http://healthy.example.com:${server.port}/hook`);
      await scene.startDeliverer({ EGRESS_NAME_SERVERS: names.address, DELIVERY_RETRY_MAX_MS: '0' });
      const users = Array.from({ length: 40 }, (_, n) => `user-${n}`);
      await scene.accept(users.map((userId) => trackEvent({ userId })));
      // Threads that wait for the silent names would block for minutes: 128 connections, at most four threads, 10 s each.
      const served = () => new Set(server.requests.map(({ json }) => (json as { userId: string }).userId));
      await until('every event at the healthy destination', () => served().size === users.length);
      const letters = async () => (await scene.letters()).length;
      await until('every other event to be given up', async () => (await letters()) === 8 * users.length);
    } finally {
      await scene.close();
      await server.close();
      await names.close();
    }
  });
});

describe('a consumer that is deleted by hand', () => {
  it('is made anew, and every event arrives', async () => {
    const scene = new DeliveryScene(database, nats);
    const server = await recordingServer();
    try {
      await scene.webhook(`${server.url}/hook`);
      await scene.startDeliverer();
      const consumer = partitionConsumer('deliverer', partitionOf(scene.workspaceId, scene.sourceId));
      const { consumers } = await patientManager(nats.connection);
      const numbers = Array.from({ length: 40 }, (_, n) => n);
      for (const n of numbers) {
        if (n % 10 === 5) await consumers.delete(EVENTS_ACCEPTED, consumer).catch(() => undefined);
        await scene.accept([trackEvent({ userId: 'u', properties: { n } })]);
      }
      const arrived = () =>
        new Set(server.requests.map(({ json }) => (json as { properties: { n: number } }).properties.n));
      await until('every event', () => arrived().size === numbers.length);
      expect(await scene.letters()).toEqual([]);
    } finally {
      await scene.close();
      await server.close();
    }
  });
});
