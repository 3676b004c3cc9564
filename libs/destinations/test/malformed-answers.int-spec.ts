import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { until } from '@weir/testing';
import { redisDelete } from '../src/kinds/redis/redis.deletion.js';
import { destinationKind } from '../src/registry.js';
import { CONFIGS, MALFORMED, randomBytes, type Script, type ScriptedServer, scripted } from './malformed.fixtures.js';
import { openOutbound } from './redis.fixtures.js';
import { openSession } from './session.fixtures.js';

const EVENT = { type: 'identify', userId: 'ada', traits: { plan: 'pro' } };
const SEEDS = 20;
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(script: Script): Promise<number> {
  const server = await scripted(script);
  servers.push(server);
  return server.port;
}

/** Delivers once to a server with this script. An error that nobody catches would fail the test. */
async function deliverTo(name: string, script: Script, more: JsonObject = {}) {
  const kind = destinationKind(name);
  if (!kind) throw new Error(`there is no kind ${name}`);
  const way = openOutbound();
  const { deliver, session } = openSession(kind, { ...CONFIGS[name]?.(await serve(script)), ...more }, way);
  const [result] = await deliver(EVENT).catch((error) => [{ status: 500, response: String(error) }]);
  await session.close();
  await until('every socket to be closed', () => way.sockets.every(({ destroyed }) => destroyed));
  return result;
}

const NATS_GREETING = `INFO ${JSON.stringify({ server_id: 'x', version: '2.12.0', proto: 1, headers: true })}\r\n`;

/** Answers the first bytes and leaves. A client of NATS says nothing before the server has. */
const answering =
  (name: string, answer: Buffer): Script =>
  (socket, bytes) => {
    if (bytes) socket.end(answer);
    else if (name === 'NATS') socket.write(NATS_GREETING);
  };
const greeting =
  (answer: Buffer): Script =>
  (socket, bytes) => {
    if (!bytes) socket.end(answer);
  };

const CASES = Object.entries(MALFORMED).flatMap(([name, answers]) =>
  Object.entries(answers).map(([what, answer]): [string, string, Buffer] => [name, what, answer]),
);
const failed = {
  status: expect.any(Number),
  response: expect.stringMatching(/^(\w+ could not be reached: |The object store|\w*Error)/),
};

describe('a server that sends what its client library cannot read', () => {
  it.each(CASES)('fails a delivery of %s with a reason: %s', async (name, _what, answer) => {
    for (const script of [answering(name, answer), greeting(answer)]) {
      const result = await deliverTo(name, script);
      expect(result).toEqual(failed);
      expect(result?.status).toBeGreaterThanOrEqual(500);
    }
  });

  it.each(Object.keys(CONFIGS))('fails a delivery of %s, whatever it sends', async (name) => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const result = await deliverTo(name, answering(name, randomBytes(seed, seed * 7)));
      expect({ seed, ...result }).toEqual({ seed, ...failed });
      expect(result?.status).toBeGreaterThanOrEqual(500);
    }
  });

  it('does not disturb other deliveries', async () => {
    const answers: Script = (socket, bytes) => void (bytes && socket.write(':1\r\n'));
    const broken = answering('POSTGRES', MALFORMED['POSTGRES']?.['a frame that is too short'] ?? Buffer.alloc(0));
    const results = await Promise.all([deliverTo('POSTGRES', broken), deliverTo('REDIS', answers)]);
    expect(results).toMatchObject([{ status: 503 }, { status: 200 }]);
  });

  it('fails a deletion in Redis with a reason', async () => {
    const port = await serve(greeting(Buffer.from('*4294967296\r\n')));
    const request = { regulationId: 'r1', destinationId: 'd1', config: { address: `127.0.0.1:${port}` } };
    const outcome = await redisDelete({ ...request, users: [{ userId: 'ada' }] }, openOutbound().outbound);
    expect(outcome).toEqual({
      status: 'failed',
      reason: 'Redis could not be reached: the server sent more than a line',
    });
  });

  it('leaves no timer of a client library of Kafka', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const before = timers();
    await deliverTo(
      'KAFKA',
      answering('KAFKA', MALFORMED['KAFKA']?.['an array of 33 million elements'] ?? Buffer.alloc(0)),
    );
    await until('its timers to end', () => timers() <= before);
  });
});

(hasOpenssl ? describe : describe.skip)('a server that does so over TLS (needs openssl)', () => {
  it.each(Object.entries(MALFORMED['POSTGRES'] ?? {}))('fails a delivery of POSTGRES: %s', async (_what, answer) => {
    const { key, cert } = certificate();
    const secured: Script = (socket, bytes) => {
      if (bytes?.length !== SSL_REQUEST_LENGTH) return;
      socket.removeAllListeners('data').write('S');
      const tls = new TLSSocket(socket, { isServer: true, key, cert });
      tls.on('error', () => undefined).once('data', () => tls.end(answer));
    };
    const result = await deliverTo('POSTGRES', secured, { sslMode: 'require' });
    expect(result).toEqual({ status: 503, response: expect.stringMatching(/^Postgres could not be reached: /) });
  });
});

const SSL_REQUEST_LENGTH = 8;

function certificate(): { key: Buffer; cert: Buffer } {
  const directory = mkdtempSync(join(tmpdir(), 'weir-tls-'));
  const [key, cert] = [join(directory, 'key'), join(directory, 'cert')];
  const request = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=db.example.com';
  try {
    execFileSync('openssl', [...request.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
