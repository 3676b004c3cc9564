import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { eventBatch, heardLog, until, useDatabase } from '@weir/testing';
import { SCARCE_SCHEMA_BYTES_MAX } from '../src/aggregation/limits.js';
import { SCHEMA } from '../src/schema.js';
import { StoredBytesRepository } from '../src/statistics/stored-bytes.repository.js';
import { collectorOf, described, flushesOf, privacyOf, readsOf } from './running-schemas.js';

const database = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const storedBytes = new StoredBytesRepository();

const [FULL, OTHER] = ['f'.repeat(27), 'o'.repeat(27)];
/** Less than a few models with statistics take. */
const BUDGET = 150_000;

beforeEach(async () => {
  await database.dataSource.query(`
    TRUNCATE models, versions, statistics, statistics_parts, key_fact_parts, drift_notices, applied_batches, source_privacy, model_days;
    DROP TRIGGER IF EXISTS refuse ON statistics_parts`);
});

const at = (second: number) => new Date(1_700_000_000_000 + second * 1_000).toISOString();
const batch = (second: number, event: JsonObject, workspaceId = FULL) =>
  eventBatch({ workspaceId, writeKey: `key of ${workspaceId}`, receivedAt: at(second), events: [event] });
/** About 9 KB of samples and values. */
const large = (name: string, more: JsonObject = {}): JsonObject => ({
  ...{ type: 'track', event: name },
  ...Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`key${n}`, `${name} ${n} `.padEnd(100, 'value ')])),
  ...more,
});

const rowsOf = async <Row>(sql: string): Promise<Row[]> => (await database.dataSource.run<Row>(sql)).rows;
const bytesByName = async (): Promise<Record<string, number>> => {
  const rows = await rowsOf<{ name: string; bytes: number }>(
    `SELECT event_identifier AS name, stored_bytes::float8 AS bytes FROM models`,
  );
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]));
};
const forgetSizes = () => database.dataSource.query(`UPDATE models SET stored_bytes = NULL`);
const countAnew = async () => {
  await forgetSizes();
  await storedBytes.recount(database.dataSource);
};
const namesIn = async (table: string): Promise<string[]> => {
  const rows = await rowsOf<{ name: string }>(
    `SELECT DISTINCT event_identifier AS name FROM ${table} JOIN models USING (event_id) ORDER BY name`,
  );
  return rows.map(({ name }) => name);
};

/** A collector for which workspaces may store `BUDGET`, and whose flushes wait for the answer. */
function smallCollector() {
  const collector = collectorOf(database.dataSource, { limits: { workspaceBytesMax: BUDGET } });
  const flush = async (...batches: ReturnType<typeof batch>[]) => {
    collector.budget.overOf(batches.map(({ workspaceId }) => workspaceId));
    await collector.budget.asked;
    return collector.flushes.flush(batches);
  };
  return { ...collector, flush };
}

/** Fills the workspace with models `m0`, `m1` and so on, the latest last. Each has three versions. */
async function fill(models: number, workspaceId = FULL): Promise<void> {
  const flushes = flushesOf(database.dataSource);
  for (let n = 0; n < models; n += 1) {
    const versions = [large(`m${n}`), large(`m${n}`, { extra: 1 }), large(`m${n}`, { other: 2 })];
    await flushes.flush(versions.map((event, place) => batch(10 * n + place, event, workspaceId)));
  }
}

describe('what a model stores', () => {
  it('is counted with each flush, each fold and each removal', async () => {
    const flushes = flushesOf(database.dataSource);
    for (let n = 0; n < 75; n += 1)
      await flushes.flush([batch(n, large('busy', n % 3 === 0 ? { [`own${n}`]: n } : {}))]);
    const { busy = 0 } = await bytesByName();
    await countAnew();
    // Sizes of increments differ by the header of a text.
    expect(Math.abs(((await bytesByName())['busy'] ?? 0) - busy)).toBeLessThan(64 * 8);
    expect(busy).toBeGreaterThan(20_000);

    await privacyOf(database.dataSource).service.put(`key of ${FULL}`, { Samples: 'off', MaskedKeys: [] });
    const { busy: emptied = 0 } = await bytesByName();
    expect(emptied).toBeLessThan(busy / 2);
    await countAnew();
    expect(await bytesByName()).toEqual({ busy: emptied });
  });

  it('is counted later if a collector of another release wrote it, also without events', async () => {
    const many = Array.from({ length: 250 }, (_, n) => batch(n, { type: 'track', event: `m${n}` }));
    await flushesOf(database.dataSource).flush(many);
    const counted = await bytesByName();
    await forgetSizes();
    await flushesOf(database.dataSource).flush([batch(300, { type: 'track', event: 'm7' })]);
    expect((await bytesByName())['m7']).toBeNull();
    await storedBytes.recount(database.dataSource);
    const { m7 = 0, ...others } = await bytesByName();
    const { m7: before = 0, ...expected } = counted;
    expect(m7).toBeGreaterThan(before);
    for (const [name, bytes] of Object.entries(others))
      expect(Math.abs(bytes - (expected[name] ?? 0))).toBeLessThan(16);

    await database.dataSource.query(
      `UPDATE models SET stored_bytes = 1, last_seen = now() WHERE event_identifier = 'm9'`,
    );
    await storedBytes.recount(database.dataSource);
    expect((await bytesByName())['m9']).toBe(others['m9']);
  });
});

