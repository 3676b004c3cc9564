import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type EventBatch, type JsonObject, PARTITIONS, PurgeSchemaUsers, partitionOf } from '@weir/contracts';
import {
  eventBatch,
  PatientRpcClient,
  type ServiceProcess,
  until,
  useDatabase,
  useNats,
  waitingForLocks,
} from '@weir/testing';
import { UnreadableRepository } from '../src/collector/unreadable.repository.js';
import { lockFences } from '../src/purge/fence.repository.js';
import { LetterPurge } from '../src/purge/letter-purge.js';
import { ModelPurge, ModelPurgeRepository } from '../src/purge/model-purge.js';
import { PurgeRepository } from '../src/purge/purge.repository.js';
import { PurgeService } from '../src/purge/purge.service.js';
import { SCHEMA } from '../src/schema.js';
import { FoldService } from '../src/statistics/fold.js';
import { StatisticsRepository } from '../src/statistics/statistics.repository.js';
import { StoredBytesRepository } from '../src/statistics/stored-bytes.repository.js';
import { flushesOf, readsOf, startMain } from './running-schemas.js';
import { userKeys } from './user-keys.js';

const WORKSPACE = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
/** Several steps of the walk before the model at which it is held up, and after it. */
const MODELS = 2_000;

/** More calls than any walk here takes. */
const CALLS_MAX = 50;

const database = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const nats = useNats();

beforeEach(() =>
  database.dataSource.query(
    `TRUNCATE models, versions, statistics, statistics_parts, key_fact_parts, drift_notices, applied_batches, dead_letters, purges, purged_users, fences`,
  ),
);

/** Does one step per call. */
function purger(callMs = 0): PurgeService {
  const statistics = new StatisticsRepository();
  const folding = new FoldService(statistics);
  const models = new ModelPurge(
    database.dataSource,
    new ModelPurgeRepository(),
    statistics,
    folding,
    new StoredBytesRepository(),
  );
  const letters = new LetterPurge(database.dataSource);
  return Object.assign(new PurgeService(userKeys, new PurgeRepository(database.dataSource), models, letters), {
    callMs,
  });
}

async function callsUntilDone(service: PurgeService, request: Parameters<PurgeService['purge']>[0]): Promise<number> {
  let calls = 1;
  while (!(await service.purge(request)) && calls < CALLS_MAX) calls += 1;
  return calls;
}

const flush = (...batches: Partial<EventBatch>[]) =>
  flushesOf(database.dataSource).flush(
    batches.map((batch) => eventBatch({ workspaceId: WORKSPACE, writeKey: 'wk', ...batch })),
  );
const screen = (extra: JsonObject) => ({ type: 'screen', name: 'Cart', ...extra });
const request = (purgeId: string, ...users: JsonObject[]) => ({ workspaceId: WORKSPACE, users, purgeId });

/** Adds models that hold the text in samples and values. */
async function addModels(count: number, text: string): Promise<void> {
  await database.dataSource.run(
    `WITH made AS (
       INSERT INTO models (event_id, workspace_id, write_key, event_type, event_identifier, created_at, last_seen)
       SELECT gen_random_uuid(), $1, 'wk', 'track', 'Event ' || n, now(), now() FROM generate_series(1, $2::int) AS n
       RETURNING event_id)
     INSERT INTO statistics (owner_id, event_id, frequent_values, samples)
     SELECT event_id, event_id, $3, '[]' FROM made`,
    [WORKSPACE, count, JSON.stringify([['properties.note', 1, 0, 0, [[text, 1, 0]]]])],
  );
}

async function left(text: string): Promise<number> {
  const [{ rows }] = await database.dataSource.query(
    `SELECT count(*)::int AS rows FROM (
       SELECT frequent_values || samples AS text FROM statistics
       UNION ALL SELECT frequent_values || samples FROM statistics_parts
     ) AS stored WHERE strpos(text, $1) > 0`,
    [text],
  );
  return rows;
}

const isWaiting = async (): Promise<boolean> => (await waitingForLocks(database.dataSource)) > 0;

/** Holds a walk up at the model of this place. Resolves once it will, with how to let the walk go on. */
async function heldAt(place: number): Promise<() => Promise<void>> {
  let letGo = () => {};
  const released = new Promise<void>((done) => {
    letGo = done;
  });
  let holding: Promise<void> = Promise.resolve();
  await new Promise<void>((isHeld, fail) => {
    holding = database.dataSource.transaction(async (sql) => {
      await sql.run('SET LOCAL idle_in_transaction_session_timeout = 0');
      const middle = 'SELECT event_id FROM models ORDER BY event_id OFFSET $1 LIMIT 1';
      await sql.run(`SELECT FROM models WHERE event_id = (${middle}) FOR UPDATE`, [place]);
      isHeld();
      await released;
    });
    holding.catch(fail);
  });
  return () => {
    letGo();
    return holding;
  };
}

