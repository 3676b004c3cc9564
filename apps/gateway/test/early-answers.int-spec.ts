import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { basic } from '@weir/testing';
import { LINGER_BYTES_MAX } from '../src/http/linger.js';
import { clientOf, newWorkspace } from './client.js';
import { intakeClient } from './intake-client.js';
import { ADMIN, TOKEN, useGateway } from './running-gateway.js';

const gateway = useGateway();
const { newSource } = intakeClient(gateway);

const MEGABYTE = 1_000_000;
/**
 * Without lingering, a client breaks in most tries of these sizes. Gigabytes would take a small machine minutes, given the number
 * of cases.
 */
const SIZES = [5 * MEGABYTE, 20 * MEGABYTE];

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const sourceAuth = async () => ({ authorization: basic((await newSource()).writeKey, '') });
const json = { 'content-type': 'application/json' };

/** Requests that get an answer before their body has arrived, whatever its size: path, headers, and status. */
const EARLY: [string, string, () => Record<string, string> | Promise<Record<string, string>>, number][] = [
  ['a body over the limit of the intake', '/v1/batch', sourceAuth, 413],
  ['a body over the limit of the control plane', '/transformations', () => ({ ...bearer(TOKEN), ...json }), 413],
  ['an unknown write key', '/v1/track', () => ({ authorization: basic('nobody', '') }), 401],
  ['no write key', '/v1/track', () => ({}), 401],
  ['an unknown token', '/v2/sources', () => ({ ...bearer('nobody'), ...json }), 401],
  ['no admin', '/schemas/sources/x/privacy', () => ({ authorization: basic(ADMIN.user, 'wrong') }), 405],
  ['an unknown path', '/v1/nothing', () => ({}), 404],
  ['no JSON', '/v2/sources', () => ({ ...bearer(TOKEN), 'content-type': 'text/plain' }), 415],
  ['an unknown encoding', '/v1/track', async () => ({ ...(await sourceAuth()), 'content-encoding': 'br' }), 415],
];

describe('an answer that is given before the body has come', () => {
  it.each(EARLY)('%s reaches a client that still writes', async (_, path, headersOf, status) => {
    const headers = await headersOf();
    const statuses: unknown[] = [];
    for (const size of SIZES) {
      const body = Buffer.alloc(size, 'x');
      const sent = fetch(`${gateway.url}${path}`, { method: 'POST', headers, body });
      statuses.push(await sent.then(async (answer) => [answer.status, (await answer.text()) !== ''][0], String));
    }
    expect(statuses).toEqual(SIZES.map(() => status));
  });

  it('reaches one that may not write at all', async () => {
    const { reader } = await newWorkspace(gateway);
    const large = { name: 'x'.repeat(10 * MEGABYTE) };
    for (let n = 0; n < 2; n += 1) expect((await reader.post('/v2/sources', large)).status).toBe(403);
  });

  it.each(['close', 'keep-alive'])('reaches one that reads when it has written everything (%s)', async (connection) => {
    const client = connectTo(gateway.url);
    const head = `POST /v1/track HTTP/1.1\r\nhost: x\r\nconnection: ${connection}\r\ncontent-length: ${20 * MEGABYTE}\r\n\r\n`;
    client.socket.pause();
    await client.write(head);
    await client.write(Buffer.alloc(20 * MEGABYTE));
    client.socket.resume();
    await client.until(/^HTTP\/1\.1 401/);
    if (connection === 'close') {
      await client.closed;
      return;
    }
    client.socket.write('GET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    await client.closed;
    expect(client.received()).toMatch(/HTTP\/1\.1 200/);
  });

  it('ends the connection of one that never stops writing, with the answer', async () => {
    const client = connectTo(gateway.url);
    await client.write('POST /v1/track HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
    const chunk = Buffer.alloc(MEGABYTE, 'x');
    let written = 0;
    while (!client.socket.destroyed && written < 10 * LINGER_BYTES_MAX) {
      await client.write(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]));
      written += chunk.length;
    }
    await client.closed;
    expect(client.received()).toMatch(/^HTTP\/1\.1 401/);
    expect(written).toBeLessThan(10 * LINGER_BYTES_MAX);
  });

  it.each([
    ['is no HTTP', 'HELLO\r\n\r\n', 400],
    ['has too long headers', `POST / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
    ['has no valid chunks', 'POST /v1/track HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 400],
  ])('reaches one whose request %s and that goes on', async (_, head, status) => {
    const client = connectTo(gateway.url);
    await client.write(head);
    await client.write(Buffer.alloc(5 * MEGABYTE, 'x'));
    await client.closed;
    expect(client.received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status}`));
    expect(client.received().match(/^HTTP\/1\.1 \d/gm)).toHaveLength(1);
  });
});

describe('a connection that is kept', () => {
  it('is used again after a refused body was read to its end', async () => {
    const client = clientOf(gateway);
    for (let n = 0; n < 5; n += 1) {
      const refused = await client.post('/transformations', { name: 'x'.repeat(2 * MEGABYTE) });
      expect(refused.status).toBe(413);
      expect((await client.get('/v2/workspace')).status).toBe(200);
    }
  });
});

/** A client that controls when it writes and when it reads. */
function connectTo(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  let isClosed = false;
  socket.on('data', (data) => {
    received += data.toString('latin1');
  });
  // Only data received before the error counts.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((done) => socket.once('close', () => done())).then(() => {
    isClosed = true;
  });
  return {
    socket,
    closed,
    received: () => received,
    /** Resolves when the operating system has accepted the data, or the connection is gone. */
    write: (data: string | Buffer) =>
      Promise.race([closed, new Promise<void>((done) => socket.write(data, () => done()))]),
    until: async (pattern: RegExp) => {
      while (!pattern.test(received) && !isClosed) await new Promise((done) => setTimeout(done, 5));
      expect(received).toMatch(pattern);
    },
  };
}
