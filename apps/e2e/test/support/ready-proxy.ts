import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StackAddress } from '@weir/local';
import { until } from '@weir/testing';

/** Interval of readiness checks. A load balancer that its platform notifies knows as early. */
const POLL_MS = 50;
/** The chart's probe waits as long for an answer. */
const CHECK_TIMEOUT_MS = 3_000;
/** A gateway that runs gets requests until its checks have failed this long: three times, five seconds apart, as in the chart. */
const UNREADY_MS = 10_000;
/** A gateway that ends says this. Its platform has ended it, and therefore knows at once. */
const IS_STOPPING = 'process: is stopping';
/** Longer than any client keeps an idle connection. */
const KEEP_ALIVE_MS = 65_000;
/** As load balancers do, it closes an idle connection before the gateway does, which keeps it for 65 s. */
const IDLE_MS = 60_000;

interface Backend {
  url: string;
  /** URL of its readiness check. */
  readyUrl: string;
}

class Upstream {
  isReady = false;
  /** Why it is not ready. */
  reason = 'was not asked';
  readonly agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  private failsSince: number | undefined;
  private isStopped = false;

  constructor(readonly backend: Backend) {
    void this.poll();
  }

  stop(): void {
    this.isStopped = true;
    this.agent.destroy();
  }

  private async poll(): Promise<void> {
    while (!this.isStopped) {
      await this.check().catch((error: Error) => {
        this.failed(`${error.message} ${error.cause ?? ''}`, error.name !== 'TimeoutError');
      });
      await sleep(POLL_MS);
    }
  }

  private async check(): Promise<void> {
    const answer = await fetch(`${this.backend.readyUrl}/readyz`, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) });
    const text = await answer.text();
    if (answer.status !== 200) return this.failed(text, text.includes(IS_STOPPING));
    this.isReady = true;
    this.failsSince = undefined;
  }

  /** One that ends, or takes no connection, gets nothing more at once. */
  private failed(reason: string, isGone: boolean): void {
    const at = performance.now();
    this.reason = reason;
    this.failsSince ??= at;
    if (isGone || at - this.failsSince >= UNREADY_MS) this.isReady = false;
  }
}

/**
 * A load balancer for several gateways. It sends each request to a ready one, over keep-alive connections. Like any load
 * balancer, it tries another gateway if the connection is refused, and retries nothing else.
 */
export async function readyProxy(backends: readonly Backend[]) {
  const upstreams = backends.map((backend) => new Upstream(backend));
  let next = 0;
  const order = () => {
    next += 1;
    const ready = upstreams.filter(({ isReady }) => isReady);
    return [...ready.slice(next % ready.length), ...ready.slice(0, next % ready.length)];
  };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, async (incoming, answer) => {
    const body = await bodyOf(incoming).catch(() => undefined);
    const ready = order();
    if (!body) return;
    if (ready.length > 0) return forward(incoming, body, answer, ready);
    answer.writeHead(502).end(`no gateway is ready: ${upstreams.map(({ reason }) => reason).join('; ')}`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** A platform ends no gateway before the checks of the one that it has replaced pass. */
    untilReady: () => until('every gateway to be ready', () => upstreams.every(({ isReady }) => isReady)),
    close: () =>
      new Promise<void>((done) => {
        for (const upstream of upstreams) upstream.stop();
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** One in front of every gateway of a stack that has ports for operators. */
export const gatewaysProxy = ({ urls, opsUrls }: StackAddress) =>
  readyProxy(urls.map((url, n) => ({ url, readyUrl: opsUrls[n ? `gateway.main-${n + 1}` : 'gateway.main'] ?? '' })));

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function forward(
  incoming: IncomingMessage,
  body: Buffer,
  answer: ServerResponse,
  [first, ...others]: Upstream[],
): void {
  if (!first) {
    answer.writeHead(502).end('every gateway refuses the connection');
    return;
  }
  const { method, url, headers } = incoming;
  const { host: _, connection: __, ...kept } = headers;
  const outgoing = request(`${first.backend.url}${url}`, { method, headers: kept, agent: first.agent }, (response) => {
    const { connection: ___, ...given } = response.headers;
    answer.writeHead(response.statusCode ?? 502, given);
    response.on('error', () => answer.destroy());
    response.pipe(answer);
  });
  outgoing.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') return forward(incoming, body, answer, others);
    if (!answer.headersSent) answer.writeHead(502).end(`${first.backend.url}: ${error.message}`);
    else answer.destroy();
  });
  outgoing.end(body);
}
