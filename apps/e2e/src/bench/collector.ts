import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { acceptedSubject } from '@weir/contracts';
import { type LocalStack, launchStack, removeStack } from '@weir/local';
import { brokerOf } from './broker.js';
import { batchOf, wideBatchOf } from './collector-events.js';
import { cpuSeconds } from './cpu.js';
import { figure } from './report.js';

const STREAM = 'EVENTS_ACCEPTED';
const COLLECTOR = 'schema-service.collector';
const BATCH_EVENTS = 50;
const MODELS = 100;
const MANY_MODELS = 1_000;
const EVENTS_DEFAULT = 200_000;
/** Wide events have seven times the bytes of others. */
const WIDE_ONE_IN = 40;
/** Messages to publish before their acknowledgements are awaited. */
const PUBLISH_WINDOW = 100;
const POLL_MS = 20;
const MIB = 1_048_576;
const MICROSECONDS = 1_000_000;

/** `npm run bench -- collector [events]`: one collector behind a backlog, its memory, and the price of keys that never repeat. */
export async function collector(): Promise<void> {
  const [events = EVENTS_DEFAULT] = process.argv.slice(3).map(Number);
  const stack = await launchStack({ processes: [COLLECTOR] });
  let nats: NatsConnection | undefined;
  try {
    nats = await brokerOf(stack.address.natsUrl);
    await leaveToCollectors(nats);
    const of = (models: number) => (batch: number) => batchOf(batch, { events: BATCH_EVENTS, models });
    await measure(stack, nats, { events: Math.ceil(events / 10), make: of(MODELS), label: 'warm-up' });
    const ordinary = await measure(stack, nats, { events, make: of(MODELS), label: `${MODELS} models` });
    await measure(stack, nats, { events, make: of(MANY_MODELS), label: `${MANY_MODELS} models` });
    const make = (batch: number) => wideBatchOf(batch, BATCH_EVENTS);
    const wide = await measure(stack, nats, { events: Math.ceil(events / WIDE_ONE_IN), make, label: 'wide' });
    figure('wide: CPU of a byte, wide / ordinary', wide / ordinary, '', 1);
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
  make: (batch: number) => ReturnType<typeof batchOf>;
  label: string;
}

/**
 * Publishes while the collector is suspended, then times it from its first acknowledgement to the last. Returns the CPU of a byte,
 * in microseconds.
 */
async function measure(stack: LocalStack, nats: NatsConnection, { events, make, label }: Load): Promise<number> {
  await stack.hold(COLLECTOR);
  const bytesOfEvent = (await fill(nats, { events, make })) / events;
  const messages = await waiting(nats);
  const sampling = sampleMemory(stack);
  void stack.resume(COLLECTOR);
  const first = await untilBelow(nats, messages);
  const before = cpuOf(stack);
  const last = await untilBelow(nats, 1);
  const cpu = cpuOf(stack) - before;
  const counted = (first.messages - last.messages) * BATCH_EVENTS;
  figure(`${label}: events`, (counted * 1_000) / (last.at - first.at), '/s');
  figure(`${label}: CPU of the collector`, (cpu * MICROSECONDS) / counted, 'µs an event', 1);
  figure(`${label}: resident, at most`, sampling.stop() / MIB, 'MiB');
  return (cpu * MICROSECONDS) / (counted * bytesOfEvent);
}

const cpuOf = (stack: LocalStack) => cpuSeconds(stack.programs()).get(COLLECTOR) ?? Number.NaN;

/** Returns the number of bytes published. */
async function fill(nats: NatsConnection, { events, make }: Pick<Load, 'events' | 'make'>): Promise<number> {
  const stream = jetstream(nats);
  const batches = Math.ceil(events / BATCH_EVENTS);
  let bytes = 0;
  for (let from = 0; from < batches; from += PUBLISH_WINDOW) {
    const some = Array.from({ length: Math.min(PUBLISH_WINDOW, batches - from) }, (_, n) => make(from + n));
    await Promise.all(
      some.map((batch) => {
        const text = JSON.stringify(batch);
        bytes += text.length;
        return stream.publish(acceptedSubject(batch), text, { msgID: batch.batchId });
      }),
    );
  }
  return bytes;
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