describe('a workspace over its budget', () => {
  it('goes on being counted exactly, and stores nothing new', async () => {
    const lines = heardLog();
    const collector = smallCollector();
    await fill(8);
    const before = await described(database.dataSource);
    const size = async () => (await storedBytes.ofWorkspaces(database.dataSource, [FULL]))[0]?.bytes ?? 0;
    const [fullBytes, notices] = [await size(), (await rowsOf(`SELECT FROM drift_notices`)).length];
    const events = [large('m3'), large('m3', { added: true }), { type: 'track', event: 'new', plan: 'gold' }];
    for (const [n, event] of events.entries()) {
      await collector.flush(batch(1_000 + n, event), batch(1_000 + n, event, OTHER));
    }

    const after = await described(database.dataSource);
    const m3 = before[`key of ${FULL}/track/m3`];
    expect(after[`key of ${FULL}/track/m3`]).toMatchObject({
      total: 5,
      keyCounts: { key0: 5, extra: 1, added: 1 },
      types: { added: ['bool'] },
      values: m3?.values,
      versions: { ...m3?.versions, [Object.keys(m3?.versions ?? {})[0] ?? '']: 2 },
    });
    expect(Object.keys(after[`key of ${FULL}/track/m3`]?.versions ?? {})).toHaveLength(3);
    expect(after[`key of ${FULL}/track/new`]).toEqual({
      ...{ total: 1, values: {}, versions: {} },
      keyCounts: { type: 1, event: 1, plan: 1 },
      types: { type: ['string'], event: ['string'], plan: ['string'] },
    });
    expect((await size()) - fullBytes).toBeLessThan(5_000); // the facts of two models
    expect(await rowsOf(`SELECT FROM drift_notices WHERE workspace_id = '${FULL}'`)).toHaveLength(notices);
    const other = after[`key of ${OTHER}/track/m3`];
    expect([Object.keys(other?.versions ?? {}).length, other?.values['key0']]).toEqual([2, expect.anything()]);
    const [{ days }] = await database.dataSource.query(`SELECT sum(events)::int AS days FROM model_days`);
    expect(days).toBe(8 * 3 + 6);
    expect(lines.filter((line) => line.includes(`${FULL} stores`))).toHaveLength(1);
    expect(await collector.metrics.text()).toMatch(/^schema_workspaces_over_budget\S* 1$/m);
  });

  it('takes no further keys of a model that has many', async () => {
    const collector = smallCollector();
    const dynamic = (n: number) =>
      Object.fromEntries(Array.from({ length: 200 }, (_, key) => [`dynamic key ${n} ${key} `.padEnd(60, 'x'), key]));
    await fill(8);
    for (let n = 0; n < 5; n += 1) await collector.flush(batch(500 + n, large('many', dynamic(n))));
    const [model] = await rowsOf<{ bytes: number; total: number }>(
      `SELECT octet_length(schema::text) AS bytes, total_count::int AS total FROM models WHERE event_identifier = 'many'`,
    );
    expect(model?.total).toBe(5);
    expect(model?.bytes).toBeGreaterThan(SCARCE_SCHEMA_BYTES_MAX - 100);
    expect(model?.bytes).toBeLessThanOrEqual(SCARCE_SCHEMA_BYTES_MAX);
    const keyCounts = (await described(database.dataSource))[`key of ${FULL}/track/many`]?.keyCounts;
    expect(keyCounts).toMatchObject({ type: 5, key39: 5 });
  });

  it('loses statistics and versions of the models that were unseen for longest, down to 90 %', async () => {
    const lines = heardLog();
    const collector = smallCollector();
    await fill(8);
    await collector.flush(batch(1_000, large('m0')));
    const before = await described(database.dataSource);
    await collector.relief.relieve();

    const [left] = await storedBytes.ofWorkspaces(database.dataSource, [FULL]);
    expect(left?.bytes).toBeLessThanOrEqual(0.9 * BUDGET);
    const kept = await namesIn('statistics_parts');
    expect(kept).toContain('m0');
    expect(kept).toContain('m7');
    expect(kept).not.toContain('m1');
    const after = await described(database.dataSource);
    for (const [name, { total, keyCounts, types, versions }] of Object.entries(before)) {
      expect(after[name]).toMatchObject({ total, keyCounts, types });
      const isKept = kept.includes(name.split('/')[2] ?? '');
      const expected = isKept ? versions : Object.fromEntries(Object.entries(versions).slice(-1));
      expect(after[name]?.versions).toEqual(expected);
    }
    expect(collector.budget.over).toEqual([]);
    expect(lines.filter((line) => line.includes('within its budget again'))).toHaveLength(1);
    expect(await storedBytes.above(database.dataSource, BUDGET)).toEqual([]);
  });

  it('begins the statistics of such a model anew, also in a collector that knew them', async () => {
    const knowing = flushesOf(database.dataSource);
    for (let n = 0; n < 70; n += 1) await knowing.flush([batch(n, large('m0', { id: `id ${n}` }))]);
    const collector = smallCollector();
    await fill(8);
    await database.dataSource.query(`UPDATE models SET last_seen = '2020-01-01' WHERE event_identifier = 'm0'`);
    await collector.relief.relieve();
    expect(await namesIn('statistics_parts')).not.toContain('m0');

    const again = () => knowing.flush([batch(2_000, large('m0', { id: 'again' }))]);
    const [version] = await rowsOf<{ id: string }>(
      `SELECT version_id AS id FROM versions JOIN models USING (event_id) WHERE event_identifier = 'm0'`,
    );
    const isKept = (await described(database.dataSource))[`key of ${FULL}/track/m0`];
    expect(Object.keys(isKept?.versions ?? {})).toHaveLength(1);
    await expect(again()).rejects.toThrow('removed meanwhile');
    await again();
    const { SampledEvents, FrequentValues } = await readsOf(database.dataSource).versionMetadata(version?.id ?? '');
    expect([SampledEvents.length, FrequentValues['key0']?.length]).toEqual([1, 1]);
  });

  it('is freed although another one and a model of its own fail each time', async () => {
    const collector = smallCollector();
    await fill(8);
    await fill(9, OTHER);
    await database.dataSource.query(`
      CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
      BEGIN
        IF EXISTS (SELECT FROM models WHERE event_id = OLD.event_id AND (workspace_id = '${OTHER}' OR event_identifier = 'm0'))
        THEN RAISE EXCEPTION 'refused'; END IF;
        RETURN OLD;
      END $$;
      CREATE TRIGGER refuse BEFORE DELETE ON statistics_parts FOR EACH ROW EXECUTE FUNCTION refuse()`);
    await expect(collector.relief.relieve()).rejects.toThrow('refused');
    expect(collector.budget.over).toEqual([OTHER]);
    const left = await rowsOf<{ name: string }>(
      `SELECT DISTINCT event_identifier AS name FROM statistics_parts JOIN models USING (event_id)
       WHERE workspace_id = '${FULL}' ORDER BY name`,
    );
    expect(left.map(({ name }) => name)).toEqual(expect.arrayContaining(['m0', 'm7']));
    expect(left.map(({ name }) => name)).not.toContain('m1');
  });
});

