import { afterEach, describe, expect, it } from '@jest/globals';
import { acceptedSubject, PARTITIONS, partitionOf, rawSubject } from '@weir/contracts';
import { EVENTS_ACCEPTED, EVENTS_RAW, partitionConsumer, type StreamRole } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import { eventBatch, patientJetStream, patientManager, until, useDatabase, useNats } from '@weir/testing';
import { AnswerLeases } from '../src/answers/answer-leases.js';
import { BarrierService } from '../src/deletion/barrier.service.js';
import { SCHEMA } from '../src/schema.js';
import { workspaceOf } from './fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const nats = useNats();
const source = { workspaceId: newKsuid(), sourceId: newKsuid() };
/** Longer than any test. */
const AN_HOUR_MS = 3_600_000;

const workspace = () => workspaceOf(db.dataSource, source.workspaceId);
const barriers = (sendDeadlineMs = 0) => {
  const service = new BarrierService(db.dataSource, nats.connection, new AnswerLeases(db.dataSource, nats.connection));
  service.sendDeadlineMs = sendDeadlineMs;
  return service;
};
const publish = (subject: string) =>
  patientJetStream(nats.connection).publish(subject, JSON.stringify(eventBatch(source)));

const FIRST = partitionOf(source.workspaceId, source.sourceId);

async function acknowledgeOne(stream: string, role: StreamRole, partition = FIRST): Promise<void> {
  const durable = partitionConsumer(role, partition);
  const message = await (await patientJetStream(nats.connection).consumers.get(stream, durable)).next();
  await message?.ackAck();
}

async function isOpen(): Promise<boolean> {
  const [row] = await db.dataSource.query<{ due: number }[]>(
    'SELECT count(*)::int AS due FROM deletion_tasks WHERE due_at IS NOT NULL',
  );
  return (row?.due ?? 0) > 0;
}

/** Runs many more rounds than the barrier has steps. */
async function advanceLong(sendDeadlineMs = 0): Promise<void> {
  for (let round = 0; round < 8; round += 1) await barriers(sendDeadlineMs).advance();
}

const untilPassed = () => until('an open barrier', async () => (await barriers().advance()) === 0);

afterEach(async () => {
  const manager = await patientManager(nats.connection);
  await Promise.all([EVENTS_RAW, EVENTS_ACCEPTED].map((stream) => manager.streams.purge(stream)));
  await db.dataSource.query('UPDATE deletion_tasks SET due_at = NULL');
  await db.dataSource.query('UPDATE deletion_barriers SET passed_at = now()');
});

