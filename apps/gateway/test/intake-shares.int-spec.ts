import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { EVENTS_ACCEPTED, EVENTS_RAW, ensureTopology } from '@weir/messaging';
import { Metrics, newKsuid } from '@weir/service-kit';
import { patientManager, until } from '@weir/testing';
import { KEYLESS_BYTES_MAX } from '../src/http/throttle.js';
import { intakeClient } from './intake-client.js';
import { useGateway } from './running-gateway.js';

const ROOM = 4_194_304;
const gateway = useGateway({ INTAKE_SOURCE_BYTES_PER_SECOND: '2000000', TRUSTED_PROXIES: '127.0.0.1' });
const { newSource, send, call } = intakeClient(gateway);
const large = (bytes: number) => ({ userId: 'u', event: 'Bought', text: 'x'.repeat(bytes) });

describe('a source that sends too many bytes', () => {
  it('gets 429 before its body is read', async () => {
    const source = await newSource();
    const statuses = [];
    for (let n = 0; n < 12; n += 1) statuses.push((await send(source, 'track', large(400_000))).status);
    expect(statuses.slice(0, 5)).toEqual(Array(5).fill(200));
    const refused = await until('a refusal', async () => {
      const answer = await send(source, 'track', large(400_000));
      return answer.status === 429 && answer;
    });
    expect(refused).toMatchObject({ text: 'max requests limit reached\n' });
    expect((await send(await newSource(), 'track', large(1))).status).toBe(200);
  });
});

describe('bodies that should show a write key', () => {
  const inBody = (body: object) => call('POST', '/v1/t', { 'content-type': 'application/json' }, JSON.stringify(body));

  it('and show none are read up to a number of bytes in a minute. Bodies with a key never count', async () => {
    const { writeKey } = await newSource();
    const wrong = { ...large(500_000), writeKey: 'nobody' };
    let bytes = 0;
    for (let n = 0; n < 4; n += 1) expect((await inBody({ ...large(400_000), writeKey })).status).toBe(200);
    await until('429', async () => {
      const { status } = await inBody(wrong);
      if (status === 401) bytes += JSON.stringify(wrong).length;
      return status === 429;
    });
    expect(bytes).toBeGreaterThan(KEYLESS_BYTES_MAX);
    const refused = await inBody(wrong);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await send({ writeKey }, 'track', large(1))).status).toBe(200);
  });
});

describe('bodies without a key in a header', () => {
  const from = (address: string, more: object = {}) => ({
    ...{ 'content-type': 'application/json', 'x-forwarded-for': address },
    ...more,
  });
  const blanks = (bytes: number) => gzipSync(Buffer.alloc(bytes, ' '));

  it.each([
    ['198.51.100.7', 'inflate to too much', blanks(8_000_000), 413],
    ['203.0.113.7', 'end too early once they are inflated', blanks(3_900_000).subarray(0, -8), 400],
  ])('count for %s when they %s', async (address, _, body, status) => {
    const statuses: number[] = [];
    await until('429', async () => {
      const answer = await call('POST', '/v1/t', from(address, { 'content-encoding': 'gzip' }), body);
      return statuses.push(answer.status) > 0 && answer.status === 429;
    });
    expect(statuses.length).toBeLessThan(20);
    expect(statuses[0]).toBe(status);
  });

  it('count when their source sends too much', async () => {
    const { writeKey } = await newSource();
    const body = JSON.stringify({ ...large(400_000), writeKey });
    const answers: { status: number; text: string }[] = [];
    await until('the refusal of the network', async () => {
      answers.push(await call('POST', '/v1/t', from('192.0.2.7'), body));
      return answers.at(-1)?.status === 429 && !answers.at(-1)?.text.startsWith('max requests');
    });
    expect(answers.filter(({ text }) => text.startsWith('max requests')).length).toBeGreaterThan(10);
  });
});

describe('a workspace whose events wait', () => {
  beforeEach(async () => {
    const { streams } = await patientManager(gateway.nats.connection);
    for (const name of [EVENTS_RAW, EVENTS_ACCEPTED]) await streams.purge(name);
    await ensureTopology(gateway.nats.connection, { streamBytesMax: ROOM });
  });

  it('gets 503 when it holds its share of the streams, also for its other sources. All others go on', async () => {
    const workspaceId = newKsuid();
    const [greedy, sibling, other] = [
      await newSource({ workspaceId }),
      await newSource({ workspaceId }),
      await newSource(),
    ];
    let sent = 0;
    await until('the share to be used up', async () => {
      const answer = await send(greedy, 'track', large(100_000));
      if (answer.status === 200) sent += 100_000;
      else if (answer.status === 503) expect(answer.headers.get('retry-after')).toBe('1');
      return answer.status === 503;
    });
    expect(sent / ROOM).toBeGreaterThan(0.6);
    expect(sent / ROOM).toBeLessThan(0.8);
    expect((await send(sibling, 'track', large(1))).status).toBe(503);
    for (let n = 0; n < 5; n += 1) expect((await send(other, 'track', large(10_000))).status).toBe(200);
    const metrics = await gateway.app.get(Metrics, { strict: false }).text();
    expect(metrics).toMatch(/^intake_share_refusals_total\S* [1-9]/m);
  });
});
