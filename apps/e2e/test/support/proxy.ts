import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from '@jest/globals';

/** Fate of a request on an unreliable network: passed on, refused, or passed on with its answer lost. */
export type Fate = 'pass' | 'refuse' | 'lose';

export interface Proxy {
  readonly url: string;
  /** Paths of the requests so far, in order. */
  readonly paths: string[];
  /** Requests that are not answered yet, also of clients that are gone. */
  readonly pending: number;
  /** Fates of the next requests, one by one. All later requests pass. */
  fates: Fate[];
  /** Changes by somebody else, right before the next POSTs pass, one by one. */
  meanwhile: ((() => Promise<unknown>) | undefined)[];
  /** The first POST to this path waits, whatever becomes of its client, and passes right before the second one. */
  late?: string;
  /** Whether that POST has come. */
  readonly isHolding: boolean;
}

/** A request that waits. */
interface Held {
  release: () => void;
  done: Promise<void>;
}

/** A proxy between an SDK and the gateway at `target`. Preflights always pass. Use it inside tests and hooks. */
export function useProxy(target: () => string): Proxy {
  let [url, pending] = ['', 0];
  let held: Held | undefined;
  const proxy: Proxy = {
    fates: [] as Fate[],
    meanwhile: [],
    paths: [] as string[],
    get url() {
      return url;
    },
    get pending() {
      return pending;
    },
    get isHolding() {
      return held !== undefined;
    },
  };
  const server = createServer((request, response) => {
    const fate = request.method === 'OPTIONS' ? 'pass' : (proxy.fates.shift() ?? 'pass');
    proxy.paths.push(request.url ?? '');
    if (fate === 'refuse') refuse(request, response);
    else {
      pending += 1;
      const done = () => {
        pending -= 1;
      };
      const isLate = request.method === 'POST' && request.url?.split('?')[0] === proxy.late;
      const turn = Promise.withResolvers<void>();
      const passed = forward(target(), request, response, fate, turn.promise)
        .catch(() => void response.destroy())
        .finally(done);
      if (isLate && !held) held = { release: turn.resolve, done: passed };
      else if (isLate) {
        held?.release();
        void held?.done.then(turn.resolve);
      } else void Promise.resolve(request.method === 'POST' && proxy.meanwhile.shift()?.()).then(() => turn.resolve());
    }
  });
  server.keepAliveTimeout = 0; // the gateway keeps idle connections for longer than Node's default, and tells clients so
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  });
  return proxy;
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  const { origin = '*' } = request.headers;
  response.writeHead(503, { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' }).end();
}

/** Passes a request on when its turn comes. With the fate `lose` the answer never arrives. */
export async function forward(
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
  fate: Fate,
  turn: Promise<unknown>,
) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { host, connection, 'content-length': length, ...headers } = request.headers;
  const body = Buffer.concat(chunks);
  await turn;
  const answer = await fetch(`${target}${request.url}`, {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(body.length > 0 && { body }),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (fate === 'lose') {
    response.destroy();
    return;
  }
  const { 'content-encoding': encoding, 'transfer-encoding': transfer, ...kept } = Object.fromEntries(answer.headers);
  response.writeHead(answer.status, kept).end(bytes);
}
