import { hash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  PARTITIONS,
  partitionOf,
  rawSubject,
  type SourceRecord,
  spreadPartitionOf,
  withoutSize,
} from '@weir/contracts';
import { EVENTS_RAW } from '@weir/messaging';
import { patientManager } from '@weir/testing';
import { intakeClient } from './intake-client.js';
import { useGateway } from './running-gateway.js';

const gateway = useGateway();
const { newSource, send, placed, stored, eventsOf } = intakeClient(gateway);

const USERS = 50;
/** Two events of each user, with message ids. */
const batchOf = (name: string) =>
  Array.from({ length: 2 * USERS }, (_, n) => ({
    ...{ type: 'track', event: 'Bought', messageId: `${name}-${n}`, userId: ` user-${n % USERS} ` },
  }));
const idsOf = (events: readonly object[]) => events.map((event) => Reflect.get(event, 'messageId'));

describe('a source that is spread', () => {
  it.each([2, 5, PARTITIONS])('over %d partitions stores each user in the partition of its id', async (partitions) => {
    const source = await newSource({ partitions });
    const sent = batchOf('spread');
    expect(await send(source, 'batch', { batch: sent })).toMatchObject({ status: 200, text: 'OK' });
    const batches = await placed(source);
    expect(batches).toHaveLength(partitions);
    for (const { subject, batch } of batches) {
      expect(withoutSize(subject)).toBe(rawSubject(batch));
      for (const { userId } of batch.events)
        expect(batch.partition).toBe(spreadPartitionOf(source, String(userId).trim()));
      const own = new Set(idsOf(batch.events));
      expect(idsOf(batch.events)).toEqual(idsOf(sent).filter((id) => own.has(id)));
    }
    expect(idsOf(batches.flatMap(({ batch }) => batch.events)).sort()).toEqual(idsOf(sent).sort());
  });

  it('places an event without a userId by its anonymousId, on every path', async () => {
    const source = await newSource({ partitions: PARTITIONS });
    const of = (n: number) => ({ anonymousId: `visitor-${n}`, userId: n % 2 ? ' ' : undefined });
    for (let n = 0; n < 8; n += 1) await send(source, 'page', of(n));
    for (const { anonymousId } of await eventsOf(source)) {
      const batch = (await stored(source)).find(({ events }) => events[0]?.['anonymousId'] === anonymousId);
      expect(batch?.partition).toBe(spreadPartitionOf(source, String(anonymousId)));
    }
    expect(await eventsOf(source)).toHaveLength(8);
  });

  it('stores a retry once, also when a part of the first request was refused', async () => {
    const source = await newSource({ partitions: 4 });
    const manager = await patientManager(gateway.nats.connection);
    const { config } = await manager.streams.info(EVENTS_RAW);
    const refused = spreadPartitionOf(source, 'user-0');
    // the same size as the batch below gives the same subject
    const before = batchOf('prior').filter(({ userId }) => spreadPartitionOf(source, userId.trim()) === refused);
    expect((await send(source, 'batch', { batch: before })).status).toBe(200);
    await manager.streams.update(EVENTS_RAW, { ...config, max_msgs_per_subject: 1, discard_new_per_subject: true });
    const batch = batchOf('again');
    expect(await send(source, 'batch', { batch })).toMatchObject({ status: 503, text: 'service unavailable\n' });
    const others = await stored(source);
    expect(others.filter(({ partition }) => partition !== refused)).toHaveLength(3);
    expect(others.filter(({ partition }) => partition === refused)).toHaveLength(1);
    await manager.streams.update(EVENTS_RAW, { ...config, max_msgs_per_subject: -1, discard_new_per_subject: false });
    for (let retry = 0; retry < 2; retry += 1)
      expect(await send(source, 'batch', { batch, sentAt: new Date() })).toMatchObject({ status: 200 });
    expect(await stored(source)).toHaveLength(5);
    expect(idsOf(await eventsOf(source)).sort()).toEqual([...idsOf(before), ...idsOf(batch)].sort());
  });

  it('keeps the batches of one partition in order when they need several messages', async () => {
    const source = await newSource({ partitions: 2 });
    const text = 'x'.repeat(30_000);
    const batch = batchOf('large').map((event) => ({ ...event, properties: { text } }));
    expect((await send(source, 'batch', { batch })).status).toBe(200);
    const byPartition = Map.groupBy(await stored(source), ({ partition }) => partition);
    expect(byPartition.size).toBe(2);
    for (const batches of byPartition.values()) {
      expect(batches.length).toBeGreaterThan(1);
      const ids = idsOf(batches.flatMap(({ events }) => events));
      expect(ids).toEqual(idsOf(batch).filter((id) => ids.includes(id)));
    }
    expect(await eventsOf(source)).toHaveLength(batch.length);
  });
});

/** As before sources could be spread. */
const idBefore = (source: SourceRecord, position: number, contents: readonly object[]) =>
  hash('sha256', [source.id, position, ...contents.map((one) => JSON.stringify(one))].join('\n'), 'hex');

it('a source that is not spread has one batch for a request, with the subject and the id that it always had', async () => {
  const source = await newSource();
  const batch = batchOf('whole');
  expect((await send(source, 'batch', { batch })).status).toBe(200);
  const [only, ...more] = await placed(source);
  expect(more).toEqual([]);
  const { workspaceId, id } = source;
  expect(withoutSize(only?.subject ?? '')).toBe(`events.raw.${partitionOf(workspaceId, id)}.${workspaceId}.${id}`);
  expect(Object.keys(only?.batch ?? {})).not.toContain('partition');
  expect(only?.batch.batchId).toBe(idBefore(source, 0, batch));
});
