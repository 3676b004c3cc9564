import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DELIVERIES } from '@weir/messaging';
import {
  patientManager,
  type RecordingServer,
  recordingServer,
  trackEvent,
  until,
  useDatabase,
  useNats,
} from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import { DeliveryScene, numbersAt as numbersIn } from './delivery-scene.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();
let scene: DeliveryScene;
let server: RecordingServer;

/** Size of the stream. A destination alone gets a sixth of three quarters of it. */
const STREAM_BYTES = 16_777_216;
const EVENT_BYTES = 300_000;
const EVENTS = 60;

beforeEach(async () => {
  scene = new DeliveryScene(database, nats);
  server = await recordingServer();
  const { streams } = await patientManager(nats.connection);
  await streams.update(DELIVERIES, { max_bytes: STREAM_BYTES });
});
afterEach(async () => {
  await scene.close();
  await (await patientManager(nats.connection)).streams.purge(DELIVERIES);
  await server.close();
});

const large = (n: number, userId = 'u1') => trackEvent({ userId, properties: { n, pad: 'x'.repeat(EVENT_BYTES) } });
const numbersAt = (path: string) => numbersIn(server, path);
const sorted = (numbers: readonly number[]) => [...new Set(numbers)].sort((a, b) => a - b);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

/** Messages and bytes of DELIVERIES that wait for a destination. */
async function waitingFor(id: string): Promise<{ messages: number; bytes: number }> {
  const { streams } = await patientManager(nats.connection);
  const { state } = await streams.info(DELIVERIES);
  return { messages: await scene.queued(id), bytes: state.bytes };
}
const counted = async (id: string): Promise<number> => {
  const sql = 'SELECT coalesce(sum(bytes), 0)::int AS bytes FROM delivery_shares WHERE destination_id = $1';
  const [row] = await database.dataSource.query<[{ bytes: number }]>(sql, [id]);
  return row.bytes;
};

describe('a destination that is down', () => {
  it('keeps its share of the stream; what does not fit becomes dead letters, and everybody else goes on', async () => {
    const down = await scene.webhook(`${server.url}/down`);
    await scene.webhook(`${server.url}/fine`);
    server.answer(({ path }) => (path === '/down' ? { status: 503 } : {}));
    scene.standIns.suppressed.add('gone');
    await scene.startDeliverer();
    for (let n = 0; n < EVENTS; n += 1) {
      const isGone = n % 10 === 7;
      await scene.accept([large(n, isGone ? 'gone' : 'u1')]);
      if (!isGone) await until('the healthy one', () => numbersAt('/fine').includes(n));
    }
    await scene.routed();
    const letters = await scene.letters();
    expect(letters.length).toBeGreaterThan(EVENTS / 2);
    expect(new Set(letters.map(({ stage, attempts }) => `${stage} ${attempts}`))).toEqual(new Set(['queue 0']));
    expect(letters[0]?.reason).toMatch(/share of the queue of this destination is full/);
    expect(letters.filter(({ event }) => event['userId'] === 'gone')).toEqual([]);
    const { bytes } = await waitingFor(down.id);
    expect(bytes).toBeGreaterThan(2 * EVENT_BYTES);
    expect(bytes).toBeLessThan(STREAM_BYTES / 4);
  });

  it('has no more than its share when deliverers are killed, and all of it again when it is back', async () => {
    const { id } = await scene.webhook(`${server.url}/down`);
    server.answer({ status: 503 });
    await scene.startDeliverer();
    for (let n = 0; n < 20; n += 1) await scene.accept([large(n)]);
    await scene.routed();
    await until('the counts to be told', async () => (await counted(id)) > EVENT_BYTES);
    await scene.stopDeliverers();
    await Promise.all([scene.startDeliverer(), scene.startDeliverer()]);
    for (let n = 20; n < 40; n += 1) await scene.accept([large(n)]);
    await scene.routed();
    const { messages, bytes } = await waitingFor(id);
    expect(bytes).toBeLessThan(STREAM_BYTES / 4);
    const letters = await scene.letters();
    expect(messages).toBeGreaterThan(0);
    server.answer({});
    await until('what waited to arrive', async () => (await waitingFor(id)).messages === 0);
    const buried = letters.map(({ event }) => (event['properties'] as { n: number }).n);
    expect(sorted([...numbersAt('/down'), ...buried])).toEqual(range(0, 40));
    await until('the counts to be back', async () => (await counted(id)) === 0);
    await scene.accept([large(40)]);
    await until('the next one to arrive', () => numbersAt('/down').includes(40));
    expect(await scene.letters()).toHaveLength(letters.length);
  });
});

describe('a stream that is full all the same', () => {
  it('stops no partition: what has no room becomes dead letters', async () => {
    const { streams } = await patientManager(nats.connection);
    await streams.update(DELIVERIES, { max_bytes: 200_000 });
    await scene.webhook(`${server.url}/fine`);
    server.answer(({ json }) => ((json as { properties: { n: number } }).properties.n === 0 ? { status: 503 } : {}));
    await scene.startDeliverer();
    await scene.accept([large(0)]);
    await until('the large one to be a dead letter', async () => (await scene.letters()).length === 1);
    await scene.accept([trackEvent({ properties: { n: 1 } })]);
    await until('the small one', () => numbersAt('/fine').includes(1));
    await scene.routed();
    expect((await scene.letters()).map(({ stage }) => stage)).toEqual(['queue']);
  });
});