describe('a purge', () => {
  it('works for a bounded time a call, keeps its place and is done in the end; all users go in one walk', async () => {
    await addModels(500, 'customer-1');
    await addModels(500, 'customer-2');
    const users = [{ userId: 'customer-1' }, { userId: 'customer-2' }];
    const calls = await callsUntilDone(purger(), request('first', ...users));
    expect([await left('customer-1'), await left('customer-2')]).toEqual([0, 0]);
    expect(calls).toBeGreaterThan(4);
    expect(calls).toBeLessThan(9); // two separate walks would take ten
    await addModels(3, 'customer-1');
    expect(await callsUntilDone(purger(), request('first', ...users))).toBe(1); // already done
    await callsUntilDone(purger(), request('second', ...users));
    expect(await left('customer-1')).toBe(0);
  });

  it('takes a user that several regulations of one deletion name', async () => {
    await addModels(3, 'customer-1');
    const users = [{ userId: 'customer-1' }, { userId: ' customer-1 ', email: 'a@b.c' }];
    await callsUntilDone(purger(), request('first', ...users));
    expect(await left('customer-1')).toBe(0);
  });

  it('looks for users in other company from the beginning', async () => {
    await addModels(500, 'customer-1');
    await addModels(500, 'customer-2');
    expect(await purger().purge(request('first', { userId: 'customer-1' }))).toBe(false);
    await callsUntilDone(purger(), request('first', { userId: 'customer-1' }, { userId: 'customer-2' }));
    expect([await left('customer-1'), await left('customer-2')]).toEqual([0, 0]);
  });

  it('leaves the event loop to others in between, and goes on after dead letters that hold nothing', async () => {
    for (let n = 0; n < 40; n += 1) {
      await database.dataSource.run(
        `INSERT INTO dead_letters (subject, sequence, reason, body) VALUES ($1, $2, 'broken', $3)`,
        [
          `events.accepted.3.${n % 2 ? '' : '1.'}${WORKSPACE}.source`,
          n,
          JSON.stringify({ events: [{ userId: n < 39 ? 'u2' : 'u1' }] }),
        ],
      );
    }
    expect(await callsUntilDone(purger(), request('letters', { userId: 'u1' }))).toBeGreaterThan(2);
    const [{ full }] = await database.dataSource.query(`SELECT count(body)::int AS full FROM dead_letters`);
    expect(full).toBe(39);
  });

  it('goes on after a model that fails each time, tells it, and comes back to it', async () => {
    await addModels(500, 'customer-1');
    const [{ id }] = await database.dataSource.query(
      'SELECT event_id AS id FROM models ORDER BY event_id OFFSET 200 LIMIT 1',
    );
    const asked = request('broken', { userId: 'customer-1' });
    await database.dataSource.query(
      `ALTER TABLE statistics ADD CONSTRAINT broken
       CHECK (event_id <> '${id}' OR strpos(frequent_values, 'customer-1') > 0)`,
    );
    const told = callsUntilDone(purger(), asked);
    await expect(told).rejects.toThrow('Event models that cannot be cleaned now: 1. Everything else is clean');
    expect(await left('customer-1')).toBe(1);
    await expect(purger().purge(asked)).rejects.toThrow('now: 1.');
    await database.dataSource.query('ALTER TABLE statistics DROP CONSTRAINT broken');
    expect(await callsUntilDone(purger(), asked)).toBe(1);
    expect(await left('customer-1')).toBe(0);
  });

  it('waits for flushes that are under way, so that it finds what they add', async () => {
    await flush({ events: [screen({ userId: 'other' })] });
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((done) => {
      finish = done;
    });
    const flushing = database.dataSource.transaction(async (sql) => {
      await lockFences(sql, 'to read them');
      await finished;
      await sql.run(`UPDATE statistics_parts SET samples = $1`, [JSON.stringify([[0.5, '{"userId":"customer-1"}']])]);
    });
    const purged = callsUntilDone(purger(), request('first', { userId: 'customer-1' }));
    await until('the purge to wait', isWaiting);
    finish();
    await Promise.all([flushing, purged]);
    expect(await left('customer-1')).toBe(0);
  });
});

describe('a purge whose process is killed', () => {
  let service: ServiceProcess;
  afterAll(() => service?.stop());
  const start = async () => {
    service = await startMain({ databaseUrl: database.url, natsUrl: nats.url });
  };
  beforeAll(start);

  it('goes on where it was', async () => {
    await addModels(MODELS, 'customer-1');
    const rpc = new PatientRpcClient(nats.connection);
    const asked = request('killed', { userId: 'customer-1' });
    const letGo = await heldAt(MODELS / 2);
    const first = rpc.send(PurgeSchemaUsers, asked).catch(() => undefined);
    await until('the walk to be held up', isWaiting);
    const [{ place: reached }] = await database.dataSource.query(`SELECT model_place AS place FROM purges`);
    service.kill();
    await service.exited;
    await letGo();
    expect(await left('customer-1')).toBeGreaterThan(0);
    // Adds a trace behind the walk's place. A walk that starts from the beginning would find it.
    const [[{ owner_id: passed }]] = await database.dataSource.query(
      `UPDATE statistics SET samples = $1
       WHERE owner_id = (SELECT event_id FROM models ORDER BY event_id LIMIT 1) RETURNING owner_id`,
      [JSON.stringify([[0.5, '{"userId":"customer-1"}']])],
    );
    expect(passed < reached).toBe(true);
    await start();
    for (let done = false; !done; ) ({ done } = await rpc.send(PurgeSchemaUsers, asked));
    expect(await left('customer-1')).toBe(1);
    void first;
  });
});

