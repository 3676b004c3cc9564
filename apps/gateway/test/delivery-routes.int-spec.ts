import { describe, expect, it } from '@jest/globals';
import {
  CountDeliveries,
  GetDelivery,
  ListDefinitions,
  ListDeliveries,
  ListDeliveryHours,
  ReplayDeliveries,
} from '@weir/contracts';
import { clientOf, newWorkspace } from './client.js';
import { newDestination } from './inventory-fixtures.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';
import { webhookDefinition } from './webhook-definition.js';

const gateway = useGateway();
useStub(gateway.nats, ListDefinitions, () => ({ definitions: [webhookDefinition] }));
const [delivery] = ListDeliveries.example.reply.deliveries as never[];
const lists = useStub(gateway.nats, ListDeliveries, () => ({
  deliveries: delivery ? [delivery] : [],
  next: 'dead.16',
}));
useStub(gateway.nats, GetDelivery, () => ({
  delivery: GetDelivery.reply.parse(GetDelivery.example.reply).delivery,
  event: { type: 'track', properties: { password: 'hush' } },
}));
const counts = useStub(gateway.nats, CountDeliveries, () => CountDeliveries.reply.parse(CountDeliveries.example.reply));
const byHour = useStub(gateway.nats, ListDeliveryHours, () =>
  ListDeliveryHours.reply.parse(ListDeliveryHours.example.reply),
);
const replays = useStub(gateway.nats, ReplayDeliveries, () => ({ deliveries: 3, destinations: [] }));

const client = () => clientOf(gateway);
const UNKNOWN = '0ujsszwN8NRY24YaXiTIE2VWDTS';

describe('GET /v2/deliveries', () => {
  it('lists by destination and status, with the next page', async () => {
    const answer = await client().get(`/v2/deliveries?destinationId=${UNKNOWN}&status=dead&after_cursor=dead.99`);
    const next = `/v2/deliveries?destinationId=${UNKNOWN}&status=dead&after_cursor=dead.16`;
    expect(answer).toMatchObject({ status: 200, body: { data: [{ id: '17', attempts: 1 }], paging: { next } } });
    expect(lists.requests.at(-1)).toMatchObject({ destinationId: UNKNOWN, status: 'dead', cursor: 'dead.99' });
  });

  it.each([
    ['status=delivered', /status must be one of retrying, dead/],
    ['destinationId=x', /destinationId/],
  ])('refuses ?%s', async (query, words) => {
    const answer = await client().get(`/v2/deliveries?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(words) } });
  });
});

describe('GET /v2/deliveries/{id}', () => {
  it('shows the event to admins only, and no secrets of it', async () => {
    const { admin, writer, reader } = await newWorkspace(gateway);
    const shown = (await admin.get('/v2/deliveries/17')).body;
    expect(shown).toMatchObject({ id: '17', event: { type: 'track', properties: { password: '***' } } });
    for (const other of [writer, reader]) {
      expect((await other.get('/v2/deliveries/17')).body).not.toHaveProperty('event');
    }
    expect(await admin.get('/v2/deliveries/nonsense')).toMatchObject({ status: 404 });
  });
});

describe('GET /v2/deliveries/counters', () => {
  it('counts over a day, or as many hours as asked for', async () => {
    expect(await client().get('/v2/deliveries/counters')).toMatchObject({
      status: 200,
      body: { data: [{ delivered: 7 }] },
    });
    expect(counts.requests.at(-1)).toMatchObject({ hours: 24 });
    await client().get('/v2/deliveries/counters?hours=720');
    expect(counts.requests.at(-1)).toMatchObject({ hours: 720 });
    expect(await client().get('/v2/deliveries/counters?hours=721')).toMatchObject({ status: 400 });
  });
});

describe('GET /v2/deliveries/hours', () => {
  it('counts hour by hour in the workspace of the token, over a day or as many hours as asked for', async () => {
    expect(await client().get('/v2/deliveries/hours')).toMatchObject({
      status: 200,
      body: { data: [{ delivered: 7 }] },
    });
    expect(byHour.requests.at(-1)).toEqual({ hours: 24, workspaceId: expect.any(String) });
    await client().get(`/v2/deliveries/hours?hours=168&destinationId=${UNKNOWN}`);
    expect(byHour.requests.at(-1)).toMatchObject({ hours: 168, destinationId: UNKNOWN });
    for (const query of ['hours=721', 'hours=0', 'destinationId=x', 'after_cursor=x'])
      expect(await client().get(`/v2/deliveries/hours?${query}`)).toMatchObject({ status: 400 });
  });
});

describe('POST /v2/deliveries/replay', () => {
  const replay = (body: object) => client().post('/v2/deliveries/replay', body);

  it('says first what it would do', async () => {
    expect(await replay({ ids: ['17'] })).toMatchObject({ status: 200, body: { dryRun: true, deliveries: 3 } });
    expect(replays.requests.at(-1)).toMatchObject({ dryRun: true, selection: { ids: ['17'] } });
  });

  it('takes a range of one destination, in any time zone', async () => {
    const { id } = await newDestination(client());
    const body = { dryRun: false, destinationId: id, from: '2026-01-01T02:00:00+02:00', stage: 'delivery' };
    expect(await replay(body)).toMatchObject({ status: 200, body: { dryRun: false } });
    const selection = { destinationId: id, from: '2026-01-01T00:00:00.000Z', stage: 'delivery' };
    expect(replays.requests.at(-1)).toEqual({ workspaceId: expect.any(String), dryRun: false, selection });
  });

  it.each([
    ['nothing', {}, /ids or destinationId/],
    ['ids with a range', { ids: ['1'], from: '2026-01-01T00:00:00Z' }, /ids cannot be combined/],
    ['a destination that is not there', { destinationId: UNKNOWN }, /destinationId has no destination/],
    ['a destination that cannot be one', { destinationId: 'x' }, /destinationId has no destination with that id/],
    [
      'a time without zone',
      { destinationId: UNKNOWN, from: '2026-01-01T00:00:00' },
      /from must be an ISO 8601 date and time/,
    ],
    ['no ids at all', { ids: [] }, /ids/],
    ['an id that cannot be one', { ids: ['x'] }, /must be the id of a delivery/],
  ])('refuses %s', async (_, body, words) => {
    expect(await replay(body)).toMatchObject({ status: 400, body: { message: expect.stringMatching(words) } });
  });
});
