import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { acceptedSubject, rawSubject, sizedSubject, sizeOf } from '@weir/contracts';
import { patientJetStream, patientManager, useNats } from '@weir/testing';
import { EVENTS_ACCEPTED, EVENTS_RAW, ensureTopology, GroupPublisher, StreamShares } from '../src/index.js';
import { silent } from './fixtures.js';

const nats = useNats();
const ROOM = 1_048_576;
const manager = () => patientManager(nats.connection);
const usedBytes = async () => {
  const { streams } = await manager();
  const infos = await Promise.all([EVENTS_RAW, EVENTS_ACCEPTED].map((name) => streams.info(name)));
  return infos.reduce((sum, { state }) => sum + state.bytes, 0);
};

describe('StreamShares', () => {
  let publisher: GroupPublisher;
  let shares: StreamShares;
  beforeEach(async () => {
    await ensureTopology(nats.connection, { streamBytesMax: ROOM });
    for (const name of [EVENTS_RAW, EVENTS_ACCEPTED]) await (await manager()).streams.purge(name);
    publisher = new GroupPublisher(nats.connection);
    shares = new StreamShares(nats.connection, silent);
  });

  /** Writes batches of a workspace while it has room. Returns how many bytes there were. */
  async function fill(workspaceId: string, bytes: number, subject = rawSubject): Promise<number> {
    let written = 0;
    await shares.look();
    while (shares.hasRoom(workspaceId) && written < 2 * ROOM) {
      const json = JSON.stringify('x'.repeat(bytes));
      await publisher.publish(subject({ workspaceId, sourceId: 's' }), { json, id: randomUUID() });
      written += json.length;
      await shares.look();
    }
    return written;
  }

  it('gives a workspace that is alone three quarters of the room, and leaves the others some', async () => {
    const first = await fill('greedy', 20_000);
    expect(first / ROOM).toBeGreaterThan(0.7);
    expect((await usedBytes()) / ROOM).toBeLessThan(0.8);
    expect(shares.hasRoom('other')).toBe(true);
    const second = await fill('other', 2_000);
    expect(second / ROOM).toBeGreaterThan(0.05);
    expect(shares.hasRoom('third')).toBe(true);
  });

  it('counts both streams as one room', async () => {
    await fill('greedy', 20_000, acceptedSubject);
    expect(shares.hasRoom('greedy')).toBe(false);
    await (await manager()).streams.purge(EVENTS_ACCEPTED);
    await shares.look();
    expect(shares.hasRoom('greedy')).toBe(true);
  });

  it('counts what the process has written since it looked', async () => {
    await shares.look();
    shares.add('greedy', ROOM * 0.8);
    expect([shares.hasRoom('greedy'), shares.hasRoom('other')]).toEqual([false, true]);
    await shares.look();
    expect(shares.hasRoom('greedy')).toBe(true);
  });

  it('refuses nobody for messages of an earlier release, or before the broker has told', async () => {
    expect(shares.hasRoom('anybody')).toBe(true);
    const stream = patientJetStream(nats.connection);
    const subject = rawSubject({ workspaceId: 'old', sourceId: 's' });
    for (let n = 0; n < 9; n += 1) await stream.publish(subject, 'x'.repeat(100_000));
    await shares.look();
    expect(shares.hasRoom('old')).toBe(true);
  });

  it.each([EVENTS_RAW, EVENTS_ACCEPTED])('holds on to what it knew while %s does not answer', async (name) => {
    await fill('greedy', 20_000, name === EVENTS_RAW ? acceptedSubject : rawSubject);
    await (await manager()).streams.delete(name);
    await expect(shares.look()).rejects.toThrow('not found');
    expect([shares.hasRoom('greedy'), shares.hasRoom('other')]).toEqual([false, true]);
    shares.add('other', ROOM * 0.3);
    await expect(shares.look()).rejects.toThrow('not found');
    expect(shares.hasRoom('other')).toBe(name !== EVENTS_RAW);
  });
});

describe('sizedSubject', () => {
  it('names the size in KiB, and the workspace can be read', () => {
    const subject = sizedSubject('events.raw.3.workspace.source', 1_025);
    expect(subject).toBe('events.raw.3.2.workspace.source');
    expect(sizeOf(subject)).toEqual({ workspaceId: 'workspace', bytes: 2_048 });
    expect(sizeOf('events.raw.3.workspace.source')).toBeUndefined();
  });
});
