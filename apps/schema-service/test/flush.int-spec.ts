import { beforeEach, describe, expect, it } from '@jest/globals';
import { type EventBatch, type JsonObject } from '@weir/contracts';
import { eventBatch, trackEvent, useDatabase } from '@weir/testing';
import { MODELS_PER_WRITE_KEY_MAX, NEW_VERSIONS_CHARS_MAX, VERSIONS_PER_MODEL_MAX } from '../src/aggregation/limits.js';
import { SCHEMA } from '../src/schema.js';
import { StatisticsRepository } from '../src/statistics/statistics.repository.js';
import { type Expected, expectedOf } from './naive-oracle.js';
import { described, flushesOf, readsOf } from './running-schemas.js';

const database = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);

beforeEach(() =>
  database.dataSource.query(
    `TRUNCATE models, versions, statistics, statistics_parts, key_fact_parts, drift_notices, applied_batches, dead_letters RESTART IDENTITY`,
  ),
);

const shapes: JsonObject[] = [
  { total: 5, currency: 'EUR' },
  { total: '5', currency: 'EUR' },
  { currency: 'USD', items: [{ sku: 'a' }, { sku: 'b', gift: true }] },
  { coupon: null, nested: { deep: { deeper: 1.5 } } },
];

/** `count` batches of four events each, for three models per source and `sources` sources. */
const batches = (count: number, sources = 2): EventBatch[] =>
  Array.from({ length: count }, (_, at) =>
    eventBatch({
      writeKey: `wk${at % sources}`,
      events: shapes.map((properties, place) =>
        trackEvent({ event: `Event ${(at + place) % 3}`, userId: `u${at % 7}`, messageId: `m${at % 20}`, properties }),
      ),
    }),
  );

const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ item }) => item);

describe('the flush', () => {
  it('stores what a plain count of all events finds', async () => {
    const all = batches(40);
    const flushes = flushesOf(database.dataSource);
    for (let at = 0; at < all.length; at += 7) await flushes.flush(all.slice(at, at + 7));

    expect(await described(database.dataSource)).toEqual(expectedOf(all));
  });

  it('counts a batch once, however often and in whatever company it comes', async () => {
    const all = batches(30);
    const flushes = flushesOf(database.dataSource);
    await flushes.flush([...all.slice(0, 10), ...all.slice(0, 3)]);
    await flushes.flush(all.slice(5, 20));
    const last = await flushes.flush(shuffled(all));

    expect(last).toMatchObject({ events: 40, duplicates: 20 });
    expect(await described(database.dataSource)).toEqual(expectedOf(all));
  });

  it('leaves nothing when it fails, so the same batches count in full later', async () => {
    class Failing extends StatisticsRepository {
      override async forgetVersions(...[sql, versions]: Parameters<StatisticsRepository['forgetVersions']>) {
        await super.forgetVersions(sql, versions);
        throw new Error('the process died before the commit');
      }
    }
    const all = batches(10);
    const failing = flushesOf(database.dataSource, { statistics: new Failing() });
    await expect(failing.flush(all)).rejects.toThrow('before the commit');
    expect(await described(database.dataSource)).toEqual({});

    await flushesOf(database.dataSource).flush(all);
    expect(await described(database.dataSource)).toEqual(expectedOf(all));
  });

  it('neither deadlocks nor loses counts when four flush the same models and batches at once', async () => {
    const all = batches(120);
    const flushers = Array.from({ length: 4 }, async () => {
      const flushes = flushesOf(database.dataSource);
      const mine = shuffled(all);
      for (let at = 0; at < mine.length; at += 10) await flushes.flush(mine.slice(at, at + 10));
    });
    await Promise.all(flushers);

    expect(await described(database.dataSource)).toEqual(expectedOf(all));
  });

  it('keeps ids, creation time and the order of types', async () => {
    const flushes = flushesOf(database.dataSource);
    const at = (receivedAt: string, value: unknown) =>
      eventBatch({ writeKey: 'wk', receivedAt, events: [{ type: 'page', name: 'Home', value }] });
    await flushes.flush([at('2026-05-01T10:00:00.123Z', 'text')]);
    const [before] = (await readsOf(database.dataSource).listModels({ writeKey: 'wk' })).rows;
    await flushes.flush([at('2026-05-01T11:00:00.000Z', 5), at('2026-05-01T09:00:00.000Z', true)]);
    const [after] = (await readsOf(database.dataSource).listModels({ writeKey: 'wk' })).rows;

    expect(before?.Schema).toEqual({ type: 'string', name: 'string', value: 'string' });
    expect(after).toEqual({
      ...before,
      CreatedAt: '2026-05-01T10:00:00.123000Z',
      LastSeen: '2026-05-01T11:00:00.000000Z',
      TotalCount: 3,
      Schema: { ...before?.Schema, value: 'string,float64,bool' },
    });
  });

  it('numbers models and versions without gaps while they are flushed again and again', async () => {
    const flushes = flushesOf(database.dataSource);
    for (let round = 0; round < 5; round += 1) await flushes.flush(batches(6, 1));
    await flushes.flush([eventBatch({ writeKey: 'late', events: [trackEvent()] })]);

    const { rows } = await readsOf(database.dataSource).listModels();
    expect(rows.map(({ ID }) => ID)).toEqual([1, 2, 3, 4]);
  });
});

