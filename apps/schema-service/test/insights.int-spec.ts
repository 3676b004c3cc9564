import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  DiffVersions,
  type EventBatch,
  GetModelMetadata,
  GetSourcePrivacy,
  GetVersionMetadata,
  type JsonObject,
  ListDrift,
  ListJsonSchemas,
  ListKeyFacts,
  ListModelDays,
  ListModels,
  ListPiiFlags,
  ListSourceActivity,
  ListVersions,
  MODEL_DAYS_MAX,
  PutSourcePrivacy,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import { eventBatch, PatientRpcClient, type ServiceProcess, useDatabase, useNats } from '@weir/testing';
import { VERSIONS_PER_MODEL_MAX } from '../src/aggregation/limits.js';
import { DriftRepository, DriftService } from '../src/collector/drift.js';
import { ModelDaysDeltaRepository } from '../src/collector/model-delta.repository.js';
import { SCHEMA } from '../src/schema.js';
import { flushesOf, modelsOver, startMain, versionsOver } from './running-schemas.js';

const UNKNOWN = '7c1c7b1e-6f1d-4c39-8a6e-0a4a5a6b7c8d';

let service: ServiceProcess;
let rpc: RpcClient;

// Registered before the hooks of database and broker, which check that no client is left.
afterAll(() => service?.stop());
const database = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const nats = useNats();

beforeAll(async () => {
  service = await startMain({ databaseUrl: database.url, natsUrl: nats.url });
  rpc = new PatientRpcClient(nats.connection);
});
beforeEach(() =>
  database.dataSource.query(
    `TRUNCATE models, versions, statistics, statistics_parts, key_fact_parts, model_days, drift_notices, source_privacy, applied_batches RESTART IDENTITY`,
  ),
);

/** A midnight (UTC) so long ago that all hours of the tests are over, and so recent that its notices are kept. */
const START = Math.floor(Date.now() / 86_400_000 - 10) * 86_400_000;
const hour = (hours: number) => new Date(START + hours * 3_600_000).toISOString();
const shown = (hours: number) => hour(hours).replace('.000Z', '.000000Z');

/** Flushes group events of one source, received at that hour. */
const store = (hours: number, events: JsonObject[], writeKey = 'wk') =>
  flushesOf(database.dataSource).flush([
    eventBatch({ writeKey, receivedAt: hour(hours), events: events.map((event) => ({ type: 'group', ...event })) }),
  ]);

const idOf = async (writeKey = 'wk') => (await modelsOver(rpc, writeKey))[0]?.EventID ?? '';

describe('events by day', () => {
  const DAY_MS = 86_400_000;
  /** Noon of a day that is so many days ago, in UTC. */
  const noon = (ago: number) => `${new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10)}T12:00:00.000Z`;
  const dayOf = (ago: number) => noon(ago).slice(0, 10);
  const flush = (batches: EventBatch[]) => flushesOf(database.dataSource).flush(batches);
  const batch = (ago: number, count: number, writeKey = 'wk') =>
    eventBatch({ writeKey, receivedAt: noon(ago), events: Array.from({ length: count }, () => ({ type: 'group' })) });

  it('are counted once, each on its own day, for as long as they are kept', async () => {
    const again = batch(0, 3);
    // one flush may hold batches of several days
    await flush([batch(MODEL_DAYS_MAX - 1, 1), batch(1, 2), again, batch(2, 5, 'another')]);
    await flush([again, batch(0, 4), batch(MODEL_DAYS_MAX, 9)]);
    const { models, next } = await rpc.send(ListModelDays, { writeKey: 'wk' });
    expect(models).toEqual([
      {
        EventID: await idOf(),
        Days: [
          { Day: dayOf(MODEL_DAYS_MAX - 1), Events: 1 },
          { Day: dayOf(1), Events: 2 },
          { Day: dayOf(0), Events: 7 },
        ],
      },
    ]);
    expect(next).toBeUndefined();
    expect((await rpc.send(ListModelDays, {})).models).toHaveLength(2);
    expect((await rpc.send(ListModelDays, { workspaceId: newKsuid() })).models).toEqual([]);

    const days = new ModelDaysDeltaRepository();
    await days.prune(database.dataSource);
    const kept = await database.dataSource.query('SELECT DISTINCT day::text FROM model_days ORDER BY day');
    expect(kept.map(({ day }: { day: string }) => day)).toEqual([MODEL_DAYS_MAX - 1, 2, 1, 0].map(dayOf));
  });
});

