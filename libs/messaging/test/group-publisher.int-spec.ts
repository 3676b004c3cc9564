import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { rawSubject } from '@weir/contracts';
import { patientManager, useNats } from '@weir/testing';
import { FLOOD_PAUSE_MS } from '../src/group-publisher.js';
import { EVENTS_RAW, GroupPublisher, unpackBatches } from '../src/index.js';
import { SOURCE } from './fixtures.js';

const nats = useNats();
const subject = rawSubject(SOURCE);
const manager = () => patientManager(nats.connection);
const range = (to: number) => Array.from({ length: to }, (_, n) => n);
const part = (n: number, bytes = 0) => ({ json: JSON.stringify({ n, text: 'x'.repeat(bytes) }), id: randomUUID() });

/** Numbers of the batches in the stream, per message. */
async function stored(): Promise<number[][]> {
  const { state } = await (await manager()).streams.info(EVENTS_RAW);
  const messages: number[][] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const message = await (await manager()).streams.getMessage(EVENTS_RAW, { seq });
    const parts = unpackBatches(message?.data ?? new Uint8Array());
    messages.push(parts.map((bytes) => JSON.parse(Buffer.from(bytes).toString()).n));
  }
  return messages;
}

/** The outcome of each publish, in order. */
const outcomes = async (publishes: Promise<void>[]) =>
  (await Promise.allSettled(publishes)).map(({ status }) => status);

describe('GroupPublisher', () => {
  let publisher: GroupPublisher;
  beforeEach(async () => {
    await (await manager()).streams.purge(EVENTS_RAW);
    publisher = new GroupPublisher(nats.connection);
  });

  it('stores what comes at once in one message, in order', async () => {
    await Promise.all(range(300).map((n) => publisher.publish(subject, part(n))));
    expect(await stored()).toEqual([range(300)]);
  });

  it('stores a flood in few messages, in order', async () => {
    const publishes: Promise<void>[] = [];
    const startedAt = performance.now();
    for (const n of range(100)) {
      publishes.push(publisher.publish(subject, part(2 * n)), publisher.publish(subject, part(2 * n + 1)));
      await sleep(1);
    }
    await Promise.all(publishes);
    // A timer may fire a millisecond early. The duration of the flood depends on the machine.
    const pauses = (performance.now() - startedAt) / (FLOOD_PAUSE_MS - 1);
    const messages = await stored();
    expect(messages.flat()).toEqual(range(200));
    expect(messages.length).toBeLessThanOrEqual(1 + pauses);
    expect(messages.filter((parts) => parts.length < 2)).toEqual([]);
  });

  it('keeps every message below what the broker takes', async () => {
    await Promise.all(range(12).map((n) => publisher.publish(subject, part(n, 300_000))));
    const messages = await stored();
    expect(messages.flat()).toEqual(range(12));
    expect(messages.length).toBeGreaterThan(3);
  });

  it('stores one that comes alone once, however often it comes', async () => {
    const one = part(1);
    await publisher.publish(subject, one);
    await publisher.publish(subject, one);
    expect(await stored()).toEqual([[1]]);
  });

  it('stores again what comes again in other company: who reads the stream goes by the ids of the batches', async () => {
    const parts = range(3).map((n) => part(n));
    const publishAll = (some: typeof parts) => Promise.all(some.map((one) => publisher.publish(subject, one)));
    await publishAll(parts.slice(0, 2));
    await publishAll(parts.slice(0, 2));
    await publishAll(parts);
    expect(await stored()).toEqual([[0, 1], range(3)]);
  });

  it('refuses with one everything that waits behind it, and nothing later', async () => {
    const { config, state } = await (await manager()).streams.info(EVENTS_RAW);
    await (await manager()).streams.update(EVENTS_RAW, { ...config, max_bytes: state.bytes + 600 });
    // Too large for one message together. The first is refused, and then the others.
    const refused = outcomes(
      [part(0, 600_000), part(1, 600_000), part(2)].map((one) => publisher.publish(subject, one)),
    );
    expect(await refused).toEqual(['rejected', 'rejected', 'rejected']);
    await publisher.publish(subject, part(3));
    expect(await stored()).toEqual([[3]]);
    await (await manager()).streams.update(EVENTS_RAW, config);
  });

  it('refuses at once while the broker is away, also what is under way, and goes on when it is back', async () => {
    const underWay = range(20).map((n) => publisher.publish(subject, part(n)));
    const settled = outcomes(underWay);
    await nats.hold();
    await settled;
    await expect(publisher.publish(subject, part(100))).rejects.toMatchObject({ code: 'unavailable' });
    await nats.resume();
    await publisher.publish(subject, part(101));
    expect((await stored()).flat()).toContain(101);
  });
});
