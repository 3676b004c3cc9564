import { describe, expect, it } from '@jest/globals';
import {
  AppError,
  GetRangeReplay,
  ListDefinitions,
  ListRangeReplays,
  StartRangeReplay,
  SteerRangeReplay,
} from '@weir/contracts';
import { clientOf, newWorkspace } from './client.js';
import { newDestination, newSource } from './inventory-fixtures.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';
import { webhookDefinition } from './webhook-definition.js';

const gateway = useGateway();
useStub(gateway.nats, ListDefinitions, () => ({ definitions: [webhookDefinition] }));
const { replay } = StartRangeReplay.reply.parse(StartRangeReplay.example.reply);
let isOff = false;
const starts = useStub(gateway.nats, StartRangeReplay, () => {
  if (isOff) throw new AppError('unsupported', 'Events are not archived here');
  return { replay };
});
useStub(gateway.nats, ListRangeReplays, () => ({ replays: [replay] }));
useStub(gateway.nats, GetRangeReplay, () => ({ replay }));
const steers = useStub(gateway.nats, SteerRangeReplay, ({ state }) => ({ replay: { ...replay, state } }));

const client = () => clientOf(gateway);
const PATH = '/v2/deliveries/range-replays';
const UNKNOWN = '0ujsszwN8NRY24YaXiTIE2VWDTS';
const RANGE = { from: '2026-01-01T02:00:00+02:00', to: '2026-01-01T06:00:00Z' };

async function body(more: object = {}) {
  const [source, destination] = [await newSource(client()), await newDestination(client())];
  return { sourceId: source.id, destinationId: destination.id, ...RANGE, ...more };
}

describe(`POST ${PATH}`, () => {
  it('counts unless it is told to send, at a modest rate', async () => {
    const range = await body();
    expect(await client().post(PATH, range)).toMatchObject({ status: 202, body: { replay: { id: replay.id } } });
    expect(starts.requests.at(-1)).toEqual({
      workspaceId: expect.any(String),
      by: expect.stringContaining('@'),
      selection: {
        ...range,
        from: '2026-01-01T00:00:00.000Z',
        to: '2026-01-01T06:00:00.000Z',
        dryRun: true,
        eventsPerSecond: 100,
      },
    });
    await client().post(PATH, { ...range, dryRun: false, eventsPerSecond: 7, types: ['track'], events: ['Bought'] });
    expect(starts.requests.at(-1)).toMatchObject({
      selection: { dryRun: false, eventsPerSecond: 7, types: ['track'], events: ['Bought'] },
    });
  });

  it.each([
    ['a source that is not there', { sourceId: UNKNOWN }, /sourceId has no source/],
    ['a destination that is not there', { destinationId: UNKNOWN }, /destinationId has no destination/],
    ['a time without zone', { from: '2026-01-01T00:00:00' }, /from must be an ISO 8601 date and time/],
    ['no end', { to: undefined }, /to/],
    ['an end before the beginning', { to: '2025-12-31T00:00:00Z' }, /to must be after from/],
    ['an end in the future', { to: '9000-01-01T00:00:00Z' }, /to must not be in the future/],
    ['a range without end', { from: '2020-01-01T00:00:00Z' }, /from must be at most 366 days before to/],
    ['no rate', { eventsPerSecond: 0 }, /eventsPerSecond must be an integer/],
    ['a type that is none', { types: ['order'] }, /types/],
    ['no names', { events: [] }, /events/],
  ])('refuses %s', async (_, more, words) => {
    expect(await client().post(PATH, await body(more))).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(words) },
    });
  });

  it('says so where nothing is archived', async () => {
    isOff = true;
    expect(await client().post(PATH, await body())).toMatchObject({
      status: 400,
      body: { message: 'Events are not archived here' },
    });
    isOff = false;
  });

  it('is not for tokens that only read', async () => {
    const { reader } = await newWorkspace(gateway);
    expect(await reader.post(PATH, await body())).toMatchObject({ status: 403 });
    expect(await reader.post(`${PATH}/${replay.id}/pause`)).toMatchObject({ status: 403 });
    expect(await reader.get(PATH)).toMatchObject({ status: 200, body: { replays: [{ id: replay.id }] } });
  });
});

describe(`${PATH}/{id}`, () => {
  it('is read, paused, resumed and cancelled', async () => {
    expect(await client().get(`${PATH}/${replay.id}`)).toMatchObject({
      status: 200,
      body: { replay: { state: 'running' } },
    });
    for (const [act, state] of [
      ['pause', 'paused'],
      ['resume', 'running'],
      ['cancel', 'cancelled'],
    ]) {
      expect(await client().post(`${PATH}/${replay.id}/${act}`)).toMatchObject({
        status: 200,
        body: { replay: { state } },
      });
      expect(steers.requests.at(-1)).toMatchObject({ id: replay.id, state });
    }
    expect(await client().get(`${PATH}/nonsense`)).toMatchObject({ status: 404 });
  });
});
