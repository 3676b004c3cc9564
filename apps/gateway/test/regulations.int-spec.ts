import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  AppError,
  CancelRegulation,
  CreateRegulation,
  GetRegulation,
  ListDefinitions,
  ListRegulations,
  notFound,
  PlanRegulation,
  RecallRegulation,
} from '@weir/contracts';
import { clientOf, newWorkspace } from './client.js';
import { newDestination, newSource } from './inventory-fixtures.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';
import { webhookDefinition } from './webhook-definition.js';

const gateway = useGateway();
const { nats } = gateway;
useStub(nats, ListDefinitions, () => ({ definitions: [webhookDefinition] }));

const known = randomUUID();
const record = GetRegulation.reply.parse(GetRegulation.example.reply);
const budgetOf = (remaining: number) => ({ name: 'suppression' as const, limit: 50_000, remaining, resetSeconds: 99 });
const create = useStub(nats, CreateRegulation, ({ users }) => {
  if (users[0]?.['userId'] === 'too-much') {
    const details = { budgets: [budgetOf(0)], retryAfterSeconds: 99 };
    throw new AppError('rate_limited', 'nothing was stored', details);
  }
  return { ids: users.map(() => randomUUID()), budgets: [budgetOf(7)] };
});
useStub(nats, RecallRegulation, ({ idempotency: { key } }) => {
  if (key === 'other') throw new AppError('conflict', 'another body');
  return key === 'known' ? { ids: [known] } : {};
});
const plan = PlanRegulation.reply.parse(PlanRegulation.example.reply);
useStub(nats, PlanRegulation, () => plan);
const cancel = useStub(nats, CancelRegulation, ({ id }) => {
  if (id !== known) throw notFound('regulation');
  return {};
});
useStub(nats, GetRegulation, ({ id }) => {
  if (id !== known) throw notFound('regulation');
  return { ...record, id };
});
const list = useStub(nats, ListRegulations, ({ cursor }) => {
  if (cursor === 'bad') throw new AppError('invalid', 'after_cursor is not a cursor of this list');
  const { records } = ListRegulations.reply.parse(ListRegulations.example.reply);
  return cursor ? { records } : { records, next: 'a+b/c' };
});

const client = () => clientOf(gateway);
const PATH = '/v2/regulations';
const refusal = (code: string) => ({ message: expect.any(String), error: expect.any(String), code });

