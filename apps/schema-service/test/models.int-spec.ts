import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type EventBatch,
  GetKeyCounts,
  GetMissingKeys,
  GetModelMetadata,
  GetVersionMetadata,
  ListModels,
  ListVersions,
  PurgeSchemaUsers,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { eventBatch, PatientRpcClient, type ServiceProcess, useDatabase, useNats } from '@weir/testing';
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
    `TRUNCATE models, versions, statistics, statistics_parts, key_fact_parts, drift_notices, applied_batches, dead_letters RESTART IDENTITY`,
  ),
);

const store = (...batches: Partial<EventBatch>[]) =>
  flushesOf(database.dataSource).flush(batches.map((batch) => eventBatch(batch)));

const screen = (extra: object = {}) => ({ type: 'screen', name: 'Cart', ...extra });

describe('models and versions', () => {
  it('have the fields of the specification and nothing else', async () => {
    await store({ writeKey: 'wk', receivedAt: '2026-02-03T04:05:06.789Z', events: [screen({ size: 2 })] });
    const [model] = await modelsOver(rpc, 'wk');
    const [version] = await versionsOver(rpc, model?.EventID ?? '');

    const schema = { type: 'string', name: 'string', size: 'float64' };
    const at = '2026-02-03T04:05:06.789000Z';
    expect(model).toEqual({
      ID: 1,
      EventID: expect.any(String),
      WriteKey: 'wk',
      EventType: 'screen',
      EventIdentifier: 'Cart',
      CreatedAt: at,
      Schema: schema,
      LastSeen: at,
      TotalCount: 1,
    });
    expect(version).toEqual({
      ID: 1,
      VersionID: expect.any(String),
      EventModelID: model?.EventID,
      Schema: schema,
      FirstSeen: at,
      LastSeen: at,
      TotalCount: 1,
    });
  });

  it('are filtered by exact write key; an empty one is no filter, whatever it says it is text', async () => {
    await store({ writeKey: 'wk1', events: [screen()] }, { writeKey: 'wk2', events: [screen()] });

    expect(await modelsOver(rpc, 'wk1')).toHaveLength(1);
    expect(await modelsOver(rpc, '')).toHaveLength(2);
    for (const hostile of ['wk', "' OR '1'='1", 'wk1%', '$1']) expect(await modelsOver(rpc, hostile)).toEqual([]);
  });

  it('come page by page, in order of ID, each page within one message', async () => {
    const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`${'wide '.repeat(10)}${at}`, at]));
    await store({ writeKey: 'wk', events: Array.from({ length: 60 }, (_, at) => screen({ ...wide, name: `s${at}` })) });
    const seen: number[] = [];
    let pages = 0;
    for (let after: number | undefined = 0; after !== undefined; pages += 1) {
      const page: { models: { ID: number }[]; next?: number | undefined } = await rpc.send(ListModels, { after });
      seen.push(...page.models.map(({ ID }) => ID));
      after = page.next;
    }

    expect(pages).toBeGreaterThan(3);
    expect(seen).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
  });

  it('of an unknown model are no versions', async () => {
    for (const eventId of [UNKNOWN, 'no uuid', '']) {
      expect(await rpc.send(ListVersions, { eventId })).toEqual({ versions: [] });
    }
  });
});