describe('statistics', () => {
  const at = (second: number) => new Date(1_700_000_000_000 + second * 1_000).toISOString();
  const seen = (second: number, events: JsonObject[]) =>
    eventBatch({
      writeKey: 'wk',
      receivedAt: at(second),
      events: events.map((event) => ({ type: 'group', ...event })),
    });
  const rows = async (table: string) => {
    const [{ count }] = await database.dataSource.query(`SELECT count(*)::int AS count FROM ${table}`);
    return count;
  };

  it('are the same before and after their parts are folded', async () => {
    const all = batches(75, 1);
    const flushes = flushesOf(database.dataSource);
    let partsMax = 0;
    for (const [place, batch] of all.entries()) {
      await flushes.flush([batch]);
      if (place % 25 === 24) expect(await described(database.dataSource)).toEqual(expectedOf(all.slice(0, place + 1)));
      partsMax = Math.max(partsMax, await rows('statistics_parts'));
    }
    expect(await rows('statistics')).toBeGreaterThan(0); // some parts were folded
    expect(partsMax).toBeLessThan(3 * 64 + 4); // the parts of three models never exceed the limit
  });

  it('drop the values of identifiers for good, and go on with all others', async () => {
    const flushes = flushesOf(database.dataSource);
    for (let round = 0; round < 80; round += 1) {
      const events = Array.from({ length: 40 }, (_, n) => ({
        id: `${round}-${n}`,
        plan: n % 4 === 0 ? 'pro' : 'free',
      }));
      await flushes.flush([seen(round, events)]);
    }
    const reads = readsOf(database.dataSource);
    const [model] = (await reads.listModels({ writeKey: 'wk' })).rows;
    const { TotalCount, SampledEvents, FrequentValues } = await reads.modelMetadata(model?.EventID ?? '');
    expect(TotalCount).toBe(3_200);
    expect(SampledEvents).toHaveLength(5);
    expect(FrequentValues).toEqual({
      plan: [
        { Value: 'free', Frequency: 2_400 },
        { Value: 'pro', Frequency: 800 },
      ],
      type: [{ Value: 'group', Frequency: 3_200 }],
    });
    const stored = await database.dataSource.query(`SELECT frequent_values AS text FROM statistics_parts LIMIT 1`);
    expect(stored[0].text).not.toContain('"id"'); // dropped values are no longer even written
  });

  it('start anew for a version that was removed and came back, also in a process that knew it before', async () => {
    const [mine, other] = [flushesOf(database.dataSource), flushesOf(database.dataSource)];
    for (let round = 0; round < 70; round += 1) await mine.flush([seen(round, [{ id: `a${round}` }])]);
    for (let n = 0; n < VERSIONS_PER_MODEL_MAX; n += 1) await other.flush([seen(100 + n, [{ [`key${n}`]: n }])]);
    await expect(mine.flush([seen(300, [{ id: 'back' }])])).rejects.toThrow('removed meanwhile');
    await mine.flush([seen(300, [{ id: 'back' }])]);

    const reads = readsOf(database.dataSource);
    const [model] = (await reads.listModels({ writeKey: 'wk' })).rows;
    const { rows: versions } = await reads.listVersions(model?.EventID ?? '');
    const back = versions.find(({ Schema }) => 'id' in Schema);
    const metadata = await reads.versionMetadata(back?.VersionID ?? '');
    expect(metadata).toMatchObject({ TotalCount: 1, SampledEvents: [{ type: 'group', id: 'back' }] });
    expect(metadata.FrequentValues['id']).toEqual([{ Value: 'back', Frequency: 1 }]);
    expect(await reads.keyCounts(model?.EventID ?? '')).toMatchObject({ id: 71, key0: 1, type: 171 });
  });
});