it('is asked about once a minute, and more often the fuller it is', async () => {
  await fill(1);
  const setBytes = (bytes: number) => database.dataSource.query(`UPDATE models SET stored_bytes = $1`, [bytes]);
  const { budget } = collectorOf(database.dataSource, { limits: { workspaceBytesMax: BUDGET } });
  const clock = jest.spyOn(performance, 'now');
  const overAfter = async (seconds: number) => {
    const now = performance.now();
    clock.mockReturnValue(now + 1_000 * seconds);
    budget.overOf([FULL]);
    await budget.asked;
    return budget.over.length;
  };
  try {
    await setBytes(BUDGET / 2);
    expect(await overAfter(0)).toBe(0);
    await setBytes(2 * BUDGET);
    expect(await overAfter(29)).toBe(0);
    expect(await overAfter(2)).toBe(1);
    await setBytes(BUDGET);
    expect(await overAfter(59)).toBe(1);
    expect(await overAfter(2)).toBe(0);
    await setBytes(2 * BUDGET);
    expect(await overAfter(0.5)).toBe(0);
    expect(await overAfter(0.6)).toBe(1);
  } finally {
    clock.mockRestore();
  }
});

it('is freed soon after it went over its budget', async () => {
  const collector = smallCollector();
  collector.relief.onApplicationBootstrap();
  await fill(8);
  await collector.flush(batch(1_000, large('m7')));
  await until('the oldest to be freed', async () => !(await namesIn('statistics_parts')).includes('m0'));
  await collector.relief.onModuleDestroy();
});