describe('metadata, key counts and missing keys', () => {
  it('tell what was seen how often', async () => {
    const events = [...Array(150).fill(screen({ plan: 'free' })), screen({ plan: 'pro', seats: 3 })];
    await store({ writeKey: 'wk', events: events.slice(0, 70) }, { writeKey: 'wk', events: events.slice(70) });
    const [model] = await modelsOver(rpc, 'wk');
    const eventId = model?.EventID ?? '';
    const [first, second] = await versionsOver(rpc, eventId);

    const metadata = await rpc.send(GetModelMetadata, { eventId });
    expect(metadata.TotalCount).toBe(151);
    expect(metadata.SampledEvents).toHaveLength(5);
    expect(metadata.FrequentValues).toMatchObject({
      plan: [{ Value: 'free', Frequency: 150 }],
      seats: [{ Value: '3', Frequency: 1 }],
    });
    const ofVersion = await rpc.send(GetVersionMetadata, { versionId: second?.VersionID ?? '' });
    expect(ofVersion).toEqual({
      TotalCount: 1,
      SampledEvents: [screen({ plan: 'pro', seats: 3 })],
      FrequentValues: {
        name: [{ Value: 'Cart', Frequency: 1 }],
        plan: [{ Value: 'pro', Frequency: 1 }],
        seats: [{ Value: '3', Frequency: 1 }],
        type: [{ Value: 'screen', Frequency: 1 }],
      },
    });
    expect(await rpc.send(GetKeyCounts, { eventId })).toEqual({
      counts: { name: 151, plan: 151, seats: 1, type: 151 },
    });
    expect(await rpc.send(GetMissingKeys, { versionId: first?.VersionID ?? '' })).toEqual({ keys: ['seats'] });
    expect(await rpc.send(GetMissingKeys, { versionId: second?.VersionID ?? '' })).toEqual({ keys: [] });
  });

  it('are not found for an unknown or malformed id', async () => {
    for (const id of [UNKNOWN, 'no uuid', "'; DROP TABLE models; --"]) {
      const refused = [
        rpc.send(GetModelMetadata, { eventId: id }),
        rpc.send(GetVersionMetadata, { versionId: id }),
        rpc.send(GetKeyCounts, { eventId: id }),
        rpc.send(GetMissingKeys, { versionId: id }),
      ];
      for (const answer of refused) await expect(answer).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('survive keys and texts that databases and prototypes dislike', async () => {
    const odd = JSON.parse(
      '{"type":"page","name":"a\\u0000b","__proto__":{"x":1},"constructor":{"y":"\\ud800"},"":""}',
    );
    await store({ writeKey: 'wk', events: [odd] });
    const [model] = await modelsOver(rpc, 'wk');
    const eventId = model?.EventID ?? '';

    expect(model).toMatchObject({ EventIdentifier: 'a\uFFFDb' });
    expect(await rpc.send(GetKeyCounts, { eventId })).toEqual({
      counts: { '': 1, '__proto__.x': 1, 'constructor.y': 1, name: 1, type: 1 },
    });
    const metadata = await rpc.send(GetModelMetadata, { eventId });
    expect(JSON.stringify(metadata.SampledEvents)).toBe(JSON.stringify([odd]));
    expect(metadata.FrequentValues['constructor.y']).toEqual([{ Value: '\uFFFD', Frequency: 1 }]);
  });
});

describe('a purge', () => {
  it('removes what holds the user, in that workspace only, and leaves every total', async () => {
    const [mine, other] = ['0ujtsYcgvSTl8PAuAdqWYSMnLOv', '0ujtsYcgvSTl8PAuAdqWYSMnLOw'];
    const events = [
      screen({ userId: 'u1', plan: 'free' }),
      screen({ userId: 'u2', referrer: 'ada@example.com' }),
      screen({ userId: 'u3', plan: 'free' }),
      { type: 'alias', userId: 'u9', previousId: 'u1' },
    ];
    await store({ workspaceId: mine, writeKey: 'wk1', events }, { workspaceId: other, writeKey: 'wk2', events });
    const user = { userId: 'u1', email: 'ada@example.com', locale: 'en' };
    const before = await modelsOver(rpc, '');
    const [foreign] = await modelsOver(rpc, 'wk2');
    const untouched = await rpc.send(GetModelMetadata, { eventId: foreign?.EventID ?? '' });

    await rpc.send(PurgeSchemaUsers, { workspaceId: mine, users: [user] });
    await rpc.send(PurgeSchemaUsers, { workspaceId: mine, users: [user] });

    const [screens, aliases] = await modelsOver(rpc, 'wk1');
    const left = await rpc.send(GetModelMetadata, { eventId: screens?.EventID ?? '' });
    expect(left.TotalCount).toBe(3);
    expect(left.SampledEvents).toEqual([events[2]]);
    expect(left.FrequentValues['userId']?.map(({ Value }) => Value)).toEqual(['u2', 'u3']);
    expect(left.FrequentValues).not.toHaveProperty('referrer');
    const alias = await rpc.send(GetModelMetadata, { eventId: aliases?.EventID ?? '' });
    expect(alias).toMatchObject({ SampledEvents: [], TotalCount: 1 });
    for (const { VersionID } of await versionsOver(rpc, screens?.EventID ?? '')) {
      const version = await rpc.send(GetVersionMetadata, { versionId: VersionID });
      expect(JSON.stringify(version)).not.toMatch(/"u1"|ada@example/);
    }
    expect(await modelsOver(rpc, '')).toEqual(before);
    expect(await rpc.send(GetModelMetadata, { eventId: foreign?.EventID ?? '' })).toEqual(untouched);
  });

  it('finds users in what is not folded yet, in what was folded, and only in a version', async () => {
    const mine = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
    const flushes = flushesOf(database.dataSource);
    const flush = (events: object[]) =>
      flushes.flush([eventBatch({ workspaceId: mine, writeKey: 'wk', events: events.map((event) => screen(event)) })]);
    await flush([{ rare: true, note: 'customer-7' }]);
    for (let round = 0; round < 70; round += 1) await flush([{ userId: `u${round}` }, { userId: 'customer-8' }]);
    await flush([{ userId: 'customer-9' }]);
    const stored = async () =>
      JSON.stringify(
        await database.dataSource.run(
          `SELECT frequent_values, samples FROM statistics UNION ALL SELECT frequent_values, samples FROM statistics_parts`,
        ),
      );
    expect(await stored()).toMatch(/customer-7.*customer-9/s);

    await rpc.send(PurgeSchemaUsers, {
      workspaceId: mine,
      users: [7, 8, 9].map((n) => ({ userId: `customer-${n}` })),
    });
    expect(await stored()).not.toMatch(/customer-\d/);
    const [model] = await modelsOver(rpc, 'wk');
    expect(model?.TotalCount).toBe(142);
    expect((await rpc.send(GetModelMetadata, { eventId: model?.EventID ?? '' })).FrequentValues['name']).toEqual([
      { Value: 'Cart', Frequency: 142 },
    ]);
  });

  it('empties dead letters of the workspace that hold a user, and leaves others', async () => {
    const mine = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
    const letters: [workspace: string, body: object][] = [
      [mine, { events: [{ userId: 'u1' }] }],
      [mine, { broken: { email: 'ada@example.com' } }],
      [mine, { events: [{ userId: 'u2' }, null] }],
      ['elsewhere', { events: [{ userId: 'u1' }] }],
    ];
    for (const [sequence, [workspace, body]] of letters.entries()) {
      await database.dataSource.run(
        `INSERT INTO dead_letters (subject, sequence, reason, body) VALUES ($1, $2, 'broken', $3)`,
        [`events.accepted.3.${workspace}.source`, sequence, JSON.stringify(body)],
      );
    }
    await rpc.send(PurgeSchemaUsers, { workspaceId: mine, users: [{ userId: 'u1', email: 'ada@example.com' }] });
    const left = await database.dataSource.query(`SELECT body FROM dead_letters ORDER BY sequence`);
    expect(left.map(({ body }: { body: string | null }) => body && JSON.parse(body))).toEqual([
      null,
      null,
      letters[2]?.[1],
      letters[3]?.[1],
    ]);
  });
});
