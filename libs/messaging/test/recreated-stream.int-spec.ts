import { afterEach, expect, it } from '@jest/globals';
import { PARTITIONS, rawSubject } from '@weir/contracts';
import { patientJetStream, patientManager, useDatabase, useNats } from '@weir/testing';
import { EVENTS_RAW, ensureTopology, LeaseTable, PartitionConsumers, type StreamMessage } from '../src/index.js';
import { CreateMessagingTables1764000000001, SOURCE, silent, until } from './fixtures.js';

const db = useDatabase('regulation', [CreateMessagingTables1764000000001]);
const nats = useNats();
let consumers: PartitionConsumers;

const publish = async (n: number) => {
  await patientJetStream(nats.connection).publish(rawSubject(SOURCE), JSON.stringify({ n }));
};
const numberOf = (message: StreamMessage) => (message.json() as { n: number }).n;

afterEach(() => consumers.stop());

it('messages of a stream that is made anew are handled, and those of the former one are answered no more', async () => {
  const kept: StreamMessage[] = [];
  const finished: number[] = [];
  const leases = new LeaseTable(db.dataSource, { role: 'filter', slots: PARTITIONS });
  const handle = async (messages: StreamMessage[]) => {
    for (const message of messages) {
      if (numberOf(message) < 10) {
        message.keep();
        kept.push(message);
      } else {
        finished.push(numberOf(message));
        message.ack();
      }
    }
  };
  consumers = new PartitionConsumers({ nats: nats.connection, role: 'filter', leases, handle, log: silent });
  consumers.start();
  for (const n of [0, 1, 2]) await publish(n);
  await until(() => kept.length === 3);
  const manager = await patientManager(nats.connection);
  await manager.streams.delete(EVENTS_RAW);
  await ensureTopology(nats.connection);
  for (const n of [10, 11, 12]) await publish(n);
  await until(() => finished.length === 3);
  const answers: string[] = [];
  const tap = nats.connection.subscribe(`$JS.ACK.${EVENTS_RAW}.>`, {
    callback: (_, { subject }) => void answers.push(subject),
  });
  for (const message of kept) message.ack();
  await nats.connection.flush();
  tap.unsubscribe();
  expect(answers).toEqual([]);
  expect(finished).toEqual([10, 11, 12]);
});
