import { afterEach, describe, expect, it } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { PARTITIONS, partitionOf, rawSubject } from '@weir/contracts';
import { patientJetStream, patientManager, useDatabase, useNats } from '@weir/testing';
import {
  connectNats,
  EVENTS_RAW,
  type HandleBatch,
  LEASE_RENEW_MS,
  LEASE_TTL_MS,
  LeaseTable,
  PartitionConsumers,
  partitionConsumer,
  type SqlDatabase,
  type StreamMessage,
} from '../src/index.js';
import { CreateMessagingTables1764000000001, SOURCE, silent, until } from './fixtures.js';

const db = useDatabase('regulation', [CreateMessagingTables1764000000001]);
const nats = useNats();
const running: PartitionConsumers[] = [];

type Handle = HandleBatch;

function join(handle: Handle, over: { nats: NatsConnection; database: SqlDatabase } = here()): PartitionConsumers {
  const leases = new LeaseTable(over.database, { role: 'filter', slots: PARTITIONS });
  const consumers = new PartitionConsumers({ nats: over.nats, role: 'filter', leases, handle, log: silent });
  consumers.start();
  running.push(consumers);
  return consumers;
}

const here = () => ({ nats: nats.connection, database: db.dataSource as SqlDatabase });

/** Simulates a killed process: its connection breaks, and nobody renews or releases its leases. */
async function mortal() {
  let dead = false;
  const alive = <T>(work: () => Promise<T>) => (dead ? Promise.reject(new Error('killed')) : work());
  const connection = await connectNats(nats.url, 'mortal');
  const database: SqlDatabase = {
    run: (sql, parameters) => alive(() => db.dataSource.run(sql, parameters)),
    transaction: (work) => alive(() => db.dataSource.transaction(work)),
  };
  const kill = () => {
    dead = true;
    return connection.close();
  };
  return { nats: connection, database, kill };
}

/** A database that answers every query late while the test holds it up. */
function slowable() {
  let heldUp: Promise<unknown> = Promise.resolve();
  const late = async <T>(work: () => Promise<T>) => {
    await heldUp;
    return work();
  };
  const database: SqlDatabase = {
    run: (sql, parameters) => late(() => db.dataSource.run(sql, parameters)),
    transaction: (work) => late(() => db.dataSource.transaction(work)),
  };
  let release = () => {};
  const holdUp = (ms: number) => {
    heldUp = new Promise<void>((done) => {
      const timer = setTimeout(done, ms);
      release = () => {
        clearTimeout(timer);
        done();
      };
    });
  };
  return { nats: nats.connection, database, holdUp, release: () => release() };
}

async function publish(from: number, to: number): Promise<void> {
  const stream = patientJetStream(nats.connection);
  for (let n = from; n < to; n += 1) await stream.publish(rawSubject(SOURCE), JSON.stringify({ n }));
}

const durableOfSource = () => partitionConsumer('filter', partitionOf(SOURCE.workspaceId, SOURCE.sourceId));

const pendingAcks = async () => {
  const manager = await patientManager(nats.connection);
  return (await manager.consumers.info(EVENTS_RAW, durableOfSource())).num_ack_pending;
};

/** Resolves when the member has pulled again after all pulls that are open now. One of the two may be somebody else's. */
async function untilPulledAgain(): Promise<void> {
  let pulls = 0;
  const subject = `$JS.API.CONSUMER.MSG.NEXT.${EVENTS_RAW}.${durableOfSource()}`;
  const callback = () => {
    pulls += 1;
  };
  const tap = nats.connection.subscribe(subject, { callback });
  await until(() => pulls > 1);
  tap.unsubscribe();
}

const numberOf = (message: StreamMessage) => (message.json() as { n: number }).n;
const HOUR_MS = 3_600_000;
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

afterEach(async () => {
  await Promise.all(running.splice(0).map((consumers) => consumers.stop()));
  await (await patientManager(nats.connection)).streams.purge(EVENTS_RAW);
});

