import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls, { createServer, type Server, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Egress } from './egress.js';

/** Longer than a busy machine needs. */
const LONG_MS = 120_000;
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

(hasOpenssl ? describe : describe.skip)('TLS (needs openssl)', () => {
  const NAME = 'hooks.example.com';
  const names: (string | false | null)[] = [];
  let directory: string;
  let server: Server;
  let port: number;
  let ca: string;
  const egress = new Egress({
    allowCidrs: ['127.0.0.0/8'],
    refuse: [],
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  });

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'weir-tls-'));
    const file = (name: string) => join(directory, name);
    const request = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${NAME} -addext subjectAltName=DNS:${NAME}`;
    execFileSync('openssl', [...request.split(' '), '-keyout', file('key'), '-out', file('cert')], { stdio: 'ignore' });
    ca = readFileSync(file('cert'), 'utf8');
    server = createServer({ key: readFileSync(file('key')), cert: ca }, (socket: TLSSocket) => {
      names.push(socket.servername);
      socket.on('error', () => undefined).end('hello');
    });
    server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    await egress.close();
    server.close();
    rmSync(directory, { recursive: true });
  });

  const dial = (host: string, tls: Parameters<Egress['connect']>[0]['tls']) =>
    egress.connect({ host, port, timeoutMs: LONG_MS, ...(tls !== undefined && { tls }) });

  it('agrees to no key exchange in which the server chooses a group that holds the event loop', async () => {
    const ciphers = 'DHE-RSA-AES128-GCM-SHA256';
    const key = readFileSync(join(directory, 'key'));
    const costly = createServer({ key, cert: ca, ciphers, dhparam: 'auto', maxVersion: 'TLSv1.2' });
    costly.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
    await once(costly, 'listening');
    const at = { host: NAME, port: (costly.address() as AddressInfo).port };
    await expect(egress.connect({ ...at, timeoutMs: LONG_MS, tls: { ca } })).rejects.toMatchObject({ code: 'tls' });
    const library = tls.connect({ ...at, host: '127.0.0.1', ca, servername: NAME });
    expect((await once(library, 'error'))[0]).toMatchObject({ code: 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE' });
    costly.close();
  });

  it('checks the certificate against the name while it connects to the checked address', async () => {
    const socket = await dial(NAME, { ca });
    expect(String((await once(socket, 'data'))[0])).toBe('hello');
    expect(names.at(-1)).toBe(NAME);
    await expect(dial('other.example.com', { ca })).rejects.toMatchObject({
      code: 'tls',
      errno: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });

  it('refuses a certificate that nobody vouches for, unless told to skip', async () => {
    const untrusted = { code: 'tls', errno: 'DEPTH_ZERO_SELF_SIGNED_CERT' };
    await expect(dial(NAME, true)).rejects.toMatchObject(untrusted);
    const request = { method: 'GET', url: `https://${NAME}:${port}/`, timeoutMs: LONG_MS, maxResponseBytes: 10 };
    await expect(egress.request(request)).rejects.toMatchObject(untrusted);
    const socket = await dial('other.example.com', { skipVerify: true });
    expect(String((await once(socket, 'data'))[0])).toBe('hello');
  });
});
