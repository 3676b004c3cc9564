import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { until } from './until.js';

export interface RecordedRequest {
  method: string;
  /** Path with query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Body as text. */
  body: string;
  /** The parsed body. Undefined if it is not JSON. */
  json: unknown;
  /** Milliseconds since the epoch. */
  at: number;
}

/** How the server replies to a request. An empty reply is 200 with an empty body. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Objects are sent as JSON. */
  body?: string | Buffer | object;
  /** Waits before it answers. */
  delayMs?: number;
  /** Sends a body of this size instead of `body`. */
  bodyBytes?: number;
  /** Sends the headers at once, and then one byte of the body per interval. */
  trickleMs?: number;
  /** Never answers. */
  hang?: boolean;
  /** Resets the connection, before the response or within its body. */
  reset?: 'before' | 'within';
}

export interface RecordingServer {
  /** `http://127.0.0.1:<port>` */
  url: string;
  port: number;
  /** All requests, in order of arrival. */
  requests: RecordedRequest[];
  /** Replies for the next requests, one each. After them, `answer` decides. */
  script(...replies: Reply[]): void;
  /** Sets the reply for every request that no script covers. */
  answer(reply: Reply | ((request: RecordedRequest) => Reply)): void;
  /** Resolves once this many requests have arrived in total. */
  received(count: number, timeoutMs?: number): Promise<RecordedRequest[]>;
  /** Forgets recorded requests and scripted replies. */
  clear(): void;
  close(): Promise<void>;
}

/** An HTTP server on a free loopback port that records requests and replies as told, including faults. */
export async function recordingServer(): Promise<RecordingServer> {
  const requests: RecordedRequest[] = [];
  const scripted: Reply[] = [];
  let decide: (request: RecordedRequest) => Reply = () => ({});
  const server = createServer(async (message, response) => {
    const request = await record(message).catch(() => undefined);
    if (!request) return; // the client disconnected within its request body
    requests.push(request);
    await send(response, scripted.shift() ?? decide(request));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    script: (...replies) => void scripted.push(...replies),
    answer: (reply) => {
      decide = typeof reply === 'function' ? reply : () => reply;
    },
    received: (count, timeoutMs) =>
      until(`${count} requests`, () => (requests.length >= count ? requests : undefined), timeoutMs),
    clear: () => {
      requests.length = 0;
      scripted.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function record(message: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('utf8');
  const { method = '', url = '', headers } = message;
  return { method, path: url, headers, body, json: parsed(body), at: Date.now() };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

async function send(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply.hang) return;
  if (reply.delayMs) await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
  if (reply.reset === 'before') return void response.socket?.resetAndDestroy();
  const { type, bytes } = bodyOf(reply);
  response.writeHead(reply.status ?? 200, {
    ...(type && { 'content-type': type }),
    // A byte that never comes, so that no client takes an empty answer that breaks off for whole.
    'content-length': reply.reset === 'within' ? bytes.length + 1 : bytes.length,
    ...reply.headers,
  });
  if (reply.reset === 'within') {
    response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.socket?.resetAndDestroy());
    return;
  }
  if (reply.trickleMs) return trickle(response, bytes, reply.trickleMs);
  response.end(bytes);
}

function bodyOf({ body = '', bodyBytes }: Reply): { type?: string; bytes: Buffer } {
  if (bodyBytes !== undefined) return { type: 'application/octet-stream', bytes: Buffer.alloc(bodyBytes, 'x') };
  if (Buffer.isBuffer(body)) return { bytes: body };
  if (typeof body === 'object') return { type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) };
  return { bytes: Buffer.from(body) };
}

function trickle(response: ServerResponse, bytes: Buffer, everyMs: number): void {
  response.flushHeaders();
  let sent = 0;
  const timer = setInterval(() => {
    if (sent < bytes.length && !response.destroyed) return void response.write(bytes.subarray(sent, ++sent));
    clearInterval(timer);
    response.end();
  }, everyMs);
}
