import { afterEach, expect, it } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import { PARTITIONS } from '@weir/contracts';
import { useDatabase, useNats, useTcpProxy } from '@weir/testing';
import { connectNats, LeaseTable, PartitionConsumers } from '../src/index.js';
import { CreateMessagingTables1764000000001, silent, until } from './fixtures.js';

const db = useDatabase('regulation', [CreateMessagingTables1764000000001]);
const nats = useNats();
const way = useTcpProxy(() => nats.url);
const connections: NatsConnection[] = [];
const members: PartitionConsumers[] = [];

async function join(url: string): Promise<PartitionConsumers> {
  const connection = await connectNats(url, 'member');
  const leases = new LeaseTable(db.dataSource, { role: 'filter', slots: PARTITIONS });
  const handle = async () => undefined;
  const member = new PartitionConsumers({ nats: connection, role: 'filter', leases, handle, log: silent });
  connections.push(connection);
  members.push(member);
  member.start();
  return member;
}

afterEach(async () => {
  await Promise.all(members.splice(0).map((member) => member.stop()));
  await Promise.all(connections.splice(0).map((connection) => connection.close()));
});

it('a member that cannot reach the broker leaves its partitions to one that can, and shares again when it is back', async () => {
  const cutOff = await join(way.url);
  const other = await join(nats.url);
  await until(() => cutOff.partitions.length === 8 && other.partitions.length === 8);
  way.hold();
  await until(() => other.partitions.length === PARTITIONS);
  expect(cutOff.partitions).toEqual([]);
  way.release();
  await until(() => cutOff.partitions.length === 8 && other.partitions.length === 8);
});
