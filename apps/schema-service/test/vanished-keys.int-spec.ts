import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { eventBatch, useDatabase } from '@weir/testing';
import { DriftRepository, DriftService } from '../src/collector/drift.js';
import { SCHEMA } from '../src/schema.js';
import { flushesOf } from './running-schemas.js';

const database = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const HOURS_OF_GONE = 30;

beforeEach(() =>
  database.dataSource.query(
    'TRUNCATE models, versions, statistics, statistics_parts, key_fact_parts, drift_notices, applied_batches',
  ),
);

const flush = (...events: JsonObject[]) =>
  flushesOf(database.dataSource).flush([
    eventBatch({ writeKey: 'wk', events: events.map((event) => ({ type: 'track', event: 'Seen', ...event })) }),
  ]);
const sweep = () => new DriftService(database.dataSource, new DriftRepository()).sweep();

async function vanished(): Promise<number> {
  const sql = `SELECT count(*)::int AS keys FROM drift_notices WHERE kind = 'vanished_key'`;
  return (await database.dataSource.query<[{ keys: number }]>(sql))[0].keys;
}

/** The model had its last event this many days ago, and the last one with a row 30 hours before that. */
async function moveTo(daysAgo: number): Promise<void> {
  const newest = `now() - $1 * interval '1 day'`;
  await database.dataSource.query(`UPDATE models SET last_seen = ${newest}`, [daysAgo]);
  await database.dataSource.query(
    `UPDATE versions SET last_seen = ${newest} - CASE WHEN schema ? 'row' THEN $2 ELSE 0 END * interval '1 hour'`,
    [daysAgo, HOURS_OF_GONE],
  );
}

describe('a notice of a key that vanished', () => {
  it('is not made while the latest versions are not stored, because they may have the key', async () => {
    await flush({ seat: 1 }, { row: 'A', seat: 1 });
    await database.dataSource.query(`UPDATE models SET last_seen = last_seen + $1 * interval '1 hour'`, [
      HOURS_OF_GONE,
    ]);
    await sweep();
    expect(await vanished()).toBe(0);
  });

  it('is not made for days of which no notices are kept, and outlives many others', async () => {
    await flush({ row: 'A', seat: 1 }, { seat: 1 });
    await moveTo(91);
    await sweep();
    expect(await vanished()).toBe(0);
    await moveTo(3);
    await sweep();
    expect(await vanished()).toBe(1);
    await database.dataSource.query(
      `INSERT INTO drift_notices (event_id, kind, version_id, keys, noticed_at)
       SELECT event_id, 'new_version', event_id, '{}', now() FROM models, generate_series(1, 600)`,
    );
    await new DriftRepository().prune(database.dataSource);
    expect(await vanished()).toBe(1);
  });
});
