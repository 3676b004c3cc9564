import { describe, expect, it } from '@jest/globals';
import { createInbox } from '@nats-io/transport-node';
import { partitionOf } from '@weir/contracts';
import { EVENTS_ACCEPTED, partitionConsumer } from '@weir/messaging';
import { type RecordingServer, startProcess, until, useDatabase, useNats } from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import { type DeliveryScene, eachTestOn, numbered, numbersAt as numbersIn } from './delivery-scene.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();
let scene: DeliveryScene;
let server: RecordingServer;

eachTestOn(database, nats, (stage) => {
  ({ scene, server } = stage);
});

const numbersAt = (path: string) => numbersIn(server, path);

describe('order', () => {
  it('of one user holds through retries, over batches', async () => {
    await scene.webhook(`${server.url}/hook`);
    const failing = new Set([0, 2, 7]);
    server.answer(({ json }) => {
      const { n } = (json as { properties: { n: number } }).properties;
      return failing.delete(n) ? { status: 503 } : {};
    });
    await scene.startDeliverer();
    await scene.accept([0, 1, 2].map((n) => numbered(n)));
    await scene.accept([3, 4].map((n) => numbered(n)));
    for (let n = 5; n < 10; n += 1) await scene.accept([numbered(n)]);
    await server.received(13);
    const arrived = numbersAt('/hook').filter(
      (n, index, all) => all.indexOf(n) === all.lastIndexOf(n) || all.lastIndexOf(n) === index,
    );
    expect(arrived).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

describe('a message that is lost on its way', () => {
  it('is noticed by the gap that it leaves, and comes before whatever is newer', async () => {
    await scene.webhook(`${server.url}/hook`);
    await scene.startDeliverer();
    await scene.accept([numbered(0)]);
    await server.received(1);
    const stolen = nats.connection.subscribe(createInbox(), { callback: () => undefined });
    const consumer = partitionConsumer('deliverer', partitionOf(scene.workspaceId, scene.sourceId));
    const pull = `$JS.API.CONSUMER.MSG.NEXT.${EVENTS_ACCEPTED}.${consumer}`;
    nats.connection.publish(pull, '{"batch":2}', { reply: stolen.getSubject() });
    for (let n = 1; n <= 40; n += 1) await scene.accept([numbered(n)]);
    await until('two messages to go astray', () => stolen.getReceived() === 2);
    stolen.unsubscribe();
    await until('everything', () => numbersAt('/hook').includes(40));
    expect([...new Set(numbersAt('/hook'))]).toEqual(Array.from({ length: 41 }, (_, n) => n));
  });
});

describe('a restart', () => {
  it('in the middle loses nothing and keeps the order', async () => {
    await scene.webhook(`${server.url}/hook`);
    server.answer(({ json }) => ((json as { properties: { n: number } }).properties.n >= 3 ? { status: 503 } : {}));
    await scene.startDeliverer();
    for (let n = 0; n < 20; n += 1) await scene.accept([numbered(n)]);
    await server.received(4);
    await scene.stopDeliverers();
    server.answer({});
    server.clear();
    await scene.startDeliverer();
    await until('everything', () => numbersAt('/hook').includes(19));
    expect(numbersAt('/hook')).toEqual(Array.from({ length: 17 }, (_, index) => index + 3));
    await scene.drained();
  });

  it('after SIGKILL goes on where it was: nothing is lost and order holds', async () => {
    await scene.webhook(`${server.url}/hook`);
    const killed = await startProcess('delivery-service.deliverer', scene.environment());
    for (let n = 0; n < 30; n += 1) await scene.accept([numbered(n)]);
    await server.received(5);
    killed.kill('SIGKILL');
    await killed.exited;
    const before = numbersAt('/hook').length;
    await scene.startDeliverer();
    await until('everything', () => numbersAt('/hook').includes(29));
    await scene.drained();
    const after = numbersAt('/hook').slice(before);
    expect(numbersAt('/hook').slice(0, before)).toEqual(Array.from({ length: before }, (_, n) => n));
    expect(after).toEqual(Array.from({ length: after.length }, (_, index) => 30 - after.length + index));
  });

  it('of the broker is survived', async () => {
    await scene.webhook(`${server.url}/hook`);
    await scene.startDeliverer();
    await scene.accept([numbered(0)]);
    await server.received(1);
    await nats.restart();
    await until('the broker', () => scene.accept([numbered(1)]).catch(() => undefined));
    await until('the event', () => numbersAt('/hook').includes(1));
  });
});

describe('two deliverers', () => {
  it('share the work; one that leaves in the middle loses nothing and repeats nothing', async () => {
    const paths = Array.from({ length: 8 }, (_, each) => `/hook-${each}`);
    for (const path of paths) await scene.webhook(server.url + path);
    await scene.startDeliverer();
    const leaving = await scene.startDeliverer();
    await scene.shared();
    server.answer({ delayMs: 20 });
    for (let n = 0; n < 20; n += 1) await scene.accept([numbered(n)]);
    await server.received(8);
    const left = leaving.close();
    for (let n = 20; n < 40; n += 1) await scene.accept([numbered(n)]);
    await left;
    await server.received(320);
    await scene.drained();
    const inOrder = Array.from({ length: 40 }, (_, n) => n);
    expect(paths.map(numbersAt)).toEqual(paths.map(() => inOrder));
  });
});
