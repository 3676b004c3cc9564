import { describe, expect, it, jest } from '@jest/globals';
import { useDatabase } from '@weir/testing';
import { OutboxRelay, type OutboxRow, outboxAdd, type SqlDatabase } from '../src/index.js';
import { CreateMessagingTables1764000000001, silent, until } from './fixtures.js';

const db = useDatabase('gateway', [CreateMessagingTables1764000000001]);

const tell = (n: number) => db.dataSource.transaction((sql) => outboxAdd(sql, 'counted', { n }));
const tellOf = (workspaceId: string, n: number) => outboxAdd(db.dataSource, 'counted', { workspaceId, n });
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

  it('holds up only the workspace of a row that fails, and keeps what went before it', async () => {
    const told: unknown[] = [];
    const deliver = async ({ payload }: OutboxRow) => {
      if (payload['n'] === 2) throw new Error('the trail is full');
      told.push(`${payload['workspaceId']}${payload['n']}`);
    };
    const relay = new OutboxRelay(db.dataSource, deliver, silent);
    for (const n of [1, 2, 3]) await tellOf('a', n);
    for (const n of [4, 5]) await tellOf('b', n);
    relay.start();
    await until(() => told.length === 3);
    await expect(relay.flush('a')).rejects.toThrow('the trail is full');
    await relay.stop();
    expect(told.toSorted()).toEqual(['a1', 'b4', 'b5']);
    expect(await left()).toBe(2);
    await db.dataSource.query('DELETE FROM outbox');
  });

  it('tells of a workspace while another has far more to tell, or is slow', async () => {
    const told: unknown[] = [];
    let end = () => {};
    const slow = new Promise<void>((done) => {
      end = done;
    });
    const deliver = async ({ payload }: OutboxRow) => {
      if (payload['workspaceId'] === 'loud') await slow;
      told.push(payload['n']);
    };
    await db.dataSource.query(
      `INSERT INTO outbox (topic, payload)
       SELECT 'counted', jsonb_build_object('workspaceId', 'loud', 'n', n) FROM generate_series(1, 250) AS n`,
    );
    await tellOf('quiet', 0);
    const relays = [1, 2].map(() => new OutboxRelay(db.dataSource, deliver, silent));
    const loud = relays.map((relay) => relay.flush('loud'));
    await relays[0]?.flush('quiet');
    expect(told).toEqual([0]);
    end();
    await Promise.all(loud);
    expect(told).toEqual(Array.from({ length: 251 }, (_, n) => n));
  });

  it('waits for relays of the version before, which hold the whole table, and for rows that may concern all', async () => {
    const told: unknown[] = [];
    const relay = new OutboxRelay(db.dataSource, async ({ payload }) => void told.push(payload['n']), silent);
    await tellOf('a', 1);
    const flushed = await db.dataSource.transaction(async (sql) => {
      await sql.run(`SELECT pg_advisory_xact_lock(hashtext('outbox'), hashtext(current_schema()))`);
      const running = relay.flush('a');
      await until(async () => {
        const { rows } = await sql.run(`SELECT FROM pg_locks WHERE NOT granted AND locktype = 'advisory'`);
        return rows.length > 0;
      });
      expect(told).toEqual([]);
      return { running };
    });
    await flushed.running;
    expect(told).toEqual([1]);
  });

  it('stops after the rows that are under way, however many wait behind them', async () => {
    let begun = 0;
    let end = () => {};
    const slow = new Promise<void>((done) => {
      end = done;
    });
    const deliver = async () => {
      begun += 1;
      await slow;
    };
    for (const workspaceId of ['a', 'b', 'c', 'd']) for (const n of [1, 2]) await tellOf(workspaceId, n);
    const relay = new OutboxRelay(db.dataSource, deliver, silent);
    relay.start();
    await until(() => begun === 2);
    const stopped = relay.stop();
    end();
    await stopped;
    expect(begun).toBe(2);
    expect(await left()).toBe(6);
    await db.dataSource.query('DELETE FROM outbox');
  });

  it('takes no connection to wait for another relay of the workspace', async () => {
    let isUnderWay = false;
    let end = () => {};
    const slow = new Promise<void>((done) => {
      end = done;
    });
    const hang = async () => {
      isUnderWay = true;
      await slow;
    };
    await tellOf('a', 1);
    const running = new OutboxRelay(db.dataSource, hang, silent).flush('a');
    await until(() => isUnderWay);
    let rounds = 0;
    const database: SqlDatabase = {
      run: (sql, parameters) => db.dataSource.run(sql, parameters),
      transaction: (work) =>
        db.dataSource.transaction(work).finally(() => {
          rounds += 1;
        }),
    };
    const other = new OutboxRelay(database, hang, silent);
    other.start();
    await until(() => rounds > 1);
    end();
    await running;
    await other.stop();
    expect(await left()).toBe(0);
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