describe('limits', () => {
  it(`keeps ${VERSIONS_PER_MODEL_MAX} versions and the key counts of those that went`, async () => {
    const flushes = flushesOf(database.dataSource);
    const extra = 30;
    for (let at = 0; at < VERSIONS_PER_MODEL_MAX + extra; at += 1) {
      const receivedAt = new Date(1_700_000_000_000 + at * 1_000).toISOString();
      await flushes.flush([eventBatch({ writeKey: 'wk', receivedAt, events: [{ type: 'alias', [`key${at}`]: at }] })]);
    }
    const reads = readsOf(database.dataSource);
    const [model] = (await reads.listModels({ writeKey: 'wk' })).rows;
    const id = model?.EventID ?? '';
    const { rows: versions } = await reads.listVersions(id);
    const counts = await reads.keyCounts(id);

    expect(versions).toHaveLength(VERSIONS_PER_MODEL_MAX);
    expect(versions.some(({ Schema }) => `key${extra - 1}` in Schema)).toBe(false);
    expect(model?.TotalCount).toBe(VERSIONS_PER_MODEL_MAX + extra);
    expect(counts).toMatchObject({ type: VERSIONS_PER_MODEL_MAX + extra, key0: 1, [`key${extra}`]: 1 });
    const [{ orphans }] = await database.dataSource.query(
      `SELECT count(*)::int AS orphans FROM statistics
       WHERE owner_id <> event_id AND owner_id NOT IN (SELECT version_id FROM versions)`,
    );
    expect(orphans).toBe(0);
  });

  it('never writes new versions of a flush that would be removed at once, and counts them all the same', async () => {
    const extra = 30;
    const all = Array.from({ length: VERSIONS_PER_MODEL_MAX + extra }, (_, at) =>
      eventBatch({
        writeKey: 'wk',
        receivedAt: new Date(1_700_000_000_000 + at * 1_000).toISOString(),
        events: [{ type: 'alias', userId: `u${at % 2}`, [`key${at}`]: at }],
      }),
    );
    await flushesOf(database.dataSource).flush(shuffled(all));

    const { versions: expected = {}, ...exact } = expectedOf(all)['wk/alias/'] ?? {};
    const { versions: kept = {}, ...found } = (await described(database.dataSource))['wk/alias/'] ?? {};
    expect(found).toEqual(exact);
    expect(Object.keys(kept).sort()).toEqual(Object.keys(expected).slice(extra).sort());
    const [{ last }] = await database.dataSource.query(`SELECT max(id)::int AS last FROM versions`);
    expect(last).toBe(VERSIONS_PER_MODEL_MAX);
  });

  it('writes new schemas of a workspace in one flush up to a limit, and counts the other versions with their models', async () => {
    const keys = Object.fromEntries(
      Array.from({ length: 900 }, (_, at) => [`${'long'.repeat(15)}${at}`, at % 2 === 0]),
    );
    const wide = (at: number) => ({ type: 'alias', ...keys, [`own${at}`]: 1 });
    const workspaceId = 'w'.repeat(27);
    const of = (writeKey: string, events: JsonObject[]) => eventBatch({ workspaceId, writeKey, events });
    const all = [
      of(
        'wk',
        Array.from({ length: 40 }, (_, at) => wide(at)),
      ),
      of('new', [wide(0)]),
    ];
    const flushes = flushesOf(database.dataSource);
    await flushes.flush([...all, eventBatch({ writeKey: 'other', events: [wide(0)] })]);

    const chars = await database.dataSource.query(
      `SELECT write_key, count(*)::int AS versions, sum(length(key) + length(value))::int AS chars
       FROM versions JOIN models USING (event_id), jsonb_each_text(versions.schema)
       GROUP BY write_key, version_id`,
    );
    const written = (writeKey: string) => chars.filter((row: { write_key: string }) => row.write_key === writeKey);
    expect([written('new').length, written('other').length]).toEqual([1, 1]);
    expect(written('wk').length).toBeGreaterThan(10);
    const sum = written('wk').reduce((total: number, row: { chars: number }) => total + row.chars, 0);
    expect(sum).toBeLessThanOrEqual(NEW_VERSIONS_CHARS_MAX);
    const { versions: _, values: __, ...exact } = expectedOf(all)['wk/alias/'] as Expected;
    expect((await described(database.dataSource))['wk/alias/']).toMatchObject({
      ...exact,
      values: { type: { alias: 40 } },
    });

    await flushes.flush([of('wk', [wide(0)])]);
    const again = (await described(database.dataSource))['wk/alias/'];
    expect(again?.keyCounts).toMatchObject({ type: 41, own0: 2, own1: 1 });
    const back = await database.dataSource.query(
      `SELECT versions.total_count::int AS total FROM versions JOIN models USING (event_id)
       WHERE write_key = 'wk' AND versions.schema ? 'own0'`,
    );
    expect(back).toEqual([{ total: 1 }]);
  });

  it('refuses models beyond the limit of their write key only', async () => {
    const flushes = flushesOf(database.dataSource);
    const named = (name: string, writeKey: string) =>
      eventBatch({ writeKey, events: [{ type: 'track', event: name }] });
    const many = Array.from({ length: MODELS_PER_WRITE_KEY_MAX + 5 }, (_, at) => named(`event ${at}`, 'wk'));
    const { skipped } = await flushes.flush([...many, named('other', 'wk2')]);

    expect(skipped.get('models')).toBe(5);
    const [{ models }] = await database.dataSource.query(`SELECT count(*)::int AS models FROM models`);
    expect(models).toBe(MODELS_PER_WRITE_KEY_MAX + 1);
  });

  it('are what the operator set', async () => {
    const flushes = flushesOf(database.dataSource, { limits: { modelsPerWriteKey: 2, versionsPerModel: 3 } });
    const named = (event: string) => eventBatch({ writeKey: 'wk', events: [{ type: 'track', event }] });
    const { skipped } = await flushes.flush(['a', 'b', 'c'].map(named));
    expect(skipped.get('models')).toBe(1);
    for (let n = 0; n < 5; n += 1) {
      await flushes.flush([eventBatch({ writeKey: 'wk2', events: [{ type: 'alias', [`key${n}`]: n }] })]);
    }
    const reads = readsOf(database.dataSource);
    const [model] = (await reads.listModels({ writeKey: 'wk2' })).rows;
    expect(model?.TotalCount).toBe(5);
    expect((await reads.listVersions(model?.EventID ?? '')).rows).toHaveLength(3);
  });
});
