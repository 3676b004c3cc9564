import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Egress, type EgressOptions } from './egress.js';
import type { EgressRequest } from './request.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function listen(server: Server | TcpServer, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  cleanups.push(async () => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const serve = (handle: RequestListener) => listen(createServer(handle));

function newEgress(options: Partial<EgressOptions> = {}): Egress {
  const egress = new Egress({ allowCidrs: ['127.0.0.0/8'], refuse: [], ...options });
  cleanups.push(() => egress.close());
  return egress;
}

/** Longer than any wait of a busy machine. */
const LONG_MS = 120_000;

type Partially = Partial<EgressRequest> & { url: string };
const get = (egress: Egress, request: Partially) =>
  egress.request({ method: 'GET', timeoutMs: LONG_MS, maxResponseBytes: 1_000, ...request });

const code = (expected: string, errno?: string) =>
  expect.objectContaining({ name: 'EgressError', code: expected, ...(errno && { errno }) });

describe('a request', () => {
  it('goes out as given and comes back whole', async () => {
    const seen: { request: IncomingMessage; body: string }[] = [];
    const port = await serve(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      seen.push({ request, body: Buffer.concat(chunks).toString() });
      response.writeHead(201, { 'content-type': 'text/plain', 'set-cookie': ['a=1', 'b=2'] }).end('héllo');
    });
    const answer = await get(newEgress(), {
      method: 'post',
      url: `http://127.0.0.1:${port}/p/a?q=1#hash`,
      headers: { 'x-a': 'b' },
      body: '{"a":1}',
    });
    expect(answer).toMatchObject({ status: 201, truncated: false, body: Buffer.from('héllo') });
    expect(answer.headers).toMatchObject({ 'content-type': 'text/plain', 'set-cookie': 'a=1, b=2' });
    expect(seen[0]?.body).toBe('{"a":1}');
    expect(seen[0]?.request).toMatchObject({ method: 'POST', url: '/p/a?q=1' });
    expect(seen[0]?.request.headers).toMatchObject({ host: `127.0.0.1:${port}`, 'x-a': 'b', 'content-length': '7' });
  });

  it('may have a longer URL where its caller allows it', async () => {
    const port = await serve((request, response) => response.end(String(request.url?.length)));
    const url = `http://127.0.0.1:${port}/?a=${'a'.repeat(8_000)}`;
    const answer = await get(newEgress(), { url, urlLengthMax: 8_192 });
    expect(answer.body.toString()).toBe('8004');
    await expect(get(newEgress(), { url })).rejects.toEqual(code('invalid_url'));
  });

  it('tells for whom it goes out, and only by the field for that', async () => {
    const seen: unknown[] = [];
    const port = await serve((request, response) => {
      seen.push(request.headers['x-forwarded-for']);
      response.end();
    });
    const egress = newEgress();
    const url = `http://127.0.0.1:${port}/`;
    for (const forwardedFor of ['192.0.2.7', '2001:db8::7']) await get(egress, { url, headers: {}, forwardedFor });
    await get(egress, { url });
    expect(seen).toEqual(['192.0.2.7', '2001:db8::7', undefined]);
    for (const forwardedFor of ['', '192.0.2.7, 10.0.0.1', 'localhost', '::1\r\nhost: evil.example']) {
      await expect(get(egress, { url, forwardedFor })).rejects.toEqual(code('invalid_header'));
    }
    const headers = { 'x-forwarded-for': '192.0.2.7' };
    await expect(get(egress, { url, headers })).rejects.toEqual(code('invalid_header'));
    await expect(get(egress, { url, headers, forwardedFor: '192.0.2.7' })).rejects.toEqual(code('invalid_header'));
    expect(seen).toHaveLength(3);
  });

  it('carries the name in Host while it goes to the checked address', async () => {
    const port = await serve((request, response) => response.end(request.headers.host));
    const egress = newEgress({ lookup: async () => [{ address: '127.0.0.1', family: 4 }] });
    const answer = await get(egress, { url: `http://hooks.example.com.:${port}/` });
    expect(answer.body.toString()).toBe(`hooks.example.com:${port}`);
  });

  it.each([301, 302, 303, 307, 308])('reports %s and does not follow it', async (status) => {
    let requests = 0;
    const port = await serve((_request, response) => {
      requests += 1;
      response.writeHead(status, { location: 'http://169.254.169.254/' }).end('moved');
    });
    const answer = await get(newEgress(), { url: `http://127.0.0.1:${port}/` });
    expect(answer).toMatchObject({
      status,
      headers: { location: 'http://169.254.169.254/' },
      body: Buffer.from('moved'),
    });
    expect(requests).toBe(1);
  });

  it('uses a connection again, and no more of them than agreed', async () => {
    const ports = new Set<number | undefined>();
    let open = 0;
    let most = 0;
    const port = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        response.end('ok');
      }, 5);
    });
    const egress = newEgress();
    await Promise.all(Array.from({ length: 100 }, () => get(egress, { url: `http://127.0.0.1:${port}/` })));
    expect(most).toBeLessThanOrEqual(16);
    expect(ports.size).toBeLessThanOrEqual(16);
  });

  it('is refused once the client is closed', async () => {
    const egress = newEgress();
    await egress.close();
    await expect(get(egress, { url: 'http://127.0.0.1:1/' })).rejects.toEqual(code('closed'));
  });

  it.each([
    [{ method: 'CONNECT' }, 'invalid_method'],
    [{ method: 'GET\r\nX: y' }, 'invalid_method'],
    [{ headers: { host: 'evil' } }, 'invalid_header'],
    [{ headers: { 'x-a': 'a\r\nb: c' } }, 'invalid_header'],
    [{ url: 'https://u:p@example.com' }, 'invalid_url'],
    [{ url: 'gopher://example.com' }, 'invalid_url'],
  ])('is checked before anything is sent: %j', async (part, expected) => {
    const egress = newEgress({ lookup: async () => Promise.reject(new Error('no lookup')) });
    await expect(get(egress, { url: 'https://example.com', ...part })).rejects.toEqual(code(expected));
  });
});

