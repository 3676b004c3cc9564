import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LocalStack } from '@weir/local';
import { api, launchStack, type RecordingServer, recordingServer, removeStack, until } from '@weir/testing';
import { pipeline } from '../faults/traffic.js';
import { otlpReceiver, pathTo, type Span } from './otlp-receiver.js';

const START_MS = 60_000;
const SETTLE_MS = 20_000;
const MARK = 'hush-hush';
const PERSON = { userId: `${MARK}-user`, email: `${MARK}@example.com`, ip: '203.0.113.77' };
/** What spans may say, and nothing else. */
const ATTRIBUTES = [
  'db.operation.name',
  'db.system.name',
  'error.type',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'messaging.destination.name',
  'messaging.system',
  'rpc.method',
  'rpc.system',
];

describe('traces', () => {
  let receiver: Awaited<ReturnType<typeof otlpReceiver>>;
  let hook: RecordingServer;
  let stack: LocalStack;
  let ids: string[];

  beforeAll(async () => {
    [receiver, hook] = await Promise.all([otlpReceiver(), recordingServer()]);
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '100' };
    stack = await launchStack({ env });
  }, START_MS);

  afterAll(async () => {
    await removeStack(stack);
    await Promise.all([receiver.close(), hook.close()]);
  }, START_MS);

  /** As a caller that traces: its own trace, and the header that says so. */
  const newTrace = () => {
    const traceId = randomBytes(16).toString('hex');
    return { traceId, headers: { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` } };
  };

  const spanOf = (traceId: string, service: string, name: RegExp) =>
    until(
      `a span ${name} of ${service}`,
      () => receiver.trace(traceId).find((span) => span.service === service && name.test(span.name)),
      SETTLE_MS,
    );

  it('follow a request from HTTP over NATS to SQL', async () => {
    const { traceId, headers } = newTrace();
    const made = await api(stack.address).post(
      '/transformations',
      { name: MARK, code: `export const transformEvent = (event) => event; // ${MARK}` },
      { headers },
    );
    expect(made.status).toBe(200);
    const insert = await spanOf(traceId, 'transformation-registry.main', /^INSERT transformations/);
    await spanOf(traceId, 'gateway.main', /^POST/);
    const path = pathTo(insert, receiver.trace(traceId));
    expect(path).toEqual([
      'gateway.main: POST /transformations',
      expect.stringMatching(/^gateway\.main: registry\.transformation\.\w+\.v1$/),
      expect.stringMatching(/^transformation-registry\.main: registry\.transformation\.\w+\.v1$/),
      'transformation-registry.main: INSERT transformations',
    ]);
  });

  it('follow an event from the intake through the filter to its destination', async () => {
    const { writeKey, sourceId, destinationId } = await pipeline(stack.address, hook, MARK);
    ids = [writeKey, sourceId, destinationId];
    const { traceId, headers } = newTrace();
    const { userId, email, ip } = PERSON;
    const event = { userId, event: MARK, properties: { email }, context: { ip } };
    const taken = await api(stack.address, { writeKey }).post('/v1/track', event, {
      headers: { ...headers, 'x-forwarded-for': ip },
    });
    expect(taken.status).toBe(200);
    const last = await spanOf(traceId, 'test-runner.deliverer', /^process DELIVERIES/);
    await spanOf(traceId, 'gateway.main', /^POST/);
    expect(pathTo(last, receiver.trace(traceId))).toEqual([
      'gateway.main: POST /v1/track',
      'gateway.main: publish EVENTS_RAW',
      'regulation-service.filter: process EVENTS_RAW',
      'regulation-service.filter: publish EVENTS_ACCEPTED',
      'test-runner.deliverer: process EVENTS_ACCEPTED',
      'test-runner.deliverer: publish DELIVERIES',
      'test-runner.deliverer: process DELIVERIES',
    ]);
    await spanOf(traceId, 'schema-service.collector', /^process EVENTS_ACCEPTED/);
  });

  it('say nothing of anybody, and come from every process that has a way out', () => {
    const { accessToken, email, admin } = stack.address;
    const secrets = [...ids, ...Object.values(PERSON), MARK, accessToken, email, admin.user, admin.password];
    const sent = receiver.sent();
    expect(secrets.filter((text) => sent.includes(text))).toEqual([]);
    const keys = new Set(receiver.spans().flatMap(({ attributes }: Span) => attributes.map(({ key }) => key)));
    expect([...keys].filter((key) => !ATTRIBUTES.includes(key))).toEqual([]);
    const services = new Set(receiver.spans().map(({ service }) => service));
    expect([...services]).toContain('test-runner.main');
    expect([...services]).not.toContain('code-sandbox.main');
  });
});
