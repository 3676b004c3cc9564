import { beforeEach, describe, expect, it } from '@jest/globals';
import { failedOf, throwFirst } from '@weir/messaging';
import { eventBatch, useDatabase } from '@weir/testing';
import { DriftRepository, DriftService } from '../src/collector/drift.js';
import { SCHEMA } from '../src/schema.js';
import { StoredBytesRepository } from '../src/statistics/stored-bytes.repository.js';
import { flushesOf, privacyOf, readsOf } from './running-schemas.js';

const database = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const MODELS = 5;

beforeEach(() =>
  database.dataSource.query(
    `TRUNCATE models, versions, statistics, statistics_parts, key_fact_parts, drift_notices, applied_batches, source_privacy`,
  ),
);

/** So recent that notices are kept. */
const START = Date.now() - 10 * 86_400_000;
const at = (hour: number) => new Date(START + hour * 3_600_000).toISOString();
const names = Array.from({ length: MODELS }, (_, n) => `Event ${n}`);
const flush = (writeKey: string, hour: number, more: object = {}) =>
  flushesOf(database.dataSource).flush([
    eventBatch({ writeKey, receivedAt: at(hour), events: names.map((event) => ({ type: 'track', event, ...more })) }),
  ]);

/** The first model of the source in the order of the sweeps. */
async function firstOf(writeKey: string): Promise<string> {
  const [{ id }] = await database.dataSource.query(
    `SELECT event_id AS id FROM models WHERE write_key = $1 ORDER BY event_id LIMIT 1`,
    [writeKey],
  );
  return id;
}

/** Makes changes to rows of one model fail, each time that somebody tries. */
const refuse = (change: string, row: 'OLD' | 'NEW', eventId: string) =>
  database.dataSource.query(`
    CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF ${row}.event_id = '${eventId}' THEN RAISE EXCEPTION 'refused'; END IF;
      RETURN ${row};
    END $$;
    CREATE OR REPLACE TRIGGER refuse BEFORE ${change} FOR EACH ROW EXECUTE FUNCTION refuse()`);
const allow = (table: string) => database.dataSource.query(`DROP TRIGGER refuse ON ${table}`);

const modelsIn = async (table: string, where = 'true'): Promise<string[]> => {
  const { rows } = await database.dataSource.run<{ id: string }>(
    `SELECT DISTINCT event_id AS id FROM ${table} JOIN models USING (event_id) WHERE ${where} ORDER BY id`,
  );
  return rows.map(({ id }) => id);
};

describe('a model that fails each time', () => {
  it('keeps no other from being looked at for vanished keys', async () => {
    await flush('wk', 0, { gone: 1 });
    await flush('wk', 30);
    const first = await firstOf('wk');
    await refuse('INSERT ON drift_notices', 'NEW', first);
    const sweep = () => new DriftService(database.dataSource, new DriftRepository()).sweep();
    const vanished = () => modelsIn('drift_notices', `kind = 'vanished_key'`);
    await expect(sweep()).rejects.toThrow('refused');
    expect(await vanished()).toEqual((await modelsIn('versions')).slice(1));
    await allow('drift_notices');
    await sweep();
    expect(await vanished()).toContain(first);
  });

  it('keeps no other, and no source behind it, from losing samples that are switched off', async () => {
    await flush('a', 0);
    await flush('b', 0);
    const bad = await firstOf('a');
    const { service, forgetting } = privacyOf(database.dataSource);
    forgetting.callMs = 0;
    await refuse('DELETE ON statistics_parts', 'OLD', bad);
    await expect(service.put('a', { Samples: 'off', MaskedKeys: [] })).rejects.toThrow('refused');
    await database.dataSource.query(
      `INSERT INTO source_privacy (write_key, samples, masked_keys, forgotten_up_to)
       VALUES ('b', 'off', '{}', '00000000-0000-0000-0000-000000000000')`,
    );
    await expect(forgetting.sweep()).rejects.toThrow('refused');
    expect(await modelsIn('statistics_parts')).toEqual([bad]);
    await service.put('a', { Samples: 'keep', MaskedKeys: [] });
    const shown = async () => (await readsOf(database.dataSource).modelMetadata(bad)).SampledEvents;
    expect(await shown()).toEqual([]); // hidden until it is removed

    await allow('statistics_parts');
    await forgetting.sweep();
    expect(await modelsIn('statistics_parts')).toEqual([]);
    await flush('a', 1);
    expect(await shown()).toHaveLength(1);
  });

  it('keeps no other from losing its oldest notices', async () => {
    await flush('wk', 0);
    await database.dataSource.query(
      `INSERT INTO drift_notices (event_id, kind, keys, noticed_at)
       SELECT event_id, 'new_version', '{}', now() FROM models, generate_series(1, 501)`,
    );
    const first = await firstOf('wk');
    await refuse('DELETE ON drift_notices', 'OLD', first);
    await expect(new DriftRepository().prune(database.dataSource)).rejects.toThrow('refused');
    const { rows } = await database.dataSource.run<{ id: string }>(
      `SELECT event_id AS id FROM drift_notices GROUP BY event_id HAVING count(*) > 500`,
    );
    expect(rows).toEqual([{ id: first }]);
    await allow('drift_notices');
  });

  it('keeps no other from being measured', async () => {
    await flush('wk', 0);
    await database.dataSource.query(`UPDATE models SET stored_bytes = NULL`);
    const first = await firstOf('wk');
    await refuse('UPDATE ON models', 'NEW', first);
    await expect(new StoredBytesRepository().recount(database.dataSource)).rejects.toThrow('refused');
    await allow('models');
    const { rows } = await database.dataSource.run(`SELECT event_id AS id FROM models WHERE stored_bytes IS NULL`);
    expect(rows).toEqual([{ id: first }]);
  });
});

describe('a round', () => {
  const failing = (error: Error, of: number) => {
    const tried: (readonly number[])[] = [];
    const work = async (some: readonly number[]) => {
      tried.push(some);
      if (some.includes(of)) throw error;
    };
    return { tried, work };
  };

  it('tries items alone once they failed together, and tells which failed', async () => {
    const error = new Error('refused');
    const { tried, work } = failing(error, 2);
    expect(await failedOf([1, 2, 3], work)).toEqual(new Map([[2, error]]));
    expect(tried).toEqual([[1, 2, 3], [1], [2], [3]]);
    expect(await failedOf([], work)).toEqual(new Map());
    expect(() => throwFirst([error])).toThrow(error);
    expect(() => throwFirst([])).not.toThrow();
  });

  it('ends at once if the database is away, but not after a statement that took too long', async () => {
    const away = failing(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }), 1);
    await expect(failedOf([1, 2], away.work)).rejects.toThrow('gone');
    expect(away.tried).toHaveLength(1);
    const slow = failing(Object.assign(new Error('canceling statement'), { code: '57014' }), 1);
    expect([...(await failedOf([1, 2], slow.work)).keys()]).toEqual([1]);
  });
});
