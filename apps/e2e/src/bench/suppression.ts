import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { rawSubject } from '@weir/contracts';
import { launchStack, removeStack } from '@weir/local';
import { type Api, api, eventBatch } from '@weir/testing';
import { brokerOf } from './broker.js';
import { figure } from './report.js';
import { addSuppressions } from './suppression-rows.js';

const ROWS_DEFAULT = 10_000_000;
const RAW_STREAM = 'EVENTS_RAW';
const BATCH_EVENTS = 50;
/** Some seconds of work for the filter, so that its start does not count. */
const BATCHES = 4_000;
/** More than partitions, so that each has work. */
const SOURCES = 48;
/** One in this many events belongs to a suppressed user. */
const SUPPRESSED_EVERY = 100;
const POST_USERS = 5_000;
const POSTS = 5;
/** Messages to publish before their acknowledgements are awaited. */
const PUBLISH_WINDOW = 100;
const POLL_MS = 20;
/** Each measurement starts a process, which is noticeable on two cores. */
const MEMORY_POLL_MS = 500;
const MIB = 1_048_576;
const FILTER = 'regulation-service.filter';

/**
 * `npm run bench -- suppression [--rows 10000000]`: the filter and new regulations, with that many suppressed users in
 * PostgreSQL.
 */
export async function suppression(): Promise<void> {
  const { values } = parseArgs({ args: process.argv.slice(3), options: { rows: { type: 'string' } } });
  const rows = Number(values.rows ?? ROWS_DEFAULT);
  if (!Number.isSafeInteger(rows) || rows < 1) throw new Error('--rows is a number of users');
  const stack = await launchStack({
    processes: ['gateway.main', 'regulation-service.main', FILTER],
    env: { REGULATION_SUPPRESSION_TOKENS_PER_HOUR: '1000000' },
  });
  let nats: NatsConnection | undefined;
  try {
    nats = await brokerOf(stack.address.natsUrl);
    const client = api(stack.address);
    const { source } = (await client.post('/v2/sources', { name: 'bench', type: 'HTTP' })).body;
    await timed(`${rows.toLocaleString('en')} suppressed users written`, () =>
      addSuppressions(stack.address.databaseUrl, source.workspaceId, rows),
    );
    await measurePosts(client);
    await stack.hold(FILTER);
    const broker = nats;
    await timed(`${BATCHES} batches of ${BATCH_EVENTS} events published`, () => fill(broker, source.workspaceId));
    void stack.resume(FILTER);
    const mostBytes = await watched(
      () => stack.rss()[FILTER] ?? 0,
      () => measureDrain(broker),
    );
    figure('filter: resident at most', mostBytes / MIB, 'MiB');
  } finally {
    await nats?.close();
    await removeStack(stack);
  }
}

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await work();
  figure(name, (performance.now() - startedAt) / 1_000, 's', 2);
}

/** The largest value read while the work ran. */
async function watched(read: () => number, work: () => Promise<void>): Promise<number> {
  let most = 0;
  const look = () => {
    most = Math.max(most, read());
  };
  const timer = setInterval(look, MEMORY_POLL_MS);
  await work();
  clearInterval(timer);
  look();
  return most;
}

/** All requests have the same users, because only the size of the tables matters. */
async function measurePosts(client: Api): Promise<void> {
  const users = Array.from({ length: POST_USERS }, (_, n) => ({ userId: `suppressed-${n}` }));
  for (let n = 1; n <= POSTS; n += 1) {
    await timed(`POST of ${POST_USERS} users, no. ${n}`, async () => {
      const answer = await client.post('/v2/regulations', { regulationType: 'suppress', users });
      if (answer.status !== 201) throw new Error(`regulations answered ${answer.status}: ${answer.text}`);
    });
  }
}

async function fill(nats: NatsConnection, workspaceId: string): Promise<void> {
  const stream = jetstream(nats);
  for (let from = 0; from < BATCHES; from += PUBLISH_WINDOW) {
    const batches = Array.from({ length: PUBLISH_WINDOW }, (_, n) => batchOf(workspaceId, from + n));
    await Promise.all(
      batches.map((batch) => stream.publish(rawSubject(batch), JSON.stringify(batch), { msgID: batch.batchId })),
    );
  }
}

function batchOf(workspaceId: string, batch: number) {
  const sourceId = `bench${String(batch % SOURCES).padStart(22, '0')}`;
  const events = Array.from({ length: BATCH_EVENTS }, (_, index) => {
    const n = batch * BATCH_EVENTS + index;
    const userId = n % SUPPRESSED_EVERY === 0 ? `suppressed-${n % POST_USERS}` : `passing-${n}`;
    return { type: 'track', event: 'Bought', userId, properties: { price: n, currency: 'EUR' } };
  });
  return eventBatch({ workspaceId, sourceId, events });
}

/** Times from the first filtered event to the last, without the filter's start. */
async function measureDrain(nats: NatsConnection): Promise<void> {
  const manager = await jetstreamManager(nats);
  const waiting = async () => (await manager.streams.info(RAW_STREAM)).state.messages;
  const untilBelow = async (bound: number) => {
    for (;;) {
      const messages = await waiting();
      if (messages < bound) return { messages, at: performance.now() };
      await sleep(POLL_MS);
    }
  };
  const first = await untilBelow(BATCHES);
  const last = await untilBelow(1);
  const events = (first.messages - last.messages) * BATCH_EVENTS;
  figure(`filter: batches of ${BATCH_EVENTS}`, (events * 1_000) / (last.at - first.at), 'events/s');
}
