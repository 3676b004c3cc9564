import { describe, expect, it } from '@jest/globals';
import { ListDefinitions, type SourceRecord } from '@weir/contracts';
import { basic, until } from '@weir/testing';
import { clientOf } from './client.js';
import { intakeClient } from './intake-client.js';
import { connect, newDestination, newSource as newOwnSource } from './inventory-fixtures.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';
import { webhookDefinition } from './webhook-definition.js';

const PER_SECOND = 50;

const gateway = useGateway({ INTAKE_SOURCE_EVENTS_PER_SECOND: String(PER_SECOND) });
useStub(gateway.nats, ListDefinitions, () => ({ definitions: [webhookDefinition] }));
const client = () => clientOf(gateway);
const { newSource, call, send, eventsOf } = intakeClient(gateway);

const track = (anonymousId: string) => ({ type: 'track', anonymousId, event: 'e' });

describe('more ways in', () => {
  it.each(['merge', 'audiencelist'])('/v1/%s takes an event of its own type', async (type) => {
    const source = await newSource();
    const mergeProperties = [
      { type: 'email', value: 'a@example.com' },
      { type: 'mobile', value: '1' },
    ];
    expect(await send(source, type, { userId: 'u', mergeProperties })).toMatchObject({ status: 200, text: 'OK' });
    expect(await eventsOf(source)).toEqual([expect.objectContaining({ type, userId: 'u', mergeProperties })]);
  });

  it('/v1/import takes what /v1/batch takes, all or none', async () => {
    const source = await newSource();
    expect(await send(source, 'import', { batch: [track('a'), track('b')] })).toMatchObject({
      status: 200,
      text: 'OK',
    });
    const refused = await send(source, 'import', { batch: [track('c'), { type: 'track' }] });
    expect(refused).toMatchObject({ status: 400, text: 'request neither has anonymousId nor userId\n' });
    expect((await eventsOf(source)).map(({ anonymousId }) => anonymousId)).toEqual(['a', 'b']);
  });

  it('the beacon takes a batch by the write key of its query', async () => {
    const source = await newSource();
    const body = JSON.stringify({ batch: [track('a')] });
    const path = `/beacon/v1/batch?writeKey=${source.writeKey}`;
    expect(await call('POST', path, { 'content-type': 'text/plain' }, body)).toMatchObject({ status: 200, text: 'OK' });
    expect(await eventsOf(source)).toHaveLength(1);
    const inHeader = { authorization: basic(source.writeKey, '') };
    expect(await call('POST', '/beacon/v1/batch', inHeader, body)).toMatchObject({
      status: 401,
      text: 'failed to read writekey from query params\n',
    });
    const unknown = await call('POST', '/beacon/v1/batch?writeKey=nobody', {}, body);
    expect(unknown).toMatchObject({ status: 401, text: 'invalid write key\n' });
  });
});

describe("the paths of Segment's SDKs", () => {
  const inBody = (path: string, body: object) =>
    call('POST', path, { 'content-type': 'text/plain' }, JSON.stringify(body));

  it.each([
    ['i', 'identify'],
    ['t', 'track'],
    ['p', 'page'],
    ['s', 'screen'],
    ['g', 'group'],
    ['a', 'alias'],
  ])('/v1/%s takes one %s event, by the write key of its header or body', async (path, type) => {
    const source = await newSource();
    const event = { userId: 'u', event: 'e', groupId: 'g', previousId: 'p' };
    expect(await send(source, path, event)).toMatchObject({ status: 200, text: 'OK' });
    const signed = await inBody(`/v1/${path}`, { ...event, writeKey: source.writeKey });
    expect(signed).toMatchObject({ status: 200, text: 'OK' });
    const events = await eventsOf(source);
    expect(events.map((one) => one['type'])).toEqual([type, type]);
    for (const one of events) expect(one).not.toHaveProperty('writeKey');
  });

  it('/v1/b takes a batch', async () => {
    const source = await newSource();
    const batch = [track('a'), track('b')];
    expect(await send(source, 'b', { batch })).toMatchObject({ status: 200, text: 'OK' });
    expect(await inBody('/v1/b', { batch, writeKey: source.writeKey })).toMatchObject({ status: 200, text: 'OK' });
    expect(await eventsOf(source)).toHaveLength(4);
  });

  it('refuse bodies with a wrong key or none, whatever else they have', async () => {
    const [unknown, none] = ['invalid write key\n', 'failed to read writekey from header\n'];
    expect(await inBody('/v1/t', { ...track('a'), writeKey: 'nobody' })).toMatchObject({ status: 401, text: unknown });
    expect(await inBody('/v1/t', { ...track('a'), writeKey: 7 })).toMatchObject({ status: 401, text: none });
    expect(await inBody('/v1/b', { batch: [track('a')] })).toMatchObject({ status: 401, text: none });
    expect(await call('POST', '/v1/t')).toMatchObject({ status: 401, text: none });
  });

  it('tell the SDK for browsers to send here, and take its metrics', async () => {
    const source = await newSource();
    const settings = await call('GET', `/v1/projects/${source.writeKey}/settings`);
    const { host } = new URL(gateway.url);
    expect(JSON.parse(settings.text)).toMatchObject({
      integrations: { 'Segment.io': { apiKey: source.writeKey, apiHost: `${host}/v1`, protocol: 'http' } },
    });
    expect(await call('GET', '/v1/projects/nobody/settings')).toMatchObject({ status: 401 });
    expect(await call('POST', '/v1/m', {}, '{"series":[]}')).toMatchObject({ status: 200, text: 'OK' });
  });
});

