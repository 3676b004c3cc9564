import { beforeEach, describe, expect, it } from '@jest/globals';
import { EVENTS_ACCEPTED, EVENTS_RAW, ensureTopology } from '@weir/messaging';
import { Metrics, newKsuid } from '@weir/service-kit';
import { patientManager, until } from '@weir/testing';
import { KEYLESS_BYTES_MAX } from '../src/http/throttle.js';
import { intakeClient } from './intake-client.js';
import { useGateway } from './running-gateway.js';

const ROOM = 4_194_304;
const gateway = useGateway({ INTAKE_SOURCE_BYTES_PER_SECOND: '2000000' });
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
