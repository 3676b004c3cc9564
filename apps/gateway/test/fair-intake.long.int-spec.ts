import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { INTAKE_BODY_BYTES_MAX, type SourceRecord } from '@weir/contracts';
import { Metrics } from '@weir/service-kit';
import { basic, sourceRecord, until } from '@weir/testing';
import { SLOW_PER_ADDRESS_MAX } from '../src/http/slow-bodies.js';
import { newWorkspace } from './client.js';
import { intakeClient } from './intake-client.js';
import { TOKEN, useGateway } from './running-gateway.js';

const gateway = useGateway();
const { newSource, send } = intakeClient(gateway);

const EVENT = { userId: 'u', event: 'Bought' };
/** Some fifty events per second, which leave room for the test files that run in parallel. */
const TRAFFIC_PAUSE_MS = 20;

/** Stalled uploads, removed after each test. */
const uploads: { socket: Socket; status(): number }[] = [];
afterEach(async () => {
  for (const { socket } of uploads.splice(0)) socket.destroy();
  await until('everything to be given back', async () => (await heldBytes()) === 0);
});

const heldBytes = async () => {
  const text = await gateway.app.get(Metrics, { strict: false }).text();
  return Number(/^intake_in_flight_bytes\S* (\d+)$/m.exec(text)?.[1]);
};

interface Upload {
  path?: string;
  headers: Record<string, string>;
  declared: number;
  sent?: number | Buffer;
}

/** A request that announces a body and sends only part of it. */
function upload({ path = '/v1/batch', headers, declared, sent = 0 }: Upload) {
  const { hostname, port } = new URL(gateway.url);
  const socket: Socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (data) => {
    received += data.toString('latin1');
  });
  socket.on('error', () => undefined);
  const lines = Object.entries({ host: 'x', ...headers, 'content-length': declared }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  socket.write(typeof sent === 'number' ? Buffer.alloc(sent, ' ') : sent);
  const one = { socket, status: () => Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0) };
  uploads.push(one);
  return one;
}

const keyOf = ({ writeKey }: SourceRecord) => ({ authorization: basic(writeKey, '') });
const stalled = (source: SourceRecord, sent = INTAKE_BODY_BYTES_MAX - 1_000) =>
  upload({ headers: keyOf(source), declared: INTAKE_BODY_BYTES_MAX, sent });

/** Sends events of another source in sequence while `go` returns true. Returns the status of every answer. */
async function traffic(source: SourceRecord, go: () => boolean): Promise<number[]> {
  const statuses: number[] = [];
  do {
    statuses.push((await send(source, 'track', EVENT)).status);
    await sleep(TRAFFIC_PAUSE_MS);
  } while (go());
  return statuses;
}

const only = (statuses: number[]) => [...new Set(statuses)];

describe('a source whose uploads stand still', () => {
  it('takes its share, and every other one goes on', async () => {
    const [greedy, other] = [await newSource(), await newSource()];
    const nine = Array.from({ length: 9 }, () => stalled(greedy));
    await until('what fits to have come', async () => (await heldBytes()) > 8_000_000);
    const start = Date.now();
    const statuses = await traffic(other, () => Date.now() - start < 1_000 || nine.some(({ status }) => !status()));
    expect(only(statuses)).toEqual([200]);
    expect(only(nine.map(({ status }) => status())).sort()).toEqual([408, 503]);
    expect((await send(other, 'track', { ...EVENT, text: 'x'.repeat(400_000) })).status).toBe(200);
  });

  it('takes no more than the share of its workspace, however many sources that has', async () => {
    const { workspaceId } = sourceRecord();
    const many = await Promise.all(Array.from({ length: 20 }, () => newSource({ workspaceId })));
    const other = await newSource();
    const all = many.map((source) => stalled(source));
    await until('what fits to have come', async () => (await heldBytes()) > 12_000_000);
    expect(only(await traffic(other, () => all.some(({ status }) => !status())))).toEqual([200]);
    expect((await heldBytes()) / 33_554_432).toBeLessThan(0.5);
  });

  it('holds nothing by what it announces', async () => {
    const greedy = await newSource();
    for (let n = 0; n < 40; n += 1) stalled(greedy, 10);
    await until('all to have come', async () => (await heldBytes()) === 400);
    expect((await send(greedy, 'track', { ...EVENT, text: 'x'.repeat(400_000) })).status).toBe(200);
  });

  it('is refused at once when it announces more than there may be', async () => {
    const one = upload({ headers: keyOf(await newSource()), declared: INTAKE_BODY_BYTES_MAX + 1 });
    await until('the answer', () => one.status() === 413);
  });
});

describe('a body', () => {
  it('of gzip is counted while it grows', async () => {
    const [greedy, other] = [await newSource(), await newSource()];
    const bomb = gzipSync(Buffer.alloc(INTAKE_BODY_BYTES_MAX, ' '));
    const headers = { 'content-encoding': 'gzip' };
    const many = Promise.all(Array.from({ length: 60 }, () => send(greedy, 'batch', bomb, headers)));
    let isOver = false;
    const peaks: number[] = [];
    const [answers, statuses] = await Promise.all([
      many.finally(() => {
        isOver = true;
      }),
      traffic(other, () => !isOver),
      until('the end', async () => peaks.push(await heldBytes()) && isOver),
    ]);
    expect(only(statuses)).toEqual([200]);
    expect(only(answers.map(({ status }) => status)).sort()).toEqual([400, 503]);
    expect(Math.max(...peaks) / 33_554_432).toBeLessThan(0.5);
  });
});

describe('the control plane', () => {
  const large = 1_000_000;

  it('does not read the body of an unauthorized client', async () => {
    const headers = { authorization: 'Bearer nobody', 'content-type': 'application/json' };
    const one = upload({ path: '/transformations', headers, declared: large, sent: 10 });
    await until('the refusal', () => one.status() === 401);
  });

  it('goes on for every workspace while uploads of one stand still', async () => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const many = Array.from({ length: SLOW_PER_ADDRESS_MAX }, () =>
      upload({ path: '/transformations', headers, declared: large, sent: large - 1_000 }),
    );
    await until('answers', () => many.some(({ status }) => status() > 0));
    const { admin } = await newWorkspace(gateway);
    const answer = await admin.post('/v2/sources', { name: 'x'.repeat(100_000), type: 'HTTP' });
    expect(answer.status).toBe(400);
    await until('all to be cut', () => many.every(({ status }) => [408, 503].includes(status())));
  });
});