describe('the pixel', () => {
  const image = async (path: string) => {
    const answer = await call('GET', path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/gif']);
    expect(answer.text.startsWith('GIF89a')).toBe(true);
  };

  it('takes an event from its query', async () => {
    const source = await newSource();
    await image(`/pixel/v1/track?writeKey=${source.writeKey}&anonymousId=a&event=Opened&properties.mail.id=7`);
    await image(`/pixel/v1/page?writeKey=${source.writeKey}&userId=u`);
    expect(await eventsOf(source)).toEqual([
      expect.objectContaining({ type: 'track', event: 'Opened', channel: 'web', properties: { mail: { id: '7' } } }),
      expect.objectContaining({ type: 'page', name: 'Unknown Page', integrations: { All: true } }),
    ]);
  });

  it('is a pixel whatever becomes of the event', async () => {
    const source = await newSource();
    const disabled = await newSource({ enabled: false });
    await image('/pixel/v1/track');
    await image('/pixel/v1/track?writeKey=nobody&anonymousId=a');
    await image(`/pixel/v1/track?writeKey=${disabled.writeKey}&anonymousId=a`);
    await image(`/pixel/v1/page?writeKey=${source.writeKey}`);
    await image(`/pixel/v1/page?writeKey=${source.writeKey}&anonymousId=a&${'a.'.repeat(300)}b=1`);
    expect(await eventsOf(source)).toEqual([]);
  });
});

describe('the webhook', () => {
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    call('POST', path, headers, JSON.stringify(body));

  it('takes whatever another service reports, one by one or many at once', async () => {
    const source = await newSource({ type: 'Webhook' });
    const path = `/v1/webhook?writeKey=${source.writeKey}`;
    expect(await post(path, { type: 'issue', userId: 7 })).toMatchObject({ status: 200, text: 'OK' });
    expect(
      await post('/v1/webhook', [{ n: 1 }, { n: 2 }], { authorization: basic(source.writeKey, '') }),
    ).toMatchObject({
      status: 200,
    });
    expect(await call('GET', `${path}&state=closed&label=a&label=b`)).toMatchObject({ status: 200, text: 'OK' });
    const events = await eventsOf(source);
    expect(events.map(({ properties }) => properties)).toEqual([
      { type: 'issue', userId: 7 },
      { n: 1 },
      { n: 2 },
      { state: 'closed', label: ['a', 'b'] },
    ]);
    const made = { type: 'track', event: 'webhook_source_event', anonymousId: expect.any(String) };
    for (const event of events) expect(event).toMatchObject(made);
    expect(new Set(events.map(({ anonymousId }) => anonymousId)).size).toBe(4);
  });

  it('refuses malformed reports, and sources of another type', async () => {
    const source = await newSource({ type: 'webhook' });
    const path = `/v1/webhook?writeKey=${source.writeKey}`;
    expect(await post(path, [])).toMatchObject({ status: 400, text: 'empty batch payload\n' });
    expect(await post(path, 'text')).toMatchObject({ status: 400, text: 'event is not a valid rudder event\n' });
    expect(await post(path, [{ n: 1 }, 2])).toMatchObject({ status: 400 });
    expect(await eventsOf(source)).toEqual([]);
    const other = await newSource();
    const refused = { status: 404, text: 'source does not accept webhook events\n' };
    expect(await post(`/v1/webhook?writeKey=${other.writeKey}`, { n: 1 })).toMatchObject(refused);
    expect(await call('GET', `/v1/webhook?writeKey=${other.writeKey}`)).toMatchObject(refused);
  });
});

describe('a monitor', () => {
  it('learns that events are taken', async () => {
    const answer = await call('GET', '/health');
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { server: 'UP', acceptingEvents: 'TRUE' }]);
  });

  it('learns that none are while the broker is away', async () => {
    await gateway.nats.hold();
    const away = await until('the process to notice', async () => {
      const answer = await call('GET', '/health');
      return answer.status === 503 && answer;
    });
    expect(JSON.parse(away.text)).toEqual({ server: 'UP', acceptingEvents: 'FALSE' });
    await gateway.nats.resume();
    await until('the process to be back', async () => (await call('GET', '/health')).status === 200);
  });

  it('is asked to keep away when it is a robot', async () => {
    const answer = await call('GET', '/robots.txt');
    expect(answer).toMatchObject({ status: 200, text: 'User-agent: *\nDisallow: /\n' });
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });
});

