import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { eventBatch, useDatabase } from '@weir/testing';
import { KeyCountRepository } from '../src/insights/key-facts.js';
import { SCHEMA } from '../src/schema.js';
import { expectedOf } from './naive-oracle.js';
import { described, flushesOf } from './running-schemas.js';

const database = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const limits = { versionsPerModel: 3 };
/** Flushes that remove versions until the counts are rewritten. */
const REWRITTEN_EVERY = 64;

beforeEach(() =>
  database.dataSource.query(
    `TRUNCATE models, versions, statistics, statistics_parts, key_fact_parts, drift_notices, applied_batches, model_days`,
  ),
);

const at = (n: number) => new Date(1_700_000_000_000 + n * 1_000).toISOString();
const batch = (n: number, event: JsonObject) =>
  eventBatch({ writeKey: 'wk', receivedAt: at(n), events: [{ type: 'alias', ...event }] });
/** Keys that no other event has. They compress as badly as ids do. */
const ownKeys = (n: number, keys: number): JsonObject =>
  Object.fromEntries(
    Array.from({ length: keys }, (_, key) => [createHash('sha256').update(`${n} ${key}`).digest('hex'), key]),
  );

const textSent = async (work: () => Promise<unknown>): Promise<number> => {
  const { logger } = database.dataSource;
  let chars = 0;
  const logQuery = (sql: string, parameters: unknown[] = []) => {
    if (/^\s*(INSERT|UPDATE)\b/.test(sql)) chars += JSON.stringify(parameters).length;
  };
  Object.assign(database.dataSource, { logger: { ...quiet, logQuery } });
  await work().finally(() => Object.assign(database.dataSource, { logger }));
  return chars;
};
const ignore = () => undefined;
const quiet = {
  ...{ logQueryError: ignore, logQuerySlow: ignore, logSchemaBuild: ignore, logMigration: ignore, log: ignore },
};

describe('key counts of a model that loses versions in every flush', () => {
  it('are exact before and after they are rewritten', async () => {
    const flushes = flushesOf(database.dataSource, { limits });
    const all = [];
    for (let n = 0; n < 2 * REWRITTEN_EVERY + 10; n += 1) {
      const one = batch(n, { turns: n % 2 === 0 ? n : `${n}`, [`own${n}`]: true });
      all.push(one);
      await flushes.flush([one]);
      const removed = n + 1 - limits.versionsPerModel;
      if (![-1, 0, 1, 2].includes(removed % REWRITTEN_EVERY)) continue;
      const model = (await described(database.dataSource))['wk/alias/'];
      expect(model?.keyCounts).toEqual(expectedOf(all)['wk/alias/']?.keyCounts);
      const [{ id }] = await database.dataSource.query(`SELECT event_id AS id FROM models`);
      const facts = (await new KeyCountRepository(database.dataSource).one(id))?.facts;
      expect(facts?.get('turns')).toEqual({
        events: n + 1,
        types: { float64: Math.ceil((n + 1) / 2), ...(n > 0 && { string: Math.floor((n + 1) / 2) }) },
        firstSeen: at(0).replace('Z', '000Z'),
        lastSeen: at(n).replace('Z', '000Z'),
      });
    }
    const [{ parts }] = await database.dataSource.query(`SELECT count(*)::int AS parts FROM key_fact_parts`);
    expect(parts).toBe((2 * REWRITTEN_EVERY + 10 - limits.versionsPerModel) % REWRITTEN_EVERY);
  });

  it('cost a flush a small part of what they take once the schema is full', async () => {
    const flushes = flushesOf(database.dataSource, { limits });
    for (let n = 0; n < 14; n += 1) await flushes.flush([batch(n, ownKeys(n, 900))]);
    const [{ size }] = await database.dataSource.query(
      `SELECT octet_length(schema::text) + octet_length(evicted_key_facts::text)
         + coalesce((SELECT sum(octet_length(facts::text)) FROM key_fact_parts), 0) AS size FROM models`,
    );
    expect(Number(size)).toBeGreaterThan(1_000_000);
    let sent = 0;
    for (let n = 14; n < 14 + REWRITTEN_EVERY; n += 1) {
      sent += await textSent(() => flushes.flush([batch(n, ownKeys(n, 3))]));
    }
    expect(sent / REWRITTEN_EVERY).toBeLessThan(Number(size) / 20);
  }, 60_000);
});
