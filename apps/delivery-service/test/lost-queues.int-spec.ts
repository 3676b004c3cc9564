import { randomUUID } from 'node:crypto';
import { expect, it, jest } from '@jest/globals';
import { deliverySubject, partitionOf } from '@weir/contracts';
import { DELIVERIES, StreamPublisher } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import { patientJetStream, patientManager, type RecordingServer, until, useDatabase, useNats } from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import { type DeliveryScene, eachTestOn, numbered, numbersAt } from './delivery-scene.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();
let scene: DeliveryScene;
let server: RecordingServer;
eachTestOn(database, nats, (stage) => ({ scene, server } = stage));

/** Makes the stream anew with numbers that start over, as brokers before NATS 2.10 do. */
async function loseStream(): Promise<void> {
  const { streams } = await patientManager(nats.connection);
  const { config } = await streams.info(DELIVERIES);
  await streams.delete(DELIVERIES);
  await streams.add({ ...config, first_seq: 0 });
}

/** Writes an event into a queue, as another process does for a replay. Returns its number. */
async function write(destinationId: string, n: number): Promise<number> {
  const { workspaceId, sourceId } = scene;
  const part = { batchId: newKsuid(), sourceId, receivedAt: new Date().toISOString(), events: [numbered(n, `u${n}`)] };
  const subject = deliverySubject(partitionOf(workspaceId, sourceId), destinationId);
  const text = JSON.stringify({ workspaceId, destinationId, parts: [part] });
  return (await patientJetStream(nats.connection).publish(subject, text, { msgID: part.batchId })).seq;
}

it('a stream that is made anew under a deliverer mixes up no messages, although numbers come again', async () => {
  await loseStream();
  const [first, second] = [await scene.webhook(`${server.url}/first`), await scene.webhook(`${server.url}/second`)];
  const down = new Set(['/first', '/second']);
  server.answer(({ path }) => (down.has(path ?? '') ? { status: 503 } : {}));
  await scene.startDeliverer();
  for (const n of [0, 1]) {
    await scene.accept([numbered(n, `u${n}`)]);
    for (const { id } of [first, second])
      await until(`event ${n} to be queued`, async () => (await scene.queued(id)) === n + 1);
  }
  await loseStream();
  // the first destination knows messages with these numbers
  const numbers = [
    await write(second.id, 20),
    await write(second.id, 21),
    await write(first.id, 10),
    await write(first.id, 11),
  ];
  expect(numbers).toEqual([1, 2, 3, 4]);
  down.delete('/first');
  await until('all of the first', () => new Set(numbersAt(server, '/first').filter((n) => n >= 10)).size === 2);
  await until('its queue to be empty', async () => (await scene.queued(first.id)) === 0);
  expect(await scene.queued(second.id)).toBe(2);
  down.delete('/second');
  await until('all of the second', () => new Set(numbersAt(server, '/second').filter((n) => n >= 20)).size === 2);
  await scene.drained();
  expect(numbersAt(server, '/first').some((n) => n >= 20)).toBe(false);
  expect(numbersAt(server, '/second').some((n) => n >= 10 && n < 20)).toBe(false);
});

it('events in a message that the broker took only under another id stay, also when its queue is read again', async () => {
  const publishText = StreamPublisher.prototype.publishText;
  const renaming = jest.spyOn(StreamPublisher.prototype, 'publishText').mockImplementation(function (
    this: StreamPublisher,
    subject,
    text,
    options,
  ) {
    return publishText.call(this, subject, text, { ...options, msgId: randomUUID() });
  });
  const { id } = await scene.webhook(`${server.url}/down`);
  server.answer({ status: 503 });
  await scene.startDeliverer();
  for (const n of [0, 1, 2]) {
    await scene.accept([numbered(n, `u${n}`)]);
    await until(`event ${n} to be queued`, async () => (await scene.queued(id)) === n + 1);
  }
  renaming.mockRestore();
  await write(id, 3); // makes the deliverer read its queue from the start
  await until('the foreign event to be tried', () => numbersAt(server, '/down').includes(3));
  await scene.stopDeliverers();
  expect(await scene.queued(id)).toBe(4);
  server.answer({});
  await scene.startDeliverer();
  await scene.drained();
  expect(new Set(numbersAt(server, '/down'))).toEqual(new Set([0, 1, 2, 3]));
});