it('a body that is too large is not sent', async () => {
  const sending = get(newEgress(), { url: 'https://example.com', body: Buffer.alloc(16_777_217) });
  await expect(sending).rejects.toEqual(code('too_large'));
});

describe('a target', () => {
  it('inside is blocked with one and the same error, whether something is there or not', async () => {
    const port = await serve((_request, response) => response.end('secret'));
    const egress = newEgress({ allowCidrs: [], allowHttp: true });
    const urls = [
      `http://127.0.0.1:${port}/`,
      'http://127.0.0.1:1/',
      'https://10.0.0.1/',
      'http://localhost/',
      'https://x.svc/',
    ];
    const errors = await Promise.all(
      urls.map((url) => get(egress, { url }).catch((error) => ({ ...error, text: String(error) }))),
    );
    for (const error of errors) expect(error).toEqual(errors[0]);
    expect(errors[0]).toEqual({
      name: 'EgressError',
      code: 'blocked',
      errno: undefined,
      text: 'EgressError: The address is not allowed',
    });
  });

  it('that rebinds is resolved once, and connected to as it was checked', async () => {
    let inside = 0;
    const insidePort = await serve((_request, response) => {
      inside += 1;
      response.end('inside');
    });
    const outside = createServer((_request, response) => response.end('outside'));
    await new Promise<void>((done) => void outside.listen(insidePort, '127.0.0.2', done));
    cleanups.push(async () => outside.close());
    let lookups = 0;
    const egress = newEgress({
      allowCidrs: ['127.0.0.2/32'],
      lookup: async () => {
        lookups += 1;
        return [{ address: lookups === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }];
      },
    });
    const url = `http://rebind.example.com:${insidePort}/`;
    expect((await get(egress, { url, headers: { 'x-n': '1' } })).body.toString()).toBe('outside');
    expect(lookups).toBe(1);
    await egress.close();

    const fresh = newEgress({
      allowCidrs: ['127.0.0.2/32'],
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    await expect(get(fresh, { url })).rejects.toEqual(code('blocked'));
    expect(inside).toBe(0);
  });

  it('that refuses, is unknown or speaks no TLS says so', async () => {
    const plainPort = await serve((_request, response) => response.end());
    const egress = newEgress();
    await expect(get(egress, { url: 'http://127.0.0.1:1/' })).rejects.toEqual(code('connect', 'ECONNREFUSED'));
    await expect(get(egress, { url: `https://127.0.0.1:${plainPort}/` })).rejects.toEqual(code('tls'));
    const unknown = newEgress({
      lookup: async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
    });
    await expect(get(unknown, { url: 'https://no.example.com/' })).rejects.toEqual(code('dns', 'ENOTFOUND'));
  });

  it('that hangs up or speaks no HTTP says so', async () => {
    const tcp = (reply = '') =>
      listen(
        createTcpServer((socket) => {
          socket.on('error', () => undefined);
          socket.on('data', () => socket.end(reply));
        }),
      );
    const egress = newEgress();
    await expect(get(egress, { url: `http://127.0.0.1:${await tcp()}/` })).rejects.toEqual(
      code('connect', 'UND_ERR_SOCKET'),
    );
    await expect(get(egress, { url: `http://127.0.0.1:${await tcp('SSH-2.0-x\r\n')}/` })).rejects.toEqual(
      code('protocol'),
    );
    const headers = `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(70_000)}\r\n\r\n`;
    await expect(get(egress, { url: `http://127.0.0.1:${await tcp(headers)}/` })).rejects.toEqual(code('protocol'));
    const short = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc';
    await expect(get(egress, { url: `http://127.0.0.1:${await tcp(short)}/` })).rejects.toEqual(code('connect'));
  });
});

describe('the deadline', () => {
  const hanging: [string, RequestListener][] = [
    ['headers that never come', () => undefined],
    ['a body that never ends', (_request, response) => void response.writeHead(200).write('a')],
    ['a byte now and then', (_request, response) => drip(response, () => response.write('a'))],
    ['endless interim answers', (_request, response) => drip(response, () => response.writeProcessing())],
  ];
  const drip = (response: ServerResponse, step: () => void) => {
    const timer = setInterval(step, 20);
    response.on('close', () => clearInterval(timer));
  };

  const SHORT_MS = 200;

  /**
   * The error of a wait with the short deadline, provided that it ends before the same wait with the long deadline. The end of the
   * test cancels the long one.
   */
  function errorOfShort(wait: (timeoutMs: number) => Promise<unknown>): Promise<unknown> {
    const long = wait(LONG_MS).then(
      () => 'the long one ended',
      () => 'the long one failed',
    );
    return Promise.race([long, wait(SHORT_MS).catch((error: unknown) => error)]);
  }

  it.each(hanging)('covers %s', async (_what, handle) => {
    const egress = newEgress();
    const url = `http://127.0.0.1:${await serve(handle)}/`;
    const error = await errorOfShort((timeoutMs) => get(egress, { url, timeoutMs }));
    expect(error).toEqual(code('timeout', 'ETIMEDOUT'));
  });

  it('covers a name server and a handshake that do not answer', async () => {
    const lookup = () =>
      new Promise<never>((_, reject) => cleanups.push(async () => reject(new Error('the test is over'))));
    const silent = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      cleanups.push(async () => socket.destroy());
    });
    const [host, never, egress] = ['slow.example.com', newEgress({ lookup }), newEgress()];
    const address = { host: '127.0.0.1', port: await listen(silent), tls: true };
    const waits = [
      (timeoutMs: number) => get(never, { url: `https://${host}`, timeoutMs }),
      (timeoutMs: number) => never.connect({ host, port: 1, timeoutMs }),
      (timeoutMs: number) => egress.connect({ ...address, timeoutMs }),
    ];
    for (const wait of waits) expect(await errorOfShort(wait)).toEqual(code('timeout'));
  });
});