describe('facts of keys', () => {
  it('tell shares of events and of types, and when a key was seen, of removed versions too', async () => {
    await store(0, [{ seats: 1 }, { seats: 2 }, { seats: 'two' }]);
    for (let n = 0; n < VERSIONS_PER_MODEL_MAX; n += 1) await store(1 + n, [{ [`key${n}`]: n }]);
    await store(200, [{ seats: 5 }]);
    const eventId = await idOf();
    expect(await versionsOver(rpc, eventId)).toHaveLength(VERSIONS_PER_MODEL_MAX);

    const { keys, next } = await rpc.send(ListKeyFacts, { eventId });
    const total = 4 + VERSIONS_PER_MODEL_MAX;
    expect(next).toBeUndefined();
    expect(keys.map(({ Key }) => Key)).toEqual(keys.map(({ Key }) => Key).toSorted());
    expect(keys.find(({ Key }) => Key === 'seats')).toEqual({
      Key: 'seats',
      Events: 4,
      Share: 4 / total,
      Types: [
        { Type: 'float64', Events: 3, Share: 3 / 4 },
        { Type: 'string', Events: 1, Share: 1 / 4 },
      ],
      FirstSeen: shown(0),
      LastSeen: shown(200),
    });
    expect(keys.find(({ Key }) => Key === 'type')).toMatchObject({ Events: total, Share: 1, FirstSeen: shown(0) });
    expect((await rpc.send(ListKeyFacts, { eventId, after: 'seats' })).keys.map(({ Key }) => Key)).toEqual(['type']);
  });
});

describe('observed schemas', () => {
  it('come page by page, of one source or of all', async () => {
    const named = Array.from({ length: 25 }, (_, n) => ({ type: 'track', event: `Event ${n}`, properties: { n } }));
    await store(0, named);
    await store(1, [{ traits: { plan: 'free' } }, { traits: {} }], 'other');
    const first = await rpc.send(ListJsonSchemas, { writeKey: 'wk' });
    const rest = await rpc.send(ListJsonSchemas, { writeKey: 'wk', after: first.next });
    const names = [...first.schemas, ...rest.schemas].map(({ schemaIdentifier }) => schemaIdentifier);
    expect(first.schemas.length).toBeLessThan(named.length);
    expect(names.toSorted()).toEqual(named.map(({ event }) => event).toSorted());
    expect(rest.next).toBeUndefined();
    const { schemas } = await rpc.send(ListJsonSchemas, { writeKey: 'other' });
    expect(schemas).toMatchObject([
      {
        writeKey: 'other',
        schemaType: 'group',
        schemaIdentifier: '',
        schema: { properties: { plan: { type: 'string' } } },
      },
    ]);
    expect(schemas[0]?.schema).not.toHaveProperty('required');
    expect(await rpc.send(ListJsonSchemas, { writeKey: 'nobody' })).toEqual({ schemas: [] });
  });
});

