import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { PARTITIONS, partitionOfBatch } from '@weir/contracts';
import { eventBatch, trackEvent, until, useDatabase } from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import { RetryJournal } from '../src/outcomes/retry-journal.js';
import type { DeliveryUnit } from '../src/units/delivery-unit.js';

const database = useDatabase('delivery', migrations);
const destinationId = '2GXz4hq8V8k4h2V3l0eJk7d0b8A';

function unitOf(userId: string): DeliveryUnit {
  const event = trackEvent({ userId });
  return { part: { ...eventBatch({ events: [event] }), destinationId }, index: 0, event };
}
const failure = (attempts: number) => ({ attempts, reason: 'no answer', nextAttemptAt: new Date() });
const rename = (from: string, to: string) => database.dataSource.query(`ALTER TABLE ${from} RENAME TO ${to}`);
const listed = () => database.dataSource.query('SELECT event_key, attempts FROM retrying_deliveries ORDER BY attempts');

afterEach(() => void jest.restoreAllMocks());

describe('the list of retries', () => {
  it('misses nothing because the database was away, and keeps the newest attempt', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const journal = new RetryJournal(database.dataSource);
    const [once, twice, ended] = [unitOf('once'), unitOf('twice'), unitOf('ended')];
    await rename('retrying_deliveries', 'away');
    for (const unit of [once, twice, ended]) journal.failed(unit, failure(1));
    journal.onApplicationBootstrap();
    await until('a failed write', () => warn.mock.calls.length > 0);
    journal.failed(twice, failure(2));
    journal.ended(ended);
    await rename('away', 'retrying_deliveries');
    await journal.onModuleDestroy();
    expect(await listed()).toEqual([
      { event_key: `${once.part.batchId}.0`, attempts: 1 },
      { event_key: `${twice.part.batchId}.0`, attempts: 2 },
    ]);
  });

  it('holds nothing of a partition that another process has, however late the one before writes', async () => {
    await database.dataSource.query('DELETE FROM retrying_deliveries');
    const [before, after] = [new RetryJournal(database.dataSource), new RetryJournal(database.dataSource)];
    const [moved, kept] = [unitOf('moved'), unitOf('kept')];
    const partitionOf = (unit: DeliveryUnit) => partitionOfBatch(unit.part);
    Object.assign(kept.part, { partition: (partitionOf(moved) + 1) % PARTITIONS });
    for (const unit of [moved, kept]) before.failed(unit, failure(1));
    await before.release(partitionOf(moved));
    await after.clear(partitionOf(moved));
    await before.onModuleDestroy();
    expect(await listed()).toEqual([{ event_key: `${kept.part.batchId}.0`, attempts: 1 }]);
  });
});
