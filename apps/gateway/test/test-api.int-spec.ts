import { describe, expect, it } from '@jest/globals';
import {
  AppError,
  CheckSuppression,
  GetTestRun,
  ListDefinitions,
  ListTestRuns,
  TEST_SOURCE_DESTINATIONS_MAX,
  TestDestination,
} from '@weir/contracts';
import { clientOf, newWorkspace } from './client.js';
import { connect, newDestination, newSource } from './inventory-fixtures.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';
import { webhookDefinition } from './webhook-definition.js';

const gateway = useGateway();
useStub(gateway.nats, ListDefinitions, () => ({ definitions: [webhookDefinition] }));
const runner = useStub(gateway.nats, TestDestination, ({ destination }) => {
  if (destination.name.startsWith('slow')) throw new AppError('timeout', 'The code took too long');
  return {
    destinationId: destination.id,
    destination: destination.type,
    destinationName: destination.name,
    data: [{}],
  };
});

const regulation = useStub(gateway.nats, CheckSuppression, ({ userIds }) => ({
  suppressed: userIds.filter((id) => id === 'gone'),
  deleted: [],
}));

const client = () => clientOf(gateway);
const message = { type: 'track', userId: 'u', event: 'e' };
const UNKNOWN = '0ujsszwN8NRY24YaXiTIE2VWDTS';
const exactly = (text: string) => ({ status: 400, text: JSON.stringify({ message: text }) });

describe('testDestination', () => {
  it('hands one self-contained command to the runner', async () => {
    const { id, name } = await newDestination(client());
    const destinationConfig = { webhookUrl: 'https://example.org' };
    const body = { message, stage: { dest_transform: true }, destinationConfig };
    const answer = await client().post(`/v0/testDestination/${id}?force=true`, body);
    const result = { destinationId: id, destination: 'WEBHOOK', destinationName: name, data: [{}] };
    expect(answer).toMatchObject({ status: 200, body: result });
    const request = runner.requests.at(-1);
    expect(request).toMatchObject({ role: 'admin', message, force: true, configOverride: destinationConfig });
    expect(request?.destination).toMatchObject({
      id,
      type: 'WEBHOOK',
      enabled: true,
      sealedConfig: expect.any(String),
    });
    expect(request?.stage).toEqual({ user_transform: false, dest_transform: true, send_to_destination: false });
  });

  it('tells the runner which messages are of suppressed users, and does not send when nobody knows', async () => {
    const { id } = await newDestination(client());
    const body = { message, stage: { dest_transform: true } };
    await client().post(`/v0/testDestination/${id}`, body);
    expect(runner.requests.at(-1)).not.toHaveProperty('suppressed');
    const messages = [message, { ...message, userId: 'gone' }];
    await client().post(`/v0/testDestination/${id}?details=true`, { ...body, message: messages });
    expect(runner.requests.at(-1)).toMatchObject({ suppressed: [1] });
    await regulation.leave();
    const sends = { message, stage: { dest_transform: true, send_to_destination: true } };
    expect(await client().post(`/v0/testDestination/${id}`, sends)).toMatchObject({ status: 503 });
    expect(await client().post(`/v0/testDestination/${id}`, body)).toMatchObject({ status: 200 });
    await regulation.join();
  });

  it('says what is wrong in order: body, type, destination', async () => {
    const at = (id: string, body: unknown) => client().post(`/v0/testDestination/${id}`, body);
    expect(await at('nonsense', { message: {}, stage: 1 })).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST' },
    });
    expect(await at('nonsense', {})).toMatchObject(exactly('message type missing or invalid'));
    expect(await at(UNKNOWN, { message: { type: 7 } })).toMatchObject(exactly('message type missing or invalid'));
    expect(await at(UNKNOWN, { message: { type: 'Track' } })).toMatchObject(exactly('message type is unsupported'));
    for (const id of ['nonsense', UNKNOWN]) {
      expect(await at(id, { message })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
  });

  it('does not find destinations of another workspace', async () => {
    const foreign = await newDestination((await newWorkspace(gateway)).admin);
    expect(await client().post(`/v0/testDestination/${foreign.id}`, { message })).toMatchObject({ status: 404 });
  });

  it.each([
    ['sending', { stage: { send_to_destination: true } }, ''],
    ['forcing', {}, '?force=true'],
    ['another configuration', { destinationConfig: {} }, ''],
  ])('refuses %s to read-only tokens', async (_, extra, query) => {
    const { reader, admin } = await newWorkspace(gateway);
    const { id } = await newDestination(admin);
    const path = `/v0/testDestination/${id}`;
    expect(await reader.post(`${path}${query}`, { message, ...extra })).toMatchObject({ status: 403 });
    expect(await reader.post(path, { message })).toMatchObject({ status: 200 });
    expect(runner.requests.at(-1)?.role).toBe('read-only');
  });

  it('refuses an event that is too large, and keys that could reach a prototype', async () => {
    const { id } = await newDestination(client());
    const path = `/v0/testDestination/${id}`;
    const large = { message: { ...message, text: 'x'.repeat(540_000) } };
    expect(await client().post(path, large)).toMatchObject({ status: 413 });
    const unsafe = `{"message":${JSON.stringify(message)},"destinationConfig":{"__proto__":{}}}`;
    expect(await client().post(path, unsafe)).toMatchObject({ status: 400 });
  });
});