describe('a difference of versions', () => {
  it('tells what came, what went and what changed', async () => {
    await store(0, [
      { row: 'A', seat: 1 },
      { seat: '1', zone: true },
    ]);
    const [before, after] = await versionsOver(rpc, await idOf());
    const [versionId, against] = [after?.VersionID ?? '', before?.VersionID ?? ''];
    expect(await rpc.send(DiffVersions, { versionId, against })).toEqual({
      VersionID: versionId,
      Against: against,
      Compatibility: 'breaking',
      Added: [{ Key: 'zone', Types: 'bool' }],
      Removed: [{ Key: 'row', Types: 'string' }],
      Changed: [{ Key: 'seat', From: 'float64', To: 'string' }],
      Complete: true,
    });
  });

  it('needs two versions of one model', async () => {
    await store(0, [{ row: 'A' }]);
    await store(0, [{ row: 'A' }], 'other');
    const [one] = await versionsOver(rpc, await idOf());
    const [two] = await versionsOver(rpc, await idOf('other'));
    const versionId = one?.VersionID ?? '';
    await expect(rpc.send(DiffVersions, { versionId, against: two?.VersionID ?? '' })).rejects.toMatchObject({
      code: 'invalid',
    });
    for (const unknown of [UNKNOWN, 'no uuid']) {
      await expect(rpc.send(DiffVersions, { versionId, against: unknown })).rejects.toMatchObject({
        code: 'not_found',
      });
      await expect(rpc.send(DiffVersions, { versionId: unknown, against: versionId })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
  });
});

describe('drift', () => {
  const kinds = async () => (await rpc.send(ListDrift, {})).notices.map(({ Kind, Keys }) => [Kind, ...Keys]);

  it('is a new version and a new type, but not how a model begins', async () => {
    await store(0, [{ seat: 1 }]);
    expect(await kinds()).toEqual([]);
    await store(1, [{ seat: 2 }, { seat: 3, row: 'A' }, { seat: '4' }]);
    expect(await kinds()).toEqual([['new_version', 'row'], ['new_version'], ['new_type', 'seat']]);
    const { notices } = await rpc.send(ListDrift, { kind: 'new_type' });
    const eventId = await idOf();
    expect(notices).toEqual([
      {
        ID: 3,
        Kind: 'new_type',
        EventID: eventId,
        WriteKey: 'wk',
        EventType: 'group',
        EventIdentifier: '',
        VersionID: (await versionsOver(rpc, eventId))[2]?.VersionID,
        Keys: ['seat'],
        TypesBefore: 'float64',
        TypesAfter: 'float64,string',
        NoticedAt: shown(1),
      },
    ]);
  });

  it('keeps the newest 500 notices of a model, and none of before 90 days', async () => {
    await store(0, [{ seat: 1 }]);
    await database.dataSource.query(
      `INSERT INTO drift_notices (event_id, kind, version_id, keys, noticed_at)
       SELECT $1, 'new_version', $1, '{}', now() - CASE WHEN n > 6000 THEN 1 ELSE 91 END * interval '1 day'
       FROM generate_series(1, 12000) AS n`,
      [await idOf()],
    );
    const first = `SELECT count(*)::int, min(id)::int AS least, max(id)::int AS most FROM drift_notices`;
    const [{ most }] = await database.dataSource.query(first);
    await new DriftRepository().prune(database.dataSource);
    expect(await database.dataSource.query(first)).toEqual([{ count: 500, least: most - 499, most }]);
  });

  it('is a key that vanished, once until it is back', async () => {
    const sweep = () => new DriftService(database.dataSource, new DriftRepository()).sweep();
    const vanished = async () => (await kinds()).filter(([kind]) => kind === 'vanished_key').map(([, key]) => key);
    const often = Array.from({ length: 20 }, () => ({ row: 'A', seat: 1 }));
    await store(0, [...often, { seat: 1, once: true }]);
    await store(23, [{ seat: 1 }]);
    await sweep();
    expect(await vanished()).toEqual([]); // not gone for long enough
    await store(25, [{ seat: 1 }]);
    await sweep();
    await sweep();
    expect(await vanished()).toEqual(['row']); // keys that only one event had are left out
    await store(26, [{ row: 'B', seat: 1 }]);
    await store(60, [{ seat: 1 }]);
    await sweep();
    expect(await vanished()).toEqual(['row', 'row']);
  });

  it('comes page by page, of a source or a model', async () => {
    for (let n = 0; n < 7; n += 1) await store(n, [{ [`key${n}`]: n }]);
    await store(9, [{}, { row: 'A' }], 'other');
    const first = await rpc.send(ListDrift, { limit: 4 });
    expect(first.notices.map(({ ID }) => ID)).toEqual([1, 2, 3, 4]);
    const { notices, next } = await rpc.send(ListDrift, { limit: 4, after: first.next });
    expect(notices.map(({ ID }) => ID)).toEqual([5, 6, 7]);
    expect(next).toBeUndefined();
    const newest = await rpc.send(ListDrift, { limit: 4, order: 'desc' });
    expect(await rpc.send(ListDrift, { limit: 4, order: 'desc', after: 0 })).toEqual(newest);
    const older = await rpc.send(ListDrift, { limit: 4, order: 'desc', after: newest.next });
    expect([...newest.notices, ...older.notices].map(({ ID }) => ID)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(older.next).toBeUndefined();
    const ofModel = await rpc.send(ListDrift, { order: 'desc', eventId: newest.notices[1]?.EventID });
    expect(ofModel.notices.map(({ ID }) => ID)).toEqual([6, 5, 4, 3, 2, 1]);
    expect((await rpc.send(ListDrift, { writeKey: 'other' })).notices).toHaveLength(1);
    expect((await rpc.send(ListDrift, { eventId: await idOf('other') })).notices).toHaveLength(1);
    for (const eventId of [UNKNOWN, 'no uuid']) expect(await rpc.send(ListDrift, { eventId })).toEqual({ notices: [] });
  });
});

describe('privacy of a source', () => {
  const person = { traits: { email: 'ada@example.com', plate: 'B-AD 1815', plan: 'free' } };
  const metadata = async (writeKey = 'wk') => {
    const eventId = await idOf(writeKey);
    const [version] = await versionsOver(rpc, eventId);
    const ofModel = await rpc.send(GetModelMetadata, { eventId });
    expect(await rpc.send(GetVersionMetadata, { versionId: version?.VersionID ?? '' })).toEqual(ofModel);
    return ofModel;
  };
  const metadataOfFirst = async () => rpc.send(GetModelMetadata, { eventId: await idOf() });
  const put = (Samples: 'keep' | 'mask' | 'off', MaskedKeys: string[] = []) =>
    rpc.send(PutSourcePrivacy, { writeKey: 'wk', privacy: { Samples, MaskedKeys } });

  it('flags keys that look personal', async () => {
    await store(0, [{ ...person, contact: 'grace@example.com' }]);
    expect(await rpc.send(ListPiiFlags, { eventId: await idOf() })).toEqual({
      flags: [
        { Key: 'contact', Kind: 'email', Because: 'values' },
        { Key: 'traits.email', Kind: 'email', Because: 'name' },
      ],
    });
    await expect(rpc.send(ListPiiFlags, { eventId: UNKNOWN })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('masks what is asked for and what looks personal, and shows it again', async () => {
    await store(0, [person]);
    await store(0, [person], 'other');
    const before = await metadata();
    expect(await put('mask', ['traits.plate'])).toEqual({ Samples: 'mask', MaskedKeys: ['traits.plate'] });
    expect(await metadata()).toEqual({
      TotalCount: 1,
      SampledEvents: [{ type: 'group', traits: { email: '***', plate: '***', plan: 'free' } }],
      FrequentValues: { type: before.FrequentValues['type'], 'traits.plan': before.FrequentValues['traits.plan'] },
    });
    expect(JSON.stringify(await metadata('other'))).toContain('ada@example.com');
    await put('keep');
    expect(await metadata()).toEqual(before);
  });

  it('leaves out what one user alone had when it masks', async () => {
    const events = [
      { userId: 'u1', traits: { plan: 'free', note: 'only hers' } },
      { userId: 'u2', traits: { plan: 'free', note: 'only his' } },
      { anonymousId: 'a1', traits: { plan: 'pro', note: 'of nobody known' } },
    ];
    await store(0, events);
    const before = (await metadataOfFirst()).FrequentValues;
    expect(before['traits.note']).toHaveLength(3);
    await put('mask');
    const masked = (await metadataOfFirst()).FrequentValues;
    expect(Object.keys(masked)).toEqual(['traits.plan', 'type']);
    expect(masked['traits.plan']).toEqual([{ Value: 'free', Frequency: 2 }]);
    await store(1, [{ userId: 'u9', traits: { plan: 'pro', note: 'only hers' } }]);
    const later = (await metadataOfFirst()).FrequentValues;
    expect(later['traits.note']).toEqual([{ Value: 'only hers', Frequency: 2 }]);
    expect(later['traits.plan']).toHaveLength(2);
  });

  it('keeps nothing when it is off, and counts on', async () => {
    expect(await rpc.send(GetSourcePrivacy, { writeKey: 'wk' })).toEqual({ Samples: 'keep', MaskedKeys: [] });
    await store(0, [person]);
    await put('off');
    expect(await metadata()).toEqual({ TotalCount: 1, SampledEvents: [], FrequentValues: {} });
    await store(1, [person]);
    for (const table of ['statistics', 'statistics_parts']) {
      expect(await database.dataSource.query(`SELECT FROM ${table}`)).toHaveLength(0);
    }
    await put('keep');
    await store(2, [person]);
    const { TotalCount, SampledEvents } = await metadata();
    expect([TotalCount, SampledEvents]).toEqual([3, [{ type: 'group', ...person }]]);
  });
});

it('pages of models and versions are as long as asked for', async () => {
  await store(0, [{ type: 'alias' }, { a: 1 }, { b: 1 }, { c: 1 }]);
  const { models, next } = await rpc.send(ListModels, { writeKey: 'wk', limit: 1 });
  expect(models.map(({ EventType }) => EventType)).toEqual(['alias']);
  const [group] = (await rpc.send(ListModels, { writeKey: 'wk', limit: 1, after: next })).models;
  const { versions } = await rpc.send(ListVersions, { eventId: group?.EventID ?? '', limit: 2 });
  expect(versions).toHaveLength(2);
});

describe('activity of sources for whoever tells people', () => {
  it('tells the last event, and what is new or changed in the last day', async () => {
    const { receivedAt: _, ...batch } = eventBatch({ writeKey: 'wk' });
    const send = (hoursAgo: number, events: JsonObject[]) =>
      flushesOf(database.dataSource).flush([
        { ...batch, ...fresh(hoursAgo), events: events.map((event) => ({ type: 'track', ...event })) },
      ]);
    const activity = async () => (await rpc.send(ListSourceActivity, { workspaceIds: [batch.workspaceId] })).sources;
    await send(30, [{ event: 'Old', properties: { a: 1 } }]);
    const [first] = await activity();
    expect(Object.keys(first ?? {}).sort()).toEqual(['lastSeen', 'workspaceId', 'writeKey']);
    await send(2, [{ event: 'New' }, { event: 'Newer' }, { event: 'Old', properties: { a: 'text' } }]);
    const [second] = await activity();
    expect(second).toMatchObject({ writeKey: 'wk', newEvents: { count: 2 } });
    expect(second?.drift?.count).toBeGreaterThan(0);
    expect(Date.parse(second?.lastSeen ?? '')).toBeGreaterThan(Date.parse(first?.lastSeen ?? ''));
  });
});

const fresh = (hoursAgo: number) => ({
  batchId: crypto.randomUUID(),
  receivedAt: new Date(Date.now() - hoursAgo * 3_600_000).toISOString(),
});
