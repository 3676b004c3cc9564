import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { LoadResult } from './load.js';

const HEADER_END = '\r\n\r\n';
/** Interval at which a paced run checks for due requests. */
const TICK_MS = 2;

export interface RawRequest {
  url: string;
  authorization: string;
  body: string;
}

export interface RawLoadOptions {
  connections: number;
  seconds: number;
  make: (n: number) => RawRequest;
  /** Requests begun per second, whatever happens. Without it, each connection sends one request after the other. */
  perSecond?: number;
}

/**
 * Sends POSTs over plain sockets. This client uses as little CPU as possible, because it shares the machine with the service
 * under test.
 */
export async function rawLoad({ connections, seconds, make, perSecond }: RawLoadOptions): Promise<LoadResult> {
  const clients = await Promise.all(Array.from({ length: connections }, () => RawClient.open(make(0).url)));
  const latencies: number[] = [];
  const startedAt = performance.now();
  const end = startedAt + seconds * 1_000;
  let sent = 0;
  let failed = 0;
  const send = async (client: RawClient, since: number) => {
    sent += 1;
    const status = await client.post(make(sent));
    if (status === 200) latencies.push(performance.now() - since);
    else failed += 1;
  };
  const busy = async (client: RawClient) => {
    while (performance.now() < end) await send(client, performance.now());
  };
  if (perSecond === undefined) await Promise.all(clients.map(busy));
  else await paced(clients, send, { startedAt, end, perSecond });
  for (const client of clients) client.close();
  const took = (performance.now() - startedAt) / 1_000;
  return { requests: latencies.length, failed, seconds: took, latencies: latencies.sort((a, b) => a - b) };
}

/** Measures latency from when a request was due, and not from when a connection was free. */
async function paced(
  clients: RawClient[],
  send: (client: RawClient, since: number) => Promise<void>,
  { startedAt, end, perSecond }: { startedAt: number; end: number; perSecond: number },
): Promise<void> {
  const free = [...clients];
  const due: number[] = [];
  let begun = 0;
  const next = () => {
    while (free.length > 0 && due.length > 0) {
      const client = free.pop() as RawClient;
      void send(client, due.shift() as number).finally(() => {
        free.push(client);
        next();
      });
    }
  };
  while (performance.now() < end) {
    const wanted = Math.floor(((performance.now() - startedAt) * perSecond) / 1_000);
    for (; begun < wanted; begun += 1) due.push(startedAt + (begun * 1_000) / perSecond);
    next();
    await new Promise((done) => setTimeout(done, TICK_MS));
  }
  while (free.length < clients.length) await new Promise((done) => setTimeout(done, TICK_MS));
}

/** One keep-alive connection with one request at a time. */
class RawClient {
  private answer = '';
  private settle: ((status: number) => void) | undefined;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (chunk) => this.read(String(chunk)));
    socket.on('error', () => this.settle?.(0));
    socket.on('close', () => this.settle?.(0));
  }

  static open(url: string): Promise<RawClient> {
    const { hostname, port } = new URL(url);
    return new Promise((done, fail) => {
      const socket = connect(Number(port), hostname, () => done(new RawClient(socket)));
      socket.once('error', fail);
    });
  }

  /** Resolves with the status of the answer, or with 0 if the connection broke. */
  post({ url, authorization, body }: RawRequest): Promise<number> {
    const { pathname, host } = new URL(url);
    const head = `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${authorization}\r\n`;
    const type = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}`;
    return new Promise((done) => {
      this.settle = done;
      if (this.socket.destroyed) done(0);
      else this.socket.write(head + type + HEADER_END + body);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private read(chunk: string): void {
    this.answer += chunk;
    const head = this.answer.indexOf(HEADER_END);
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.answer)?.[1] ?? 0);
    if (this.answer.length < head + HEADER_END.length + length) return;
    const status = Number(this.answer.slice(9, 12));
    this.answer = '';
    this.settle?.(status);
  }
}
