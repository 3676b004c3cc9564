import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type StandaloneServer, startNatsCluster } from '@weir/local-servers';
import { isTestBrokerReliable, patientManager, until } from '@weir/testing';
import { connectNats, EVENTS_RAW, StreamPublisher } from '../src/index.js';

const SUBJECTS = 40;
const FAULTS = 12;
/** Longer than an election, so that another server leads meanwhile. */
const PAUSE_MS = 6_000;
const GRACE_MS = 3_000;
const SERVERS = 3;
const isReliable = await isTestBrokerReliable(SERVERS);

(isReliable ? describe : describe.skip)('StreamPublisher on three servers (needs nats-server 2.11)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-publisher-'));
  let servers: StandaloneServer[] = [];
  let nats: NatsConnection;
  let manager: JetStreamManager;

  beforeAll(async () => {
    servers = await startNatsCluster(folder, SERVERS);
    nats = await connectNats(servers.map(({ url }) => url).join(), 'test');
    // Servers that have not met yet never answer.
    const isMet = () =>
      nats.request('$JS.API.INFO', undefined, { timeout: 1_000 }).then(
        () => true,
        () => false,
      );
    await until('the servers to meet', isMet);
    manager = await patientManager(nats);
    const stream = { name: EVENTS_RAW, subjects: ['events.raw.>'], num_replicas: SERVERS };
    await until('the stream', () =>
      manager.streams.add(stream).then(
        () => true,
        () => false,
      ),
    );
  });
  afterAll(async () => {
    await nats?.close();
    await Promise.all(servers.map(({ server }) => server.stop(GRACE_MS)));
    rmSync(folder, { recursive: true });
  });

  /** Place of the server that leads the stream. */
  async function leader(): Promise<number> {
    let name: string | undefined;
    await until('a leader', async () => {
      name = await manager.streams.info(EVENTS_RAW).then(
        ({ cluster }) => cluster?.leader,
        () => undefined,
      );
      return name !== undefined;
    });
    return Number(name?.at(-1)) - 1;
  }

  async function disturb(n: number): Promise<void> {
    const place = await leader();
    if (n % 2 === 0) {
      servers[place]?.server.signal('SIGSTOP');
      await sleep(PAUSE_MS);
      servers[place]?.server.signal('SIGCONT');
    } else {
      await nats.request(`$JS.API.STREAM.LEADER.STEPDOWN.${EVENTS_RAW}`).catch(() => undefined);
    }
    await sleep(Math.random() * 1_000);
  }

  async function stored(): Promise<Set<string>> {
    const ids = new Set<string>();
    const { state } = await manager.streams.info(EVENTS_RAW);
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
      const message = await manager.streams.getMessage(EVENTS_RAW, { seq });
      if (message) ids.add(message.json<{ id: string }>().id);
    }
    return ids;
  }

  it('has stored everything that it said is stored, while leaders stop and move', async () => {
    const publisher = new StreamPublisher(nats);
    const confirmed: string[] = [];
    let isOver = false;
    /** Repeats each message until it is confirmed, as every caller does. */
    const send = async (n: number) => {
      const id = randomUUID();
      const attempt = () =>
        publisher.publish(`events.raw.${n}`, { id }, { msgId: id }).then(
          () => true,
          () => false,
        );
      while (!(await attempt())) await sleep(50);
      confirmed.push(id);
      await sleep(5);
    };
    const senders = Array.from({ length: SUBJECTS }, async (_, n) => {
      while (!isOver) await send(n);
    });
    for (let n = 0; n < FAULTS; n += 1) await disturb(n);
    isOver = true;
    await Promise.all(senders);
    await leader();
    const known = await stored();
    expect(confirmed.length).toBeGreaterThan(0);
    expect(confirmed.filter((id) => !known.has(id))).toEqual([]);
  });
});
