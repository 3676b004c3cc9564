import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { patientManager, until, useNats } from '@weir/testing';
import nats from '../src/kinds/nats/nats.js';
import { breakable, itemsFor, type OpenTestSession, openSession, refusal, refusing } from './session.fixtures.js';

const server = useNats();
const opened: OpenTestSession[] = [];
afterEach(async () => {
  for (const { session } of opened.splice(0)) await session.close();
});

function config(more: JsonObject = {}): JsonObject {
  const { host, username, password } = new URL(server.url);
  return { servers: `${host}`, subject: 'shop.events', username, password, ...more };
}
function open(more: JsonObject = {}, way?: Parameters<typeof openSession>[2]): OpenTestSession {
  const session = openSession(nats, config(more), way);
  opened.push(session);
  return session;
}
/** A full stream refuses events. The enumeration of this word is in a package that only services use. */
const KEEP_OLDER = 'new' as never;
const paid = { type: 'track', event: 'Paid', userId: 'ada' };

describe('a delivery to NATS', () => {
  it('publishes at the subject, with the type where asked', async () => {
    const heard: string[] = [];
    const listener = server.connection.subscribe('shop.>', {
      callback: (_error, message) => void heard.push(`${message.subject} ${message.string()}`),
    });
    await server.connection.flush();
    const { deliver } = open({ subjectByType: true, jetStream: false });
    expect(await deliver(paid, { ...paid, type: 'page' })).toMatchObject([{ status: 200 }, { status: 200 }]);
    await until('both messages', () => heard.length === 2);
    listener.unsubscribe();
    expect(heard).toEqual([
      `shop.events.track ${JSON.stringify(paid)}`,
      `shop.events.page ${JSON.stringify({ ...paid, type: 'page' })}`,
    ]);
  });

  it('counts in a stream once, however often it is sent', async () => {
    const manager = await patientManager(server.connection);
    await manager.streams.add({ name: 'SHOP', subjects: ['stored.*'] });
    const more = { subject: 'stored.events' };
    const { session } = open(more);
    const items = itemsFor(nats, config(more), [paid, { ...paid, userId: 'bob' }]);
    expect(await session.deliver(items)).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(await session.deliver(items)).toMatchObject([{ status: 200 }, { status: 200 }]);
    const { state } = await manager.streams.info('SHOP');
    expect(state.messages).toBe(2);
    await manager.streams.delete('SHOP');
  });

  it('is tried again while no stream stores the subject', async () => {
    expect(await open({ subject: 'nobody.listens' }).deliver(paid)).toEqual([
      { status: 503, response: 'No stream stores this subject' },
    ]);
  });

  it.each([
    { stream: 'SHOP', seq: 0, duplicate: true },
    { stream: 'SHOP', error: { code: 409, err_code: 10158, description: 'duplicate message id is in process' } },
  ])('is tried again while a stream has the id of the event, but not the event: %j', async (answer) => {
    const stream = server.connection.subscribe('lost.leader', {
      callback: (_error, message) => void message.respond(JSON.stringify(answer)),
    });
    await server.connection.flush();
    const [result] = await open({ subject: 'lost.leader' }).deliver(paid);
    stream.unsubscribe();
    expect(result).toMatchObject({ status: 503 });
  });

  it('refuses what is larger than the server takes, and nothing else', async () => {
    const { deliver } = open({ jetStream: false });
    const results = await deliver({ ...paid, properties: { text: 'x'.repeat(1_100_000) } }, paid);
    expect(results.map(({ status }) => status)).toEqual([413, 200]);
  });

  it('is final where a stream refuses the event, and tried again while the stream is full', async () => {
    const manager = await patientManager(server.connection);
    await manager.streams.add({
      name: 'SMALL',
      subjects: ['small.*'],
      max_msg_size: 400,
      max_msgs: 1,
      discard: KEEP_OLDER,
    });
    const { deliver } = open({ subject: 'small.events' });
    const text = 'x'.repeat(500);
    expect(await deliver({ ...paid, text })).toEqual([{ status: 400, response: 'The stream refused the event (400)' }]);
    expect(await deliver(paid)).toMatchObject([{ status: 200 }]);
    expect(await deliver(paid)).toEqual([{ status: 503, response: 'The stream refused the event (503)' }]);
    await manager.streams.delete('SMALL');
  });

  it('is never too large for a stream without the server saying so', async () => {
    const results = await open().deliver({ ...paid, properties: { text: 'x'.repeat(1_100_000) } });
    expect(results).toMatchObject([{ status: 413 }]);
  });

  it.each(['thanks', '', '{"seq":"1"}'])(
    'is tried again when something else than a stream answers %j',
    async (text) => {
      const listener = server.connection.subscribe('answered.events', {
        callback: (_error, message) => void message.respond(text),
      });
      await server.connection.flush();
      expect(await open({ subject: 'answered.events' }).deliver(paid)).toEqual([
        { status: 503, response: 'The stream refused the event (0)' },
      ]);
      listener.unsubscribe();
    },
  );

  it('does not wait for an answer when the connection ends', async () => {
    const heard: string[] = [];
    const listener = server.connection.subscribe('silent.events', {
      callback: (_error, { subject }) => void heard.push(subject),
    });
    await server.connection.flush();
    const way = breakable();
    const delivery = open({ subject: 'silent.events' }, way).deliver(paid);
    await until('the event', () => heard.length === 1);
    way.break();
    expect(await delivery).toMatchObject([{ status: 503 }]);
    listener.unsubscribe();
  });

  it('goes to the first server that answers', async () => {
    const { deliver, connections } = open({ servers: `127.0.0.1:1,${String(config()['servers'])}`, jetStream: false });
    expect(await deliver(paid)).toMatchObject([{ status: 200 }]);
    expect(connections.map(({ port }) => port)).toEqual([1, Number(new URL(server.url).port)]);
  });

  it('connects anew after a loss', async () => {
    const way = breakable();
    const { deliver } = open({ jetStream: false }, way);
    await deliver(paid);
    way.break();
    await until('the new connection', async () => (await deliver(paid))[0]?.status === 200);
    expect(way.connections).toHaveLength(2);
  });

  it.each([
    ['a wrong password', { password: 'wrong' }],
    ['TLS at a server without', { tls: true }],
  ])('is tried again with %s', async (_what, more) => {
    const [result] = await open(more).deliver(paid);
    expect(result).toEqual({ status: 503, response: expect.stringMatching(/^NATS could not be reached: ./) });
  });

  it('passes on that the way out refused', async () => {
    await expect(open({}, refusing()).deliver(paid)).rejects.toBe(refusal);
  });
});