describe('the barrier', () => {
  it('opens on idle streams, after a send deadline', async () => {
    await workspace().create({ regulationType: 'suppress_with_delete' });
    await advanceLong(AN_HOUR_MS);
    expect(await isOpen()).toBe(false);
    await untilPassed();
    expect(await isOpen()).toBe(true);
  });

  it('waits for the filter, then for collector and deliverer, with what came before the regulation', async () => {
    await publish(rawSubject(source));
    await workspace().create({ regulationType: 'suppress_with_delete' });
    await advanceLong();
    expect(await isOpen()).toBe(false);

    await publish(acceptedSubject(source)); // as the filter does before it acknowledges
    await acknowledgeOne(EVENTS_RAW, 'filter');
    await advanceLong();
    expect(await isOpen()).toBe(false);

    await acknowledgeOne(EVENTS_ACCEPTED, 'collector');
    await advanceLong();
    expect(await isOpen()).toBe(false);

    await acknowledgeOne(EVENTS_ACCEPTED, 'deliverer');
    await untilPassed();
    expect(await isOpen()).toBe(true);
  });

  it('does not wait for what came after', async () => {
    await publish(rawSubject(source));
    await workspace().create({ regulationType: 'suppress_with_delete' });
    await barriers().advance();
    await acknowledgeOne(EVENTS_RAW, 'filter');
    await publish(rawSubject(source));
    await untilPassed();
    expect(await isOpen()).toBe(true);
  });

  it('waits for a batch of a source that is spread, or was, in any partition', async () => {
    const partition = (FIRST + 11) % PARTITIONS;
    await publish(rawSubject({ ...source, partition }));
    await workspace().create({ regulationType: 'suppress_with_delete' });
    await advanceLong();
    expect(await isOpen()).toBe(false);

    await publish(acceptedSubject({ ...source, partition }));
    await acknowledgeOne(EVENTS_RAW, 'filter', partition);
    await acknowledgeOne(EVENTS_ACCEPTED, 'collector', partition);
    await advanceLong();
    expect(await isOpen()).toBe(false);

    await acknowledgeOne(EVENTS_ACCEPTED, 'deliverer', partition);
    await untilPassed();
    expect(await isOpen()).toBe(true);
  });

  it('stays closed while a reader of the streams is missing', async () => {
    await workspace().create({ regulationType: 'suppress_with_delete' });
    const manager = await patientManager(nats.connection);
    const { config } = await manager.consumers.info(EVENTS_ACCEPTED, 'collector-3');
    await manager.consumers.delete(EVENTS_ACCEPTED, 'collector-3');
    await expect(barriers().advance()).rejects.toThrow('collector-3');
    await manager.consumers.add(EVENTS_ACCEPTED, config);
    await untilPassed();
    expect(await isOpen()).toBe(true);
  });

  it('passes as soon behind thousands of barriers of another workspace as alone', async () => {
    const rounds = async () => {
      const id = await workspace().createOne({ regulationType: 'suppress_with_delete' });
      const passed = `SELECT FROM deletion_tasks WHERE regulation_id = $1 AND due_at IS NOT NULL`;
      for (let round = 1; ; round += 1) {
        await barriers().advance();
        if ((await db.dataSource.query<object[]>(passed, [id])).length > 0) return round;
      }
    };
    const alone = await rounds();
    await db.dataSource.query('INSERT INTO deletion_barriers (workspace_id) SELECT $1 FROM generate_series(1, 3000)', [
      newKsuid(),
    ]);
    expect(await rounds()).toBe(alone);
  });

  it('takes each step of very many barriers in pieces, and goes on where an eraser was interrupted', async () => {
    const [last] = await db.dataSource.query<{ id: string }[]>(
      `WITH made AS (INSERT INTO deletion_barriers (workspace_id) SELECT $1 FROM generate_series(1, 5300) RETURNING id)
       SELECT max(id)::text AS id FROM made`,
      [newKsuid()],
    );
    await barriers().advance();
    await barriers().advance();
    const drained = async () => {
      const groups = await db.dataSource.query<{ count: number }[]>(
        `SELECT count(*)::int AS count FROM deletion_barriers WHERE passed_at IS NULL AND drained_at IS NOT NULL
         GROUP BY drained_at ORDER BY drained_at`,
      );
      return groups.map(({ count }) => count);
    };
    await db.dataSource.query(
      `ALTER TABLE deletion_barriers ADD CONSTRAINT interrupted CHECK (id <> ${last?.id} OR drained_at IS NULL)`,
    );
    await barriers(AN_HOUR_MS).advance();
    expect(await drained()).toEqual([5_000]);
    await db.dataSource.query('ALTER TABLE deletion_barriers DROP CONSTRAINT interrupted');
    await barriers(AN_HOUR_MS).advance();
    expect(await drained()).toEqual([5_000, 300]);
  });

  it('takes its steps for others when those of one workspace cannot be written', async () => {
    const broken = workspaceOf(db.dataSource);
    await broken.create({ regulationType: 'suppress_with_delete' });
    await workspace().create({ regulationType: 'suppress_with_delete' });
    await db.dataSource.query(
      `ALTER TABLE deletion_barriers ADD CONSTRAINT broken
       CHECK (workspace_id <> '${broken.workspaceId}' OR raw_position IS NULL) NOT VALID`,
    );
    await until('the other barrier to pass', async () => (await barriers().advance()) === 1);
    expect(await isOpen()).toBe(true);
    await db.dataSource.query('ALTER TABLE deletion_barriers DROP CONSTRAINT broken');
    await untilPassed();
  });

  it('opens for others when the tasks of one workspace cannot be opened', async () => {
    const broken = workspaceOf(db.dataSource);
    await broken.create({ regulationType: 'suppress_with_delete' });
    const id = await workspace().createOne({ regulationType: 'suppress_with_delete' });
    await db.dataSource.query(
      `ALTER TABLE deletion_tasks ADD CONSTRAINT broken CHECK (workspace_id <> '${broken.workspaceId}') NOT VALID`,
    );
    await advanceLong();
    await db.dataSource.query('ALTER TABLE deletion_tasks DROP CONSTRAINT broken');
    const due = await db.dataSource.query<{ id: string }[]>(
      'SELECT DISTINCT regulation_id AS id FROM deletion_tasks WHERE due_at IS NOT NULL',
    );
    expect(due).toEqual([{ id }]);
    await untilPassed();
  });

  it('opens very many tasks in pieces that begin at once, and is passed after the last, whichever eraser goes on', async () => {
    const users = Array.from({ length: 2_600 }, (_, n) => ({ userId: `user-${n}` }));
    await workspace().create({ regulationType: 'suppress_with_delete', users });
    const tasks = users.length * 2;
    const [small = ''] = await workspace().create({ regulationType: 'suppress_with_delete' });
    await db.dataSource.query(
      'UPDATE deletion_barriers SET raw_position = 0, accepted_position = 0, drained_at = now()',
    );
    const dueOf = (condition: string) =>
      db.dataSource.query<{ id: string; due: string }[]>(
        `SELECT id, due_at::text AS due FROM deletion_tasks WHERE due_at IS NOT NULL AND ${condition} ORDER BY id`,
      );

    expect(await barriers().advance()).toBe(2);
    const first = await dueOf('true');
    expect(first).toHaveLength(5_000);

    // Erasers begin with these. Users who cancel meanwhile keep what has not begun.
    await db.dataSource.query(`UPDATE deletion_tasks SET status = 'running' WHERE due_at IS NOT NULL`);
    await workspace().cancel(small);
    expect(await barriers().advance()).toBe(0);
    expect(await dueOf(`status = 'running'`)).toEqual(first);
    expect(await dueOf(`status = 'pending'`)).toHaveLength(tasks - 5_000);
  });

  it('leaves canceled tasks canceled', async () => {
    const id = await workspace().createOne({ regulationType: 'suppress_with_delete' });
    await barriers().advance();
    await workspace().cancel(id);
    await untilPassed();
    expect(await isOpen()).toBe(false);
  });
});