describe('a value that one user alone had', () => {
  it('goes with the user, wherever it stands, and so does the user’s key', async () => {
    const own = screen({ userId: 'u1', secret: 'only-ada', plan: 'free' });
    const rounds = Array.from({ length: 70 }, () => ({ events: [own, screen({ userId: 'u2', plan: 'free' })] }));
    for (const round of rounds) await flush(round); // some of these parts are folded then
    await flush({ events: [screen({ anonymousId: 'u1', secret: 'only-anonymous' })] });
    expect(await left('only-ada')).toBeGreaterThan(0);
    const key = userKeys.userKey(WORKSPACE, 'u1');
    expect(await left(key)).toBeGreaterThan(0);

    await callsUntilDone(purger(), request('first', { userId: 'u1' }));
    expect([await left('only-ada'), await left(key)]).toEqual([0, 0]);
    const [model] = (await readsOf(database.dataSource).listModels({ writeKey: 'wk' })).rows;
    const { TotalCount, FrequentValues } = await readsOf(database.dataSource).modelMetadata(model?.EventID ?? '');
    expect(TotalCount).toBe(141);
    expect(FrequentValues['plan']).toEqual([{ Value: 'free', Frequency: 140 }]);
    expect(FrequentValues['secret']).toEqual([{ Value: 'only-anonymous', Frequency: 1 }]);
  });
});

describe('an event that comes too late', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString();
  const late = (epoch: number, batch: Partial<EventBatch>) => ({ receivedAt: at(1), epoch, ...batch });
  /** The filter of every partition is in its fifth epoch. */
  const fence = Array<number>(16).fill(5);
  const purge = () => callsUntilDone(purger(), { ...request('first', { userId: ' u1 ' }), fence });
  const counted = async () => {
    const reads = readsOf(database.dataSource);
    const { rows } = await reads.listModels({ writeKey: 'wk' });
    return Object.fromEntries(rows.map(({ EventIdentifier, TotalCount }) => [EventIdentifier, TotalCount]));
  };
  const named = (name: string, userId: string) => ({ type: 'screen', name, userId });

  it('is not counted when its user was purged; whoever is beside it is, once', async () => {
    await purge();
    const batch = {
      batchId: 'late',
      events: [named('Mine', 'u1'), named('Theirs', 'u2'), { type: 'alias', userId: 'u3', previousId: 'u1' }],
    };
    await flush(late(4, batch));
    expect(await counted()).toEqual({ Theirs: 1 });
    expect(await left('u1')).toBe(0);
    await flush(late(5, { ...batch, events: [named('Theirs', 'u2')] })); // as the filter's next owner passes it on
    expect(await counted()).toEqual({ Theirs: 1 });
  });

  it('is late by the fence of its batch, wherever its source begins', async () => {
    const sourceId = '0ujzPyRiIAffKhBux4PvQdDqMHY';
    const first = partitionOf(WORKSPACE, sourceId);
    const raised = (first + 3) % PARTITIONS;
    const ofOne = fence.map((epoch, partition) => (partition === raised ? epoch : 0));
    await callsUntilDone(purger(), { ...request('first', { userId: 'u1' }), fence: ofOne });
    await flush(
      late(4, { sourceId, partition: raised, events: [named('Late', 'u1'), named('Theirs', 'u2')] }),
      late(4, { sourceId, partition: (first + 4) % PARTITIONS, events: [named('Elsewhere', 'u1')] }),
      late(4, { sourceId, events: [named('Unspread', 'u1')] }),
    );
    expect(await counted()).toEqual({ Theirs: 1, Elsewhere: 1, Unspread: 1 });
  });

  it('does not leave a body behind that nobody could read', async () => {
    await purge();
    const letters = new UnreadableRepository();
    const subject = `events.accepted.3.${WORKSPACE}.source`;
    const body = JSON.stringify({ events: [{ userId: 'u1' }] });
    for (const epoch of [4, 5]) {
      await letters.add(database.dataSource, { subject, sequence: epoch, epoch, reason: 'broken', body });
    }
    const kept = await database.dataSource.query(
      `SELECT sequence::int AS epoch FROM dead_letters WHERE body IS NOT NULL`,
    );
    expect(kept).toEqual([{ epoch: 5 }]);
  });

  it('is counted when it came in after the purge, when it is not late, and when nobody was purged', async () => {
    await flush(late(1, { events: [named('Before', 'u1')] }));
    await purge();
    const after = new Date(Date.now() + 60_000).toISOString();
    await flush(late(1, { receivedAt: after, events: [named('After', 'u1')] }));
    await flush(late(5, { events: [named('In time', 'u1')] }));
    expect(await counted()).toEqual({ Before: 1, After: 1, 'In time': 1 });
  });
});