describe('testSource', () => {
  const at = (id: string, query = '') =>
    client().post(`/v0/testSource/${id}${query}`, { message, destinationConfig: {} });

  it('answers for each connected destination, in order of connection', async () => {
    const source = await newSource(client());
    const destinations = [];
    for (let n = 0; n < 7; n += 1) destinations.push(await newDestination(client()));
    for (const { id } of [...destinations].reverse()) await connect(client(), source.id, id);
    const answer = await at(source.id);
    expect(answer.body.map((result: { destinationId: string }) => result.destinationId)).toEqual(
      destinations.map(({ id }) => id).reverse(),
    );
    expect(runner.requests.at(-1)).toMatchObject({ sourceId: source.id });
    expect(runner.requests.at(-1)).not.toHaveProperty('configOverride');
  });

  it('skips disabled connections, unless it is forced', async () => {
    const source = await newSource(client());
    await connect(client(), source.id, (await newDestination(client())).id, false);
    expect(await at(source.id)).toMatchObject(exactly(`Source with ${source.id} is not connected to any destination`));
    expect((await at(source.id, '?force=true')).body).toHaveLength(1);
  });

  it('refuses a disabled source, unless it is forced', async () => {
    const source = await newSource(client(), { enabled: false });
    await connect(client(), source.id, (await newDestination(client())).id);
    expect(await at(source.id)).toMatchObject(exactly(`Source with ${source.id} is disabled`));
    expect(await at(source.id, '?force=true')).toMatchObject({ status: 200 });
    expect(await at(UNKNOWN)).toMatchObject({ status: 404 });
  });

  it('shows failed results beside the others', async () => {
    const source = await newSource(client());
    const slow = await newDestination(client(), { name: `slow ${source.id}` });
    await connect(client(), source.id, slow.id);
    await connect(client(), source.id, (await newDestination(client())).id);
    const { status, body } = await at(source.id);
    expect(status).toBe(200);
    expect(body[0]).toEqual({ destinationId: slow.id, destinationName: slow.name, error: 'The code took too long' });
    expect(body[1]).toHaveProperty('data');
  });

  it('refuses more destinations than it tests at once', async () => {
    const source = await newSource(client());
    for (let n = 0; n <= TEST_SOURCE_DESTINATIONS_MAX; n += 1) {
      await connect(client(), source.id, (await newDestination(client())).id);
    }
    expect(await at(source.id)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });
});

describe('with details', () => {
  it('hands on several messages and what is expected of them', async () => {
    const { id } = await newDestination(client());
    const messages = [message, { ...message, type: 'page' }];
    const expectation = [{ pointer: '/data/0', exists: true }];
    const path = `/v0/testDestination/${id}?details=true`;
    expect(await client().post(path, { message: messages, expect: expectation })).toMatchObject({ status: 200 });
    const asked = { message: messages, details: true, expect: expectation, createdBy: 'owner@example.com' };
    expect(runner.requests.at(-1)).toMatchObject(asked);
  });

  it('without them a list is no message and expect is a key like any other', async () => {
    const { id } = await newDestination(client());
    const path = `/v0/testDestination/${id}`;
    expect(await client().post(path, { message: [message] })).toMatchObject(exactly('message type missing or invalid'));
    expect(await client().post(`${path}?details=false`, { message, expect: 'nonsense' })).toMatchObject({
      status: 200,
    });
    expect(runner.requests.at(-1)).not.toHaveProperty('details');
    expect(runner.requests.at(-1)).not.toHaveProperty('expect');
  });

  it.each([
    ['no message at all', { message: [] }, /1 to 50/],
    ['too many messages', { message: Array.from({ length: 51 }, () => message) }, /1 to 50/],
    ['an event without type among them', { message: [message, {}] }, /type missing/],
    ['expectations that are no list', { message, expect: {} }, /expect must be an array/],
    ['an expectation of nothing', { message, expect: [{ pointer: '/data' }] }, /exactly one of/],
    ['a pointer that is none', { message, expect: [{ pointer: 'data', exists: true }] }, /JSON Pointer/],
  ])('refuses %s', async (_, body, words) => {
    const { id } = await newDestination(client());
    const answer = await client().post(`/v0/testDestination/${id}?details=true`, body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(words) } });
  });
});

describe('test runs', () => {
  const summary = {
    id: UNKNOWN,
    destinationId: UNKNOWN,
    destinationName: 'Hook',
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  const lists = useStub(gateway.nats, ListTestRuns, () => ({ runs: [summary], next: '17' }));
  useStub(gateway.nats, GetTestRun, ({ id }) => ({ ...summary, id, request: {}, result: {} }));

  it('are listed by page, with the filters in the next one', async () => {
    const answer = await client().get(`/v2/test-runs?destinationId=${UNKNOWN}&after_cursor=99`);
    const next = `/v2/test-runs?destinationId=${UNKNOWN}&after_cursor=17`;
    expect(answer).toMatchObject({ status: 200, body: { data: [summary], paging: { next } } });
    expect(lists.requests.at(-1)).toMatchObject({ destinationId: UNKNOWN, cursor: '99' });
  });

  it('are read one by one', async () => {
    expect(await client().get(`/v2/test-runs/${UNKNOWN}`)).toMatchObject({ status: 200, body: { id: UNKNOWN } });
    expect(await client().get('/v2/test-runs/nonsense')).toMatchObject({ status: 404 });
  });
});
