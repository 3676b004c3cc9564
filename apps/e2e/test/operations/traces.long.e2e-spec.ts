import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isJsonObject } from '@weir/contracts';
import { type LocalStack, launchStack, removeStack } from '@weir/local';
import { api, type RecordedRequest, type RecordingServer, recordingServer, until } from '@weir/testing';
import { pipeline } from '../support/traffic.js';
import { otlpReceiver, type Span } from './otlp-receiver.js';

const MARK = 'hush-hush';
const PERSON = { userId: `${MARK}-user`, email: `${MARK}@example.com`, ip: '203.0.113.77' };
/** The only attributes that spans may have. */
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

/** Requests of one source that are sent together, so that their batches share messages. */
const AT_ONCE = 40;

describe('traces and log lines', () => {
  let receiver: Awaited<ReturnType<typeof otlpReceiver>>;
  let hook: RecordingServer;
  let stack: LocalStack;
  let ids: string[];

  beforeAll(async () => {
    [receiver, hook] = await Promise.all([otlpReceiver(), recordingServer()]);
    const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '100' };
    const env = { ...traces, LOG_LEVEL: 'debug' };
    stack = await launchStack({ env });
  });

  afterAll(async () => {
    await removeStack(stack);
    await Promise.all([receiver.close(), hook.close()]);
  });

  /** Values that must not appear in traces or log lines. */
  const secrets = () => {
    const { accessToken, admin } = stack.address;
    return [...Object.values(PERSON), MARK, accessToken, admin.password];
  };

  /** A caller that traces. */
  const newTrace = () => {
    const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01` } };
  };

  const spanOf = (traceId: string, service: string, name: RegExp) =>
    until(`a span ${name} of ${service}`, () =>
      receiver.trace(traceId).find((span) => span.service === service && name.test(span.name)),
    );

  it('follow a request from HTTP over NATS to SQL', async () => {
    const { traceId, spanId, headers } = newTrace();
    const made = await api(stack.address).post(
      '/transformations',
      { name: MARK, code: `export const transformEvent = (event) => event; // ${MARK}` },
      { headers },
    );
    expect(made.status).toBe(200);
    const insert = await spanOf(traceId, 'transformation-registry.main', /^INSERT transformations/);
    expect(await receiver.pathTo(insert, spanId)).toEqual([
      'gateway.main: POST /transformations',
      expect.stringMatching(/^gateway\.main: registry\.transformation\.\w+\.v1$/),
      expect.stringMatching(/^transformation-registry\.main: registry\.transformation\.\w+\.v1$/),
      'transformation-registry.main: INSERT transformations',
    ]);
  });

  it('follow an event from the intake through the filter to its destination', async () => {
    const { writeKey, sourceId, destinationId } = await pipeline(stack.address, hook, MARK);
    ids = [writeKey, sourceId, destinationId];
    const { traceId, spanId, headers } = newTrace();
    const { userId, email, ip } = PERSON;
    const event = { userId, event: MARK, properties: { email }, context: { ip } };
    const taken = await api(stack.address, { writeKey }).post('/v1/track', event, {
      headers: { ...headers, 'x-forwarded-for': ip },
    });
    expect(taken.status).toBe(200);
    const last = await spanOf(traceId, 'delivery-service.deliverer', /^process EVENTS_ACCEPTED/);
    expect(await receiver.pathTo(last, spanId)).toEqual([
      'gateway.main: POST /v1/track',
      'gateway.main: publish EVENTS_RAW',
      'regulation-service.filter: process EVENTS_RAW',
      'regulation-service.filter: publish EVENTS_ACCEPTED',
      'delivery-service.deliverer: process EVENTS_ACCEPTED',
    ]);
    await spanOf(traceId, 'schema-service.collector', /^process EVENTS_ACCEPTED/);
  });

  it('follow each of many events that came at once, and share messages of the stream', async () => {
    const { writeKey } = await pipeline(stack.address, hook, `${MARK} at once`);
    const client = api(stack.address, { writeKey });
    const traces = Array.from({ length: AT_ONCE }, newTrace);
    const answers = traces.map(({ headers }, n) =>
      client.post('/v1/track', { userId: `u${n}`, event: MARK }, { headers }),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(traces.map(() => 200));
    for (const { traceId, spanId } of traces) {
      // on a busy machine some wait for more than 500 ms, and come from their queue
      const last = await spanOf(traceId, 'delivery-service.deliverer', /^process (EVENTS_ACCEPTED|DELIVERIES)/);
      expect((await receiver.pathTo(last, spanId)).slice(1, 4)).toEqual([
        'gateway.main: publish EVENTS_RAW',
        'regulation-service.filter: process EVENTS_RAW',
        'regulation-service.filter: publish EVENTS_ACCEPTED',
      ]);
    }
  });

  it('tell in JSON what went wrong, and nothing of anybody', async () => {
    const client = api(stack.address);
    const [writeKey = ''] = ids;
    hook.script({ status: 400, body: { message: `${MARK} is not welcome` } }, { status: 503, body: MARK });
    const { userId, email } = PERSON;
    await api(stack.address, { writeKey }).post('/v1/identify', { userId, traits: { email } });
    await api(stack.address, { writeKey }).post('/v1/identify', { userId, traits: { email } });
    // a suppression also stops what waits, so it must come after the attempts
    await until('the refused deliveries', () => hook.requests.filter(isIdentify).length >= 2);
    await api(stack.address, { writeKey }).post('/v1/track', `{"userId":"${userId}", broken`);
    await api(stack.address, { token: `${MARK}-token` }).get('/transformations');
    await client.post('/transformations?publish=true', { name: MARK, code: `${MARK} is no code` });
    await client.post('/v2/regulations', { regulationType: 'suppress', users: [{ userId }] });
    await stack.hold('schema-service.main');
    expect((await api(stack.address, 'admin').get('/schemas/event-models')).status).toBe(503);
    const lines = logLines(stack);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(JSON.parse(line)).toEqual(
        expect.objectContaining({ level: expect.any(String), time: expect.any(String), service: expect.any(String) }),
      );
    }
    expect(lines.filter((line) => secrets().some((text) => line.includes(text)))).toEqual([]);
  });

  it('say nothing of anybody, and come from every process that has a way out', async () => {
    const services = () => receiver.spans().map(({ service }) => service);
    expect((await api(stack.address).get('/v2/test-runs')).status).toBe(200);
    await until('spans of the runner of tests', () => services().includes('test-runner.main'));
    const { email } = stack.address;
    const sent = receiver.sent();
    expect([...secrets(), ...ids, email].filter((text) => sent.includes(text))).toEqual([]);
    const keys = new Set(receiver.spans().flatMap(({ attributes }: Span) => attributes.map(({ key }) => key)));
    expect([...keys].filter((key) => !ATTRIBUTES.includes(key))).toEqual([]);
    expect(services()).not.toContain('code-sandbox.main');
  });
});

const isIdentify = ({ json }: RecordedRequest) => isJsonObject(json) && json['type'] === 'identify';

/** Whole log lines of Weir's own processes. The servers have their own format, and a last line may be half written. */
function logLines({ address: { dataDir } }: LocalStack): string[] {
  const folder = join(dataDir, 'logs');
  const files = readdirSync(folder).filter((name) => !/^(postgres|nats-server)/.test(name));
  return files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1)).filter(Boolean);
}