describe('creating regulations', () => {
  it('answers 201 with one record per user, in order', async () => {
    const source = await newSource(client());
    const users = [{ userId: ' u1 ', phone: 49 }, { userId: 'u2' }];
    const body = { regulationType: 'suppress', sourceIds: [source.id, source.id], users };
    const answer = await client().post(PATH, body);
    const one = {
      id: expect.any(String),
      workspaceId: expect.any(String),
      canceled: false,
      regulationType: 'suppress',
    };
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.body).toEqual([
      { ...one, attributes: { userId: 'u1', phone: 49 } },
      { ...one, attributes: { userId: 'u2' } },
    ]);
    expect(create.requests.at(-1)).toMatchObject({
      sourceIds: [source.id],
      destinations: [],
      createdBy: 'owner@example.com',
    });
  });

  it('takes the five thousand users that are promised, and no more', async () => {
    const users = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ userId: `user-${n}`, email: `${n}@x.y`, phone: n, k: n }));
    const answer = await client().post(PATH, { regulationType: 'suppress', users: users(5_000) });
    expect([answer.status, answer.body.length]).toEqual([201, 5_000]);
    const refused = await client().post(PATH, { regulationType: 'suppress', users: users(5_001) });
    expect(refused).toMatchObject({ status: 413, body: refusal('PAYLOAD_TOO_LARGE') });
    const large = { regulationType: 'suppress', users: [{ userId: 'u' }], padding: 'x'.repeat(1_100_000) };
    expect(await client().post(PATH, large)).toMatchObject({ status: 413, body: refusal('PAYLOAD_TOO_LARGE') });
  });

  it('means all sources without sourceIds, and all destinations of now without destinationIds', async () => {
    const tenant = (await newWorkspace(gateway)).admin;
    const enabled = await newDestination(tenant);
    const disabled = await newDestination(tenant, { enabled: false });
    await tenant.post(PATH, { regulationType: 'suppress_with_delete', users: [{ userId: 'u' }] });
    expect(create.requests.at(-1)).toMatchObject({ sourceIds: null });
    const configKeys = expect.arrayContaining(['webhookUrl']);
    expect(create.requests.at(-1)?.destinations).toEqual([
      { id: enabled.id, type: 'WEBHOOK', configKeys },
      { id: disabled.id, type: 'WEBHOOK', configKeys },
    ]);
  });

  it('refuses ids of other workspaces like unknown ones, naming the field', async () => {
    const tenant = (await newWorkspace(gateway)).admin;
    const [source, destination] = [await newSource(tenant), await newDestination(tenant)];
    const users = [{ userId: 'u' }];
    const sent = create.requests.length;
    const bodies = {
      sourceIds: { regulationType: 'suppress', users, sourceIds: [source.id] },
      destinationIds: { regulationType: 'suppress_with_delete', users, destinationIds: [destination.id] },
    };
    for (const [field, body] of Object.entries(bodies)) {
      const answer = await client().post(PATH, body);
      expect([answer.status, Object.keys(answer.body.details)]).toEqual([400, [field]]);
    }
    expect(create.requests).toHaveLength(sent);
  });

  it.each([
    ['sourceIds', 'suppress', 'source'],
    ['destinationIds', 'suppress_with_delete', 'destination'],
  ])(
    'refuses what cannot be an id like an unknown one, without repeating it: %s',
    async (field, regulationType, what) => {
      const body = { regulationType, users: [{ userId: 'u' }], [field]: ['ada@example.com'] };
      const problem = `has no ${what} with that id`;
      for (const path of [PATH, `${PATH}?dryRun=true`]) {
        const answer = await client().post(path, body);
        expect(answer).toMatchObject({ status: 400, body: { message: `${field} ${problem}` } });
        expect(answer.body.details).toEqual({ [field]: problem });
      }
    },
  );

  it('goes on with an idempotency key, and repeats what was made even when its sources are gone', async () => {
    const answers = (key: string, body: object) => client().post(PATH, body, { headers: { 'idempotency-key': key } });
    const body = { regulationType: 'suppress', users: [{ userId: 'u' }] };
    await answers('new', body);
    expect(create.requests.at(-1)?.idempotency).toMatchObject({ key: 'new' });
    const sent = create.requests.length;
    const gone = { ...body, sourceIds: ['0ujzPyRiIAffKhBux4PvQdDqMHY'] };
    const repeated = await answers('known', gone);
    expect([repeated.status, repeated.body]).toMatchObject([201, [{ id: known, attributes: { userId: 'u' } }]]);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    expect(await answers('other', body)).toMatchObject({ status: 409, body: refusal('CONFLICT') });
    expect(await answers('a b', body)).toMatchObject({ status: 400, body: refusal('BAD_REQUEST') });
    expect(create.requests).toHaveLength(sent);
  });

  it('with dryRun answers 200 with what would be, and creates nothing', async () => {
    const sent = create.requests.length;
    const body = { regulationType: 'suppress', users: [{ userId: 'u' }] };
    const answer = await client().post(`${PATH}?dryRun=true`, body);
    expect([answer.status, answer.body]).toEqual([200, { dryRun: true, users: 1, ...plan }]);
    expect(answer.headers.get('ratelimit-remaining')).toBe('50000');
    expect(await client().post(`${PATH}?dryRun=maybe`, body)).toMatchObject({ status: 400 });
    const source = { ...body, sourceIds: ['0ujzPyRiIAffKhBux4PvQdDqMHY'] };
    expect(await client().post(`${PATH}?dryRun=true`, source)).toMatchObject({ status: 400 });
    expect(create.requests).toHaveLength(sent);
  });

  it('says what is left of the hour, and when to come again once nothing is', async () => {
    const post = (userId: string) => client().post(PATH, { regulationType: 'suppress', users: [{ userId }] });
    const headersOf = ({ headers }: Awaited<ReturnType<typeof post>>, ...names: string[]) =>
      names.map((name) => headers.get(name));
    const names = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'ratelimit-policy'];
    const policy = '50000;w=3600;name="suppression"';
    expect(headersOf(await post('u'), ...names)).toEqual(['50000', '7', '99', policy]);
    const refused = await post('too-much');
    expect(refused).toMatchObject({ status: 429, body: refusal('TOO_MANY_REQUESTS') });
    expect(refused.body.details).toEqual({ budgets: [budgetOf(0)], retryAfterSeconds: 99 });
    expect(headersOf(refused, 'retry-after', ...names)).toEqual(['99', '50000', '0', '99', policy]);
  });

  it('is not for read-only tokens, who may read', async () => {
    const { reader } = await newWorkspace(gateway);
    const answer = await reader.post(PATH, { regulationType: 'suppress', users: [{ userId: 'u' }] });
    expect(answer).toMatchObject({ status: 403, body: refusal('FORBIDDEN') });
    expect(await reader.delete(`${PATH}/${known}`)).toMatchObject({ status: 403 });
    expect(await reader.get(PATH)).toMatchObject({ status: 200 });
  });
});

