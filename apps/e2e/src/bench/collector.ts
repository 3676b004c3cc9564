import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { acceptedSubject } from '@weir/contracts';
import { type LocalStack, launchStack, removeStack } from '@weir/local';
import { brokerOf } from './broker.js';
import { batchOf } from './collector-events.js';
import { cpuSeconds } from './cpu.js';
import { figure } from './report.js';

const STREAM = 'EVENTS_ACCEPTED';
const COLLECTOR = 'schema-service.collector';
const BATCH_EVENTS = 50;
const MODELS = 100;
const MANY_MODELS = 1_000;
const EVENTS_DEFAULT = 200_000;
/** Messages to publish before their acknowledgements are awaited. */
const PUBLISH_WINDOW = 100;
const POLL_MS = 20;
const MIB = 1_048_576;
const MICROSECONDS = 1_000_000;

/** `npm run bench -- collector [events]`: one collector behind a backlog, and its memory. */
export async function collector(): Promise<void> {
  const [events = EVENTS_DEFAULT] = process.argv.slice(3).map(Number);
  const stack = await launchStack({ processes: [COLLECTOR] });
  let nats: NatsConnection | undefined;
  try {
    nats = await brokerOf(stack.address.natsUrl);
    await leaveToCollectors(nats);
    await measure(stack, nats, { events: Math.ceil(events / 10), models: MODELS, label: 'warm-up' });
    await measure(stack, nats, { events, models: MODELS, label: `${MODELS} models` });
    await measure(stack, nats, { events, models: MANY_MODELS, label: `${MANY_MODELS} models` });
  } finally {
    await nats?.close();
    await removeStack(stack);
  }
}

/** Removes the deliverer's consumers, because nothing delivers here. The stream then drops what the collector acknowledged. */
async function leaveToCollectors(nats: NatsConnection): Promise<void> {
  const manager = await jetstreamManager(nats);
  const names: string[] = [];
  for await (const { name } of manager.consumers.list(STREAM)) if (name.startsWith('deliverer-')) names.push(name);
  for (const name of names) await manager.consumers.delete(STREAM, name);
}

interface Load {
  events: number;
  models: number;
  label: string;
}

/** Publishes while the collector is suspended, then times it from its first acknowledgement to the last. */
async function measure(stack: LocalStack, nats: NatsConnection, { events, models, label }: Load): Promise<void> {
  await stack.hold(COLLECTOR);
  await fill(nats, { events, models });
  const messages = await waiting(nats);
  const sampling = sampleMemory(stack);
  void stack.resume(COLLECTOR);
  const first = await untilBelow(nats, messages);
  const before = cpuOf(stack);
  const last = await untilBelow(nats, 1);
  const cpu = cpuOf(stack) - before;
  const counted = (first.messages - last.messages) * BATCH_EVENTS;
  figure(`${label}: events of 60 paths`, (counted * 1_000) / (last.at - first.at), '/s');
  figure(`${label}: CPU of the collector`, (cpu * MICROSECONDS) / counted, 'µs an event', 1);
  figure(`${label}: resident, at most`, sampling.stop() / MIB, 'MiB');
}

const cpuOf = (stack: LocalStack) => cpuSeconds(stack.programs()).get(COLLECTOR) ?? Number.NaN;

async function fill(nats: NatsConnection, { events, models }: Pick<Load, 'events' | 'models'>): Promise<void> {
  const stream = jetstream(nats);
  const batches = Math.ceil(events / BATCH_EVENTS);
  for (let from = 0; from < batches; from += PUBLISH_WINDOW) {
    const some = Array.from({ length: Math.min(PUBLISH_WINDOW, batches - from) }, (_, n) =>
      batchOf(from + n, { events: BATCH_EVENTS, models }),
    );
    await Promise.all(
      some.map((batch) => stream.publish(acceptedSubject(batch), JSON.stringify(batch), { msgID: batch.batchId })),
    );
  }
}

async function waiting(nats: NatsConnection): Promise<number> {
  return (await (await jetstreamManager(nats)).streams.info(STREAM)).state.messages;
}

async function untilBelow(nats: NatsConnection, bound: number) {
  for (;;) {
    const messages = await waiting(nats);
    if (messages < bound) return { messages, at: performance.now() };
    await sleep(POLL_MS);
  }
}

function sampleMemory(stack: LocalStack): { stop: () => number } {
  let most = 0;
  const look = () => {
    most = Math.max(most, stack.rss()[COLLECTOR] ?? 0);
  };
  const timer = setInterval(look, POLL_MS * 5);
  return {
    stop: () => {
      clearInterval(timer);
      look();
      return most;
    },
  };
}