describe('a source that is switched off or deleted', () => {
  const off = (source: SourceRecord) => ({ ...source, enabled: false });
  const answered = (source: SourceRecord, status: number) =>
    until(`an answer of ${status}`, async () => (await send(source, 'track', track('a'))).status === status);

  it('is refused, and taken again when it is on', async () => {
    const source = await newSource();
    await answered(source, 200);
    await gateway.put('source', off(source));
    await answered(source, 404);
    await gateway.put('source', source);
    await answered(source, 200);
    await gateway.remove('source', source.id);
    await answered(source, 401);
  });

  it('also after the broker was away', async () => {
    const source = await newSource();
    await answered(source, 200);
    await gateway.nats.restart();
    await until('the intake to take events', async () => (await send(source, 'track', track('a'))).status === 200);
    await gateway.put('source', off(source));
    await answered(source, 404);
  });
});

describe('the budget of a source', () => {
  it('is told with every answer, and what is beyond it is refused with 429', async () => {
    const source = await newSource();
    const batch = { batch: Array.from({ length: PER_SECOND * 20 }, (_, n) => track(`a${n}`)) };
    const taken = await send(source, 'batch', batch);
    expect(taken.status).toBe(200);
    expect(taken.headers.get('ratelimit-limit')).toBe(String(PER_SECOND));
    expect(taken.headers.get('ratelimit-remaining')).toBe('0');
    const refused = await send(source, 'track', track('b'));
    expect(refused).toMatchObject({ status: 429, text: 'max requests limit reached\n' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(10);
    expect(refused.headers.get('ratelimit-reset')).toBe(refused.headers.get('retry-after'));
    expect(await send(await newSource(), 'track', track('c'))).toMatchObject({ status: 200 });
  });
});

describe('the configuration of a source', () => {
  const secret = { webhookUrl: 'https://hooks.example/s3cret', headers: [{ from: 'x-key', to: 's3cret' }] };
  const destination = (config: object, enabled = true) =>
    newDestination(client(), { enabled, config: { ...secret, ...config } });

  it('names its enabled destinations and nothing that is secret', async () => {
    const source = await newOwnSource(client(), { name: 'Shop' });
    const shown = await destination({ consentManagement: [], unknown: 's3cret' });
    await connect(client(), source.id, shown.id);
    await connect(client(), source.id, (await destination({}, false)).id);
    await connect(client(), source.id, (await destination({})).id, false);
    const path = `/sourceConfig/?p=npm&writeKey=${source.writeKey}`;
    const answer = await call('GET', path, { origin: 'https://a.example' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://a.example');
    expect(answer.text).not.toContain('s3cret');
    expect(JSON.parse(answer.text)).toEqual({
      source: {
        ...{ id: source.id, name: 'Shop', writeKey: source.writeKey, workspaceId: expect.any(String), enabled: true },
        config: { statsCollection: { errors: { enabled: false }, metrics: { enabled: false } } },
        sourceDefinition: { name: 'HTTP' },
        destinations: [
          {
            ...{ id: shown.id, name: shown.name, enabled: true },
            config: { connectionMode: 'cloud', consentManagement: [] },
            destinationDefinition: { name: 'WEBHOOK', displayName: 'Webhook' },
          },
        ],
      },
    });
  });

  it('says that the source is off, and then nothing more', async () => {
    const source = await newOwnSource(client(), { enabled: false });
    await connect(client(), source.id, (await destination({})).id);
    const answer = await call('GET', '/sourceConfig', { authorization: basic(source.writeKey, '') });
    expect(JSON.parse(answer.text)).toMatchObject({ source: { enabled: false, destinations: [] } });
  });

  it('is for those who have a write key', async () => {
    expect(await call('GET', '/sourceConfig')).toMatchObject({
      status: 401,
      text: 'failed to read writekey from query params\n',
    });
    const unknown = await call('GET', '/sourceConfig', { authorization: basic('nobody', '') });
    expect(unknown).toMatchObject({ status: 401, text: 'invalid write key\n' });
  });

  it('may be asked for by pages', async () => {
    const headers = { origin: 'https://a.example', 'access-control-request-headers': 'authorization' };
    const preflight = await call('OPTIONS', '/sourceConfig/', headers);
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'GET']);
  });
});
