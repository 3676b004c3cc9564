import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** An answer with a JSON body. */
export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** A local server for one test file. It gives the answers of `script` in turn, the last one again and again. */
export function useServer() {
  const state = { url: '', script: [] as Handler[], seen: [] as string[], requests: [] as IncomingMessage[] };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      state.seen.push(`${request.method} ${request.url}${body && ` ${body}`}`);
      state.requests.push(request);
      const [answer, ...later] = state.script;
      if (later.length > 0) state.script = later;
      answer?.(request, response, body);
    });
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => void Object.assign(state, { script: [], seen: [], requests: [] }));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return state;
}

/** Everything that an iterator gives. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const given: Item[] = [];
  for await (const item of items) given.push(item);
  return given;
}
