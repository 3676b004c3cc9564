import { describe, expect, it, jest } from '@jest/globals';
import { useDatabase } from '@weir/testing';
import { OutboxRelay, type OutboxRow, outboxAdd } from '../src/index.js';
import { CreateMessagingTables1764000000001, silent, until } from './fixtures.js';

const db = useDatabase('gateway', [CreateMessagingTables1764000000001]);

const tell = (n: number) => db.dataSource.transaction((sql) => outboxAdd(sql, 'counted', { n }));
const left = async () => (await db.dataSource.query<{ n: number }[]>('SELECT count(*)::int AS n FROM outbox'))[0]?.n;

describe('the outbox', () => {
  it('tells in order what was committed, and nothing of what was rolled back', async () => {
    const told: unknown[] = [];
    const relay = new OutboxRelay(db.dataSource, async ({ payload }) => void told.push(payload['n']), silent);
    for (const n of [1, 2, 3]) await tell(n);
    const failing = db.dataSource.transaction(async (sql) => {
      await outboxAdd(sql, 'counted', { n: 99 });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await relay.flush();
    expect(told).toEqual([1, 2, 3]);
    expect(await left()).toBe(0);
  });

  it('keeps what could not be told and heals by itself', async () => {
    let broken = true;
    const told: unknown[] = [];
    const deliver = async ({ payload }: OutboxRow) => {
      if (broken) throw new Error('the broker is away');
      told.push(payload['n']);
    };
    const relay = new OutboxRelay(db.dataSource, deliver, silent);
    await tell(1);
    await expect(relay.flush()).rejects.toThrow('the broker is away');
    expect(await left()).toBe(1);
    relay.start();
    broken = false;
    await until(() => told.length === 1);
    await relay.stop();
  });

  it('is told once although several relays run', async () => {
    const told: unknown[] = [];
    const relays = Array.from(
      { length: 3 },
      () => new OutboxRelay(db.dataSource, async ({ payload }) => void told.push(payload['n']), silent),
    );
    const wanted = Array.from({ length: 250 }, (_, n) => n);
    for (const n of wanted) await tell(n);
    await Promise.all(relays.map((relay) => relay.flush()));
    expect(told).toEqual(wanted);
  });

  it('keeps what it has told, however long the rest takes', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const leftBefore: unknown[] = [];
    const deliver = async () => {
      leftBefore.push(await left());
      clock.mockReturnValue(leftBefore.length * 1_000);
    };
    for (const n of [1, 2, 3, 4, 5, 6, 7]) await tell(n);
    await new OutboxRelay(db.dataSource, deliver, silent).flush().finally(() => clock.mockRestore());
    expect(leftBefore).toEqual([7, 7, 7, 4, 4, 4, 1]);
    expect(await left()).toBe(0);
  });

  it('is flushed by more callers than there are connections, though telling needs one of its own', async () => {
    const told: unknown[] = [];
    const deliver = async ({ payload }: OutboxRow) => {
      await db.dataSource.query('SELECT 1');
      told.push(payload['n']);
    };
    const relay = new OutboxRelay(db.dataSource, deliver, silent);
    const writers = Array.from({ length: 30 }, async (_, n) => {
      await tell(n);
      await relay.flush();
      expect(told).toContain(n);
    });
    await Promise.all(writers);
    expect(told).toHaveLength(30);
  });
});