describe('partition consumers', () => {
  it('hand over each batch of a message, and acknowledge it when all of them are finished', async () => {
    const seen: number[] = [];
    const open: number[] = [];
    join(async (messages) => {
      for (const message of messages) {
        seen.push(numberOf(message));
        open.push(await pendingAcks());
        if (numberOf(message) !== 2 || seen.length > 3) message.ack();
      }
    });
    await patientJetStream(nats.connection).publish(
      rawSubject(SOURCE),
      [1, 2, 3].map((n) => JSON.stringify({ n })).join('\n'),
    );
    await until(async () => seen.length >= 4 && (await pendingAcks()) === 0);
    expect(seen).toEqual([1, 2, 3, 2]);
    expect(open).toEqual([1, 1, 1, 1]);
  });

  it('hand over everything in order, on the partition of the source', async () => {
    const seen: number[] = [];
    const partitions = new Set<number>();
    join(async (messages, { slot }) => {
      partitions.add(slot);
      for (const message of messages) {
        seen.push(numberOf(message));
        message.ack();
      }
    });
    await publish(0, 500);
    await until(() => seen.length >= 500);
    expect(seen).toEqual(range(0, 500));
    expect([...partitions]).toEqual([partitionOf(SOURCE.workspaceId, SOURCE.sourceId)]);
  });

  it('hand in again, in order, what a failed call left', async () => {
    const finished: number[] = [];
    let failures = 0;
    join(async (messages) => {
      for (const message of messages) {
        if (numberOf(message) === 5 && failures < 3) {
          failures += 1;
          throw new Error('not yet');
        }
        finished.push(numberOf(message));
        message.ack();
      }
    });
    await publish(0, 10);
    await until(() => finished.length >= 10);
    expect(finished).toEqual(range(0, 10));
    expect(failures).toBe(3);
  });

  it('share the partitions evenly, each with one owner, and take over from who leaves', async () => {
    const idle: Handle = async (messages) => {
      for (const message of messages) message.ack();
    };
    const [first, second] = [join(idle), join(idle)];
    await until(() => first.partitions.length === 8 && second.partitions.length === 8);
    expect(new Set([...first.partitions, ...second.partitions]).size).toBe(PARTITIONS);
    await first.stop();
    await until(() => second.partitions.length === PARTITIONS);
  });

  it('go on after a silence that was long enough to stop them, and too short to lose their leases', async () => {
    const seen: number[] = [];
    const slow = slowable();
    const member = join(async (messages) => {
      for (const message of messages) {
        seen.push(numberOf(message));
        message.ack();
      }
    }, slow);
    await until(() => member.partitions.length === PARTITIONS);
    slow.holdUp(LEASE_TTL_MS - LEASE_RENEW_MS / 2);
    await until(() => member.partitions.length === 0);
    await publish(0, 10);
    await until(() => seen.length >= 10);
    expect(seen).toEqual(range(0, 10));
    await until(() => member.partitions.length === PARTITIONS);
  });

  it('keep the order over a hand-over in the middle of the stream', async () => {
    const seen: { n: number; by: string }[] = [];
    const slow =
      (by: string): Handle =>
      async (messages) => {
        for (const message of messages.slice(0, 20)) {
          await new Promise((done) => setTimeout(done, 2));
          seen.push({ n: numberOf(message), by });
          message.ack();
        }
      };
    await publish(0, 300); // first, because a slow broker would leave nothing for the second owner
    const first = join(slow('first'));
    await until(() => seen.length > 50);
    join(slow('second'));
    await first.stop();
    await until(() => seen.length >= 300);
    expect(seen.map(({ n }) => n)).toEqual(range(0, 300));
    expect(new Set(seen.map(({ by }) => by))).toEqual(new Set(['first', 'second']));
  });

  it('keep the order when an owner leaves while messages are on their way to it', async () => {
    const seen: number[] = [];
    const handle: Handle = async (messages) => {
      for (const message of messages) {
        seen.push(numberOf(message));
        message.ack();
      }
    };
    const leaver = await mortal();
    const first = join(handle, leaver);
    await until(() => first.partitions.length === PARTITIONS);
    join(handle);
    const publishing = publish(0, 400);
    await until(() => seen.length >= 100);
    void first.stop();
    await publishing;
    await until(() => new Set(seen).size >= 400);
    expect(seen).toEqual(range(0, 400));
    await leaver.kill();
  });

  it('keep the order when somebody without a lease takes a message: it is waited for, however long', async () => {
    const seen: number[] = [];
    const member = join(async (messages) => {
      for (const message of messages) {
        seen.push(numberOf(message));
        message.ack();
      }
    });
    await until(() => member.partitions.length === PARTITIONS);
    await publish(0, 3);
    await until(() => seen.length === 3);
    const consumer = await patientJetStream(nats.connection).consumers.get(EVENTS_RAW, durableOfSource());
    const stolen: number[] = [];
    const theft = await consumer.consume({
      max_messages: 1,
      callback: (message) => {
        stolen.push((message.json() as { n: number }).n);
        theft.stop();
      },
    });
    await untilPulledAgain(); // the broker serves pulls in turn
    await publish(3, 60);
    await until(() => stolen.length === 1);
    await until(() => seen.length >= 60);
    expect(seen).toEqual(range(0, 60));
  });

  it('keep the order when an owner loses its database, and its call hangs: its messages come to the next one', async () => {
    const finished: number[] = [];
    const late: number[] = [];
    const cutOff = slowable();
    let wake = () => {};
    const asleep = new Promise<void>((done) => {
      wake = done;
    });
    const member = join(async (messages, lease) => {
      await asleep;
      lease.assertHeld();
      for (const message of messages) late.push(numberOf(message));
    }, cutOff);
    await until(() => member.partitions.length === PARTITIONS);
    await publish(0, 20);
    await until(async () => (await pendingAcks()) === 20);
    cutOff.holdUp(HOUR_MS);
    join(async (messages) => {
      for (const message of messages) {
        finished.push(numberOf(message));
        message.ack();
      }
    });
    await publish(20, 40);
    await until(() => finished.length >= 40);
    expect(finished).toEqual(range(0, 40));
    wake();
    await new Promise((done) => setTimeout(done, 100));
    expect(late).toEqual([]);
    cutOff.release();
  });

  it('acknowledge nothing for an owner that has lost its lease while it was at work', async () => {
    const cutOff = slowable();
    let isLost = false;
    const member = join(async (messages, lease) => {
      cutOff.holdUp(HOUR_MS);
      await until(() => !lease.isHeld);
      isLost = true;
      for (const message of messages) message.ack();
    }, cutOff);
    await until(() => member.partitions.length === PARTITIONS);
    await publish(0, 1);
    await until(() => isLost);
    const seen: number[] = [];
    join(async (messages) => {
      for (const message of messages) {
        seen.push(numberOf(message));
        message.ack();
      }
    });
    await until(() => seen.length > 0);
    expect(seen).toEqual([0]);
    cutOff.release();
  });

  it('begin a new epoch after a call that failed: what it wrote may arrive late, and is told from the next try', async () => {
    const epochs: number[] = [];
    join(async (messages, lease) => {
      epochs.push(lease.epoch);
      if (epochs.length < 3) throw new Error('nobody knows what became of it');
      for (const message of messages) message.ack();
    });
    await publish(0, 1);
    await until(() => epochs.length === 3);
    const [first = 0] = epochs;
    expect(epochs).toEqual([first, first + 1, first + 2]);
  });

  it.each([-3_600_000, 3_600_000])(
    'go by a clock that nobody can turn, when it is turned by %d ms',
    async (turnedMs) => {
      const slow = slowable();
      const member = join(async () => undefined, slow);
      await until(() => member.partitions.length === PARTITIONS);
      const now = Date.now;
      Date.now = () => now() + turnedMs;
      try {
        const kept = performance.now() + 2 * LEASE_RENEW_MS;
        while (performance.now() < kept) {
          expect(member.partitions).toHaveLength(PARTITIONS);
          await new Promise((done) => setTimeout(done, 20));
        }
        slow.holdUp(HOUR_MS);
        await until(() => member.partitions.length === 0);
      } finally {
        Date.now = now;
        slow.release();
      }
    },
  );

  it('keep the order over a kill: what the dead had in hand comes before what is new', async () => {
    const finished: number[] = [];
    const victim = await mortal();
    let wake = () => {};
    const asleep = new Promise<void>((done) => {
      wake = done;
    });
    const member = join(() => asleep, victim);
    await until(() => member.partitions.length === PARTITIONS);
    await publish(0, 50);
    await until(async () => (await pendingAcks()) === 50);
    await victim.kill();
    running.splice(running.indexOf(member), 1);
    await publish(50, 60);
    join(async (messages) => {
      for (const message of messages) {
        finished.push(numberOf(message));
        message.ack();
      }
    });
    await until(() => finished.length >= 60);
    expect(finished).toEqual(range(0, 60));
    wake();
    await member.stop();
  });
});