describe('the answer', () => {
  const endless: RequestListener = (_request, response) => {
    response.on('error', () => undefined);
    const more = () => {
      if (response.destroyed) return;
      response.write(Buffer.alloc(65_536, 'a'));
      setImmediate(more);
    };
    more();
  };

  it('is cut at its limit, and not at one byte less', async () => {
    const port = await serve((_request, response) => response.end('a'.repeat(1_000)));
    const url = `http://127.0.0.1:${port}/`;
    expect(await get(newEgress(), { url, maxResponseBytes: 1_000 })).toMatchObject({
      truncated: false,
      body: { length: 1_000 },
    });
    expect(await get(newEgress(), { url, maxResponseBytes: 999 })).toMatchObject({
      truncated: true,
      body: { length: 999 },
    });
  });

  it('is cut when it never ends', async () => {
    const port = await serve(endless);
    const answer = await get(newEgress(), { url: `http://127.0.0.1:${port}/`, maxResponseBytes: 100_000 });
    expect(answer).toMatchObject({ truncated: true, body: { length: 100_000 } });
  });

  /** Much more than the memory of the process grows by itself meanwhile. */
  const BOMB_BYTES = 100_000_000;
  // The best compression of a bomb would take seconds.
  const gzip = (bytes: Buffer) => gzipSync(bytes, { level: 1 });
  const deflate = (bytes: Buffer) => deflateSync(bytes, { level: 1 });
  const brotli = (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

  it.each([
    ['gzip', gzip],
    ['x-gzip', gzip],
    ['deflate', deflate],
    ['br', brotli],
  ])('is decompressed (%s), and a bomb is cut', async (encoding, compress) => {
    const small = compress(Buffer.from('hello'));
    const bomb = compress(Buffer.alloc(BOMB_BYTES));
    const port = await serve((request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(request.url === '/bomb' ? bomb : small);
    });
    const egress = newEgress();
    const url = `http://127.0.0.1:${port}`;
    expect(await get(egress, { url: `${url}/` })).toMatchObject({ truncated: false, body: Buffer.from('hello') });
    const rssBefore = process.memoryUsage().rss;
    expect(await get(egress, { url: `${url}/bomb` })).toMatchObject({ truncated: true, body: { length: 1_000 } });
    expect(process.memoryUsage().rss - rssBefore).toBeLessThan(0.6 * BOMB_BYTES);
  });

  it('counts compressed bytes too', async () => {
    const port = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const member = gzipSync('');
      response.end(Buffer.concat(Array.from({ length: 10_000 }, () => member)));
    });
    const answer = await get(newEgress(), { url: `http://127.0.0.1:${port}/` });
    expect(answer).toMatchObject({ truncated: true, body: { length: 0 } });
  });

  it('with a broken encoding is an error, an empty or unknown one is not', async () => {
    const port = await serve((request, response) => {
      const encoding = request.url === '/unknown' ? 'zstd-ish' : 'gzip';
      response.writeHead(200, { 'content-encoding': encoding }).end(request.url === '/empty' ? '' : 'plain');
    });
    const egress = newEgress();
    const url = `http://127.0.0.1:${port}`;
    await expect(get(egress, { url: `${url}/broken` })).rejects.toEqual(code('protocol'));
    expect((await get(egress, { url: `${url}/unknown` })).body.toString()).toBe('plain');
    expect((await get(egress, { url: `${url}/empty`, method: 'HEAD' })).body).toHaveLength(0);
    expect((await get(egress, { url: `${url}/empty` })).body).toHaveLength(0);
  });
});

describe('connect', () => {
  it('gives a socket to an open address and none to a closed one', async () => {
    const port = await listen(createTcpServer((socket) => socket.end('+PONG')));
    const socket = await newEgress().connect({ host: '0x7f.1', port, timeoutMs: LONG_MS });
    const [data] = await once(socket, 'data');
    expect(String(data)).toBe('+PONG');
    socket.destroy();
    const where = { port, timeoutMs: LONG_MS };
    await expect(newEgress({ allowCidrs: [] }).connect({ ...where, host: '127.0.0.1' })).rejects.toEqual(
      code('blocked'),
    );
    const refusing = newEgress({ refuse: [`127.0.0.1:${port}`] });
    await expect(refusing.connect({ ...where, host: '127.0.0.1' })).rejects.toEqual(code('blocked'));
    await expect(refusing.connect({ ...where, host: '127.0.0.3' })).rejects.toEqual(code('blocked'));
  });

  it('says when nobody listens', async () => {
    const connecting = newEgress().connect({ host: '127.0.0.1', port: 1, timeoutMs: LONG_MS });
    await expect(connecting).rejects.toEqual(code('connect', 'ECONNREFUSED'));
  });
});
