import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventBatch, until, useDatabase, waitingForLocks } from '@weir/testing';
import { KeepSamplesShown1764000000006 } from '../src/migrations/0006-keep-samples-shown.js';
import { SCHEMA } from '../src/schema.js';
import { flushesOf, privacyOf, readsOf } from './running-schemas.js';

const database = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
/** More than two steps remove. */
const MODELS = 1_200;

beforeEach(() =>
  database.dataSource.query(
    `TRUNCATE models, versions, statistics, statistics_parts, key_fact_parts, drift_notices, applied_batches, source_privacy`,
  ),
);

const flush = (events: object[]) =>
  flushesOf(database.dataSource).flush([eventBatch({ writeKey: 'wk', events: events.map((event) => ({ ...event })) })]);
const many = () => Array.from({ length: MODELS }, (_, n) => ({ type: 'track', event: `Event ${n}` }));

async function kept(): Promise<number> {
  const [{ models }] = await database.dataSource.query(
    `SELECT count(DISTINCT event_id)::int AS models FROM statistics_parts`,
  );
  return models;
}

async function shown(): Promise<number> {
  const reads = readsOf(database.dataSource);
  const { rows: ids } = await database.dataSource.run<{ event_id: string }>(`SELECT event_id FROM models`);
  const all = await Promise.all(ids.map(({ event_id }) => reads.modelMetadata(event_id)));
  return all.filter(({ SampledEvents }) => SampledEvents.length > 0).length;
}

describe('samples of a source for which nobody chose', () => {
  const ada = { type: 'identify', userId: 'u1', traits: { email: 'ada@example.com', plan: 'gold' } };

  it('hide what looks personal, until somebody shows it', async () => {
    await flush([ada]);
    const { service } = privacyOf(database.dataSource, 'mask');
    const reads = readsOf(database.dataSource, service);
    const [model] = (await reads.listModels()).rows;
    const sample = async () => (await reads.modelMetadata(String(model?.EventID))).SampledEvents[0];
    expect(await service.get('wk')).toEqual({ Samples: 'mask', MaskedKeys: [] });
    expect(await sample()).toMatchObject({ traits: { email: '***', plan: 'gold' } });
    await service.put('wk', { Samples: 'keep', MaskedKeys: [] });
    expect(await sample()).toMatchObject({ traits: ada.traits });
  });

  it('stay shown in sources from before that rule', async () => {
    await flush([ada]);
    const runner = database.dataSource.createQueryRunner();
    await new KeepSamplesShown1764000000006().up(runner);
    await runner.release();
    const { service } = privacyOf(database.dataSource, 'mask');
    expect(await service.get('wk')).toMatchObject({ Samples: 'keep' });
    expect(await service.get('another')).toMatchObject({ Samples: 'mask' });
  });
});

describe('samples that are switched off in a source of many models', () => {
  it('are not kept by a flush that waited for its models meanwhile', async () => {
    const event = { type: 'track', event: 'Seen' };
    await flush([event]);
    await database.dataSource.query('DELETE FROM statistics_parts');
    const other = database.dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query('SELECT FROM models FOR UPDATE');
    const flushed = flush([event]);
    await until('the flush to wait', async () => (await waitingForLocks(database.dataSource)) > 0);
    const off = `INSERT INTO source_privacy (write_key, samples, masked_keys) VALUES ('wk', 'off', '{}')`;
    await database.dataSource.query(off);
    await other.commitTransaction();
    await other.release();
    expect(await flushed).toMatchObject({ events: 1 });
    expect(await kept()).toBe(0);
  });

  it('are hidden at once, and removed for a bounded time a call; another process goes on where that was', async () => {
    await flush(many());
    const { service, forgetting } = privacyOf(database.dataSource);
    forgetting.callMs = 0; // each call does one step
    await service.put('wk', { Samples: 'off', MaskedKeys: [] });
    expect(await kept()).toBe(MODELS - 500);
    expect(await shown()).toBe(0);
    await service.put('wk', { Samples: 'keep', MaskedKeys: [] });
    expect(await shown()).toBe(0); // models that were to be emptied do not come back
    await privacyOf(database.dataSource).forgetting.sweep();
    expect(await kept()).toBe(0);
    await flush(many());
    expect(await shown()).toBe(MODELS);
  });

  it('are removed from the first model on when they are switched off again meanwhile', async () => {
    await flush(many());
    const { service, forgetting } = privacyOf(database.dataSource);
    forgetting.callMs = 0;
    await service.put('wk', { Samples: 'off', MaskedKeys: [] });
    await service.put('wk', { Samples: 'keep', MaskedKeys: [] });
    await flush(many());
    await service.put('wk', { Samples: 'off', MaskedKeys: [] });
    await forgetting.sweep();
    expect(await kept()).toBe(0);
  });
});