describe('regulations', () => {
  it('are listed page by page; the last page has no next', async () => {
    const first = await client().get(PATH);
    expect(first.body).toEqual({ data: [expect.any(Object)], paging: { next: `${PATH}?after_cursor=a%2Bb%2Fc` } });
    const last = await client().get(first.body.paging.next);
    expect(last.body).toEqual({ data: [expect.any(Object)], paging: {} });
    expect(await client().get(`${PATH}?after_cursor=bad`)).toMatchObject({ status: 400, body: refusal('BAD_REQUEST') });
  });

  it('are filtered, and the next page is asked for with the same filters', async () => {
    const filters = 'userId=a%26b&regulationType=suppress&canceled=false&status=partial&order=desc&details=true';
    const first = await client().get(`${PATH}?${filters}`);
    expect(first.body.paging).toEqual({ next: `${PATH}?${filters}&after_cursor=a%2Bb%2Fc` });
    const filter = { userId: 'a&b', regulationType: 'suppress', canceled: false, status: 'partial', order: 'desc' };
    expect(list.requests.at(-1)).toMatchObject({ filter, details: true });
    await client().get(first.body.paging.next);
    expect(list.requests.at(-1)).toMatchObject({ filter, details: true, cursor: 'a+b/c' });
    for (const bad of ['regulationType=delete', 'canceled=maybe', 'status=done', 'userId=%20', 'order=newest']) {
      const answer = await client().get(`${PATH}?${bad}`);
      expect([answer.status, Object.keys(answer.body.details)]).toEqual([400, [bad.split('=')[0]]]);
    }
  });

  it('are shown and canceled', async () => {
    expect(await client().get(`${PATH}/${known}`)).toMatchObject({ status: 200, body: { id: known } });
    expect(await client().delete(`${PATH}/${known}`)).toMatchObject({ status: 204, text: '' });
    expect(cancel.requests.at(-1)).toMatchObject({ id: known, canceledBy: 'owner@example.com' });
  });

  it.each([randomUUID(), 'no-uuid', '1'.repeat(32)])('that do not exist are not found: %s', async (id) => {
    expect(await client().get(`${PATH}/${id}`)).toMatchObject({ status: 404, body: refusal('NOT_FOUND') });
    expect(await client().delete(`${PATH}/${id}`)).toMatchObject({ status: 404, body: refusal('NOT_FOUND') });
  });
});