const hasTools = ['nats-server', 'openssl'].every((tool) => {
  try {
    execFileSync(tool, tool === 'openssl' ? ['version'] : ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

(hasTools ? describe : describe.skip)('a delivery to NATS over TLS (needs nats-server and openssl)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-nats-tls-'));
  const cert = join(folder, 'cert.pem');
  const key = join(folder, 'key.pem');
  let secure: ReturnType<typeof spawn>;
  let port = 0;
  beforeAll(async () => {
    const name = ['-subj', '/CN=broker', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    execFileSync('openssl', ['req', '-x509', ...newKey, ...name, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const file = join(folder, 'nats.conf');
    writeFileSync(file, `listen: 127.0.0.1:-1\ntls { cert_file: "${cert}", key_file: "${key}" }\n`);
    secure = spawn('nats-server', ['-c', file, '--ports_file_dir', folder], { stdio: 'ignore' });
    port = await until('the server', () => portOf(join(folder, `nats-server_${secure.pid}.ports`)));
  });
  afterAll(async () => {
    secure.kill('SIGKILL');
    await once(secure, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });

  it('trusts the authority of the configuration and nobody else', async () => {
    const way = { servers: `127.0.0.1:${port}`, username: '', password: '', jetStream: false, tls: true };
    expect(await open(way).deliver(paid)).toMatchObject([{ status: 503 }]);
    expect(await open({ ...way, caCertificate: readFileSync(cert, 'utf8') }).deliver(paid)).toMatchObject([
      { status: 200 },
    ]);
    expect(await open({ ...way, skipVerify: true }).deliver(paid)).toMatchObject([{ status: 200 }]);
    const byName = { ...way, servers: `localhost:${port}`, caCertificate: readFileSync(cert, 'utf8') };
    expect(await open(byName).deliver(paid)).toMatchObject([{ status: 503 }]);
  });
});

function portOf(file: string): number | undefined {
  try {
    const { nats: urls } = JSON.parse(readFileSync(file, 'utf8'));
    return Number(new URL(urls[0]).port);
  } catch {
    return undefined;
  }
}
