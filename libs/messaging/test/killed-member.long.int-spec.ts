import { afterEach, describe, expect, it } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { memberSubject, PARTITIONS, partitionOf, rawSubject } from '@weir/contracts';
import { patientJetStream, patientManager, useDatabase, useNats } from '@weir/testing';
import {
  connectNats,
  EVENTS_RAW,
  type HandleBatch,
  LeaseTable,
  PartitionConsumers,
  partitionConsumer,
  type SqlDatabase,
} from '../src/index.js';
import { CreateMessagingTables1764000000001, silent, until } from './fixtures.js';

const db = useDatabase('regulation', [CreateMessagingTables1764000000001]);
const nats = useNats();
const members: Member[] = [];
/** Leases that nobody renews last for longer than a test. */
const LONG_MS = 600_000;

interface Member {
  consumers: PartitionConsumers;
  connection: NatsConnection;
  /** Nothing of it reaches the database or the broker any more. */
  kill(): Promise<void>;
}

async function join(handle: HandleBatch, ttlMs?: number): Promise<Member> {
  let isDead = false;
  const alive = <T>(work: () => Promise<T>) => (isDead ? Promise.reject(new Error('killed')) : work());
  const database: SqlDatabase = {
    run: (sql, parameters) => alive(() => db.dataSource.run(sql, parameters)),
    transaction: (work) => alive(() => db.dataSource.transaction(work)),
  };
  const connection = await connectNats(nats.url, 'member');
  const leases = new LeaseTable(database, { role: 'filter', slots: PARTITIONS, ...(ttlMs && { ttlMs }) });
  const consumers = new PartitionConsumers({ nats: connection, role: 'filter', leases, handle, log: silent });
  const kill = () => {
    isDead = true;
    return connection.close();
  };
  const member = { consumers, connection, kill };
  members.push(member);
  consumers.start();
  return member;
}

const sharesEvenly = () =>
  members.every(({ consumers }) => consumers.partitions.length === PARTITIONS / members.length);

/** A source of a partition that the member owns. */
function sourceOf({ consumers }: Member) {
  for (let n = 0; ; n += 1) {
    const source = { workspaceId: '0ujtsYcgvSTl8PAuAdqWYSMnLOv', sourceId: `source-${n}` };
    if (consumers.partitions.includes(partitionOf(source.workspaceId, source.sourceId))) return source;
  }
}

const owners = async () => (await db.dataSource.run(`SELECT slot, owner, epoch FROM leases ORDER BY slot`)).rows;

afterEach(async () => {
  await Promise.all(members.map(({ consumers }) => consumers.stop()));
  await Promise.all(members.splice(0).map(({ connection }) => connection.close()));
  for (const emptied of ['leases', 'lease_members']) await db.dataSource.run(`DELETE FROM ${emptied}`);
  await (await patientManager(nats.connection)).streams.purge(EVENTS_RAW);
});

describe('partitions of a member', () => {
  it('that is killed are taken over long before its leases run out, and what it had in hand comes first', async () => {
    const finished: number[] = [];
    const handle: HandleBatch = async (messages) => {
      for (const message of messages) {
        finished.push((message.json() as { n: number }).n);
        message.ack();
      }
    };
    let wake = () => {};
    const asleep = new Promise<void>((done) => {
      wake = done;
    });
    const victim = await join(() => asleep, LONG_MS);
    const survivor = await join(handle, LONG_MS);
    await until(sharesEvenly);
    const source = sourceOf(victim);
    const stream = patientJetStream(nats.connection);
    const publish = (n: number) => stream.publish(rawSubject(source), JSON.stringify({ n }));
    for (let n = 0; n < 20; n += 1) await publish(n);
    const { consumers } = await patientManager(nats.connection);
    const durable = partitionConsumer('filter', partitionOf(source.workspaceId, source.sourceId));
    await until(async () => (await consumers.info(EVENTS_RAW, durable)).num_ack_pending === 20);
    await victim.kill();
    for (let n = 20; n < 25; n += 1) await publish(n);
    await until(() => survivor.consumers.partitions.length === PARTITIONS);
    await until(() => finished.length >= 25);
    expect(finished).toEqual(Array.from({ length: 25 }, (_, n) => n));
    wake();
  });

  it('that is connected and silent stay its own, however often others ask', async () => {
    const other = await join(async () => undefined, LONG_MS);
    await until(() => other.consumers.partitions.length === PARTITIONS);
    const silentMember = new LeaseTable(db.dataSource, { role: 'filter', slots: PARTITIONS, ttlMs: LONG_MS });
    silentMember.member = `answering-${silentMember.member}`;
    let asked = 0;
    nats.connection.subscribe(memberSubject('filter', silentMember.member), {
      callback: () => {
        asked += 1;
      },
    });
    await silentMember.heartbeat();
    await until(async () => (await silentMember.claim(PARTITIONS)).length > 0);
    const before = await owners();
    await until(() => asked > 8);
    expect(await owners()).toEqual(before);
  });

  it('stay where they are when the only broker restarts', async () => {
    await join(async () => undefined);
    await join(async () => undefined);
    await until(sharesEvenly);
    const before = await owners();
    await nats.restart();
    const renewed = await db.dataSource.run<{ at: Date }>(`SELECT max(expires_at) AS at FROM leases`);
    await until(async () => {
      const { rows } = await db.dataSource.run<{ at: Date }>(`SELECT min(expires_at) AS at FROM leases`);
      return (rows[0]?.at ?? 0) > (renewed.rows[0]?.at ?? 0);
    });
    expect(await owners()).toEqual(before);
  });
});
